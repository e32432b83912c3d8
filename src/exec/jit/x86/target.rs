//! The two kinds of machine here, as far as numbers tell them apart.

use super::assembler::{InstructionRow, VectorBits};
use super::rows;
use crate::exec::jit::lower::TargetAbilities;
use crate::exec::machine::{Level, counts_bits};

/// Whose instructions a body is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum InstructionSet {
    /// Sixteen vectors of 256 bits; truth values are vectors too.
    Avx2,
    /// Thirty-two vectors of 512 bits, and masks.
    #[default]
    Avx512,
}

impl InstructionSet {
    /// That of a level; `None` where code is written elsewhere.
    pub(super) fn of(level: Level) -> Option<InstructionSet> {
        match level {
            Level::Base | Level::Sse => None,
            Level::Avx2 => Some(InstructionSet::Avx2),
            Level::Avx512 => Some(InstructionSet::Avx512),
        }
    }

    pub(super) fn level(self) -> Level {
        match self {
            InstructionSet::Avx2 => Level::Avx2,
            InstructionSet::Avx512 => Level::Avx512,
        }
    }

    pub(super) fn has_masks(self) -> bool {
        self == InstructionSet::Avx512
    }

    /// What this machine has one instruction for.
    pub(super) fn abilities(self) -> TargetAbilities {
        TargetAbilities { popcount: self.has_masks() && counts_bits(), ..self.abilities_of_all() }
    }

    /// What every machine of the level has one instruction for.
    pub(super) fn abilities_of_all(self) -> TargetAbilities {
        TargetAbilities { any_scale: self.has_masks(), popcount: false }
    }

    /// A whole vector.
    pub(super) fn whole(self) -> VectorBits {
        match self {
            InstructionSet::Avx2 => VectorBits::Ymm,
            InstructionSet::Avx512 => VectorBits::Zmm,
        }
    }

    /// Its bytes.
    pub(super) fn bytes(self) -> usize {
        self.whole().bytes()
    }

    /// Vector registers.
    pub(super) fn vectors(self) -> usize {
        match self {
            InstructionSet::Avx2 => 16,
            InstructionSet::Avx512 => 32,
        }
    }

    /// The last two, which pass on what lies in memory.
    pub(super) fn passing(self) -> [u8; 2] {
        let count = self.vectors() as u8;
        [count - 2, count - 1]
    }

    /// Moves between registers, or loads. The size of lanes, `bytes`, matters only under a mask.
    pub(super) fn moving(self, bytes: usize) -> InstructionRow {
        rows::of(rows::MOVE, if self.has_masks() { bytes } else { 4 })
    }

    /// Stores.
    pub(super) fn storing(self, bytes: usize) -> InstructionRow {
        rows::of(rows::STORE, if self.has_masks() { bytes } else { 4 })
    }

    /// One element in memory for all lanes.
    pub(super) fn repeating(self, bytes: usize) -> InstructionRow {
        if bytes == 8 && !self.has_masks() { rows::avx2::BROADCAST_QUAD } else { rows::of(rows::BROADCAST, bytes) }
    }
}
