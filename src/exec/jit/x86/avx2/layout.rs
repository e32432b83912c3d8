//! Shuffles: lanes become narrower, or go apart or together.
//!
//! Most instructions move lanes within the halves of a vector, and a second one moves the halves' parts.

use super::super::assembler::VectorBits;
use super::super::lower::Lowering;
use super::super::rows::{self, avx2};
use super::super::steps::{Instruction, PreloadedValue, Reg, RegClass};

/// The immediate of `vpermq` with which the second and the third quarter of a vector change places.
const SWAP_MIDDLE_QUARTERS: u8 = 0b11_01_10_00;
/// The immediate of `vpermq` that brings the first and the third quarter of a vector together.
const EVEN_QUARTERS: u8 = 0b00_00_10_00;
/// The immediate of `vshufps` that takes the even lanes of the first operand, then those of the second, in each half.
const EVEN_SINGLES: u8 = 0b10_00_10_00;
/// The same for the odd lanes.
const ODD_SINGLES: u8 = 0b11_01_11_01;
/// The same as [`EVEN_SINGLES`] for lanes of eight bytes, of `vshufpd`.
const EVEN_DOUBLES: u8 = 0b0000;
/// The same for the odd lanes.
const ODD_DOUBLES: u8 = 0b1111;

impl Lowering<'_> {
    /// The last bytes of each lane, next to each other.
    pub(in super::super) fn narrow(&mut self, x: Reg, from: usize, to: usize) -> Reg {
        let bytes = self.body.chunk * from;
        let mut control = [0x80; 64];
        let mut within_halves = |lanes: usize, from: usize| {
            for half in control.chunks_exact_mut(avx2::HALF) {
                for (at, byte) in half.iter_mut().enumerate().take(lanes * to) {
                    *byte = (at / to * from + at % to) as u8;
                }
            }
            control
        };
        if bytes <= avx2::HALF {
            let control = self.preload(PreloadedValue::Constant(within_halves(self.body.chunk, from)));
            return self.binary(avx2::SHUFFLE_BYTES, VectorBits::Xmm, x, control);
        }
        if from == 8 {
            let numbers = self.lanes(4, |lane| (2 * lane) & 7);
            let words = self.binary(rows::PERMUTE[0], VectorBits::Ymm, numbers, x);
            return if to == 4 { words } else { self.narrow_words(words, to) };
        }
        let control = self.preload(PreloadedValue::Constant(within_halves(avx2::HALF / from, from)));
        let packed = self.binary(avx2::SHUFFLE_BYTES, VectorBits::Ymm, x, control);
        // How many lanes of four bytes are left of each half.
        let words = (avx2::HALF / from * to / 4) as u32;
        // Some processors move pairs of them in less time than single ones.
        if words == 2 {
            return self.unary(avx2::PERMUTE_QUADS, VectorBits::Ymm, packed, Some(EVEN_QUARTERS));
        }
        let numbers = self.lanes(4, |lane| (lane / words * 4 + lane % words) & 7);
        self.binary(rows::PERMUTE[0], VectorBits::Ymm, numbers, packed)
    }

    /// The last `to` bytes of each of four lanes of four bytes, next to each other.
    fn narrow_words(&mut self, x: Reg, to: usize) -> Reg {
        let mut control = [0x80; 64];
        (0..4 * to).for_each(|byte| control[byte] = (byte / to * 4 + byte % to) as u8);
        let control = self.preload(PreloadedValue::Constant(control));
        self.binary(avx2::SHUFFLE_BYTES, VectorBits::Xmm, x, control)
    }

    pub(super) fn shuffle(&mut self, bytes: usize, length: VectorBits, [a, b]: [Reg; 2], immediate: u8) -> Reg {
        let step = Instruction {
            first: Some(a),
            immediate: Some(immediate),
            ..self.blank(rows::float(avx2::SHUFFLE, bytes), length, b)
        };
        self.step(RegClass::Vector, step)
    }

    fn joined_lanes(&mut self, [a, b]: [Reg; 2], immediate: u8) -> Reg {
        let step =
            Instruction { first: Some(a), immediate: Some(immediate), ..self.blank(avx2::HALVES, VectorBits::Ymm, b) };
        self.step(RegClass::Vector, step)
    }

    /// Every second lane of two vectors, the second of which begins with the last lane of the first.
    pub(in super::super) fn every_second(&mut self, bytes: usize, low: Reg, high: Reg) -> Reg {
        let length = self.length(bytes);
        // Even lanes of the first, odd ones of the second.
        let immediate = if bytes == 4 { 0b11_01_10_00 } else { 0b1010 };
        let picked = self.shuffle(bytes, length, [low, high], immediate);
        match length {
            VectorBits::Xmm => picked,
            VectorBits::Ymm | VectorBits::Zmm => {
                self.unary(avx2::PERMUTE_QUADS, length, picked, Some(SWAP_MIDDLE_QUARTERS))
            }
        }
    }

    /// The real (0) or the imaginary (1) parts of complex numbers that lie as memory has them. A part has `bytes`
    /// bytes.
    pub(in super::super) fn part_of(&mut self, bytes: usize, numbers: [Reg; 2], part: usize) -> Reg {
        let which = if bytes == 8 { [EVEN_DOUBLES, ODD_DOUBLES] } else { [EVEN_SINGLES, ODD_SINGLES] };
        let picked = self.shuffle(bytes, VectorBits::Ymm, numbers, which[part]);
        self.unary(avx2::PERMUTE_QUADS, VectorBits::Ymm, picked, Some(SWAP_MIDDLE_QUARTERS))
    }

    /// The vectors of complex numbers as memory has them.
    pub(in super::super) fn interleave_parts(&mut self, part: usize, re: Reg, im: Reg) -> Vec<Reg> {
        let [low, high] = self.unpack(part, re, im);
        let first = self.joined_lanes([low, high], 0x20);
        match self.length(part) {
            VectorBits::Xmm => vec![first],
            VectorBits::Ymm | VectorBits::Zmm => vec![first, self.joined_lanes([low, high], 0x31)],
        }
    }
}
