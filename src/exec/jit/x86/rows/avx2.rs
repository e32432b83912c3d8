//! Instructions of AVX2 that AVX-512 lacks for some registers, or does not need.

use super::{InstructionRow, Widths, row};

/// All ones where lanes are equal.
pub(in super::super) const EQUAL: Widths = [
    row("vpcmpeqb", 1, 1, false, 0x74),
    row("vpcmpeqw", 1, 1, false, 0x75),
    row("vpcmpeqd", 1, 1, false, 0x76),
    row("vpcmpeqq", 2, 1, false, 0x29),
];
/// All ones where a lane of the first operand is more, signed.
pub(in super::super) const MORE: Widths = [
    row("vpcmpgtb", 1, 1, false, 0x64),
    row("vpcmpgtw", 1, 1, false, 0x65),
    row("vpcmpgtd", 1, 1, false, 0x66),
    row("vpcmpgtq", 2, 1, false, 0x37),
];
/// The last operand where the sign bit of a fourth is set, else the first. There is none for lanes of two bytes.
pub(in super::super) const BLEND: Widths = [
    row("vpblendvb", 3, 1, false, 0x4c),
    row("vpblendvb", 3, 1, false, 0x4c),
    row("vblendvps", 3, 1, false, 0x4a),
    row("vblendvpd", 3, 1, false, 0x4b),
];
/// Lanes of four bytes of the last operand where the immediate says so, else of the first.
pub(in super::super) const BLEND_WORDS: InstructionRow = row("vpblendd", 3, 1, false, 0x02);
/// `not first and last`.
pub(in super::super) const AND_NOT: InstructionRow = row("vpandn", 1, 1, false, 0xdf);
/// Whether two vectors have a bit in common.
pub(in super::super) const ANY: InstructionRow = row("vptest", 2, 1, false, 0x17);
/// Of lanes of eight bytes, the products of their lower halves.
pub(in super::super) const MULTIPLY_LOW: InstructionRow = row("vpmuludq", 1, 1, false, 0xf4);
/// Bytes of each half of the first operand, as the last one says.
pub(in super::super) const SHUFFLE_BYTES: InstructionRow = row("vpshufb", 2, 1, false, 0x00);
/// Lanes of each half of both operands, as the immediate says.
pub(in super::super) const SHUFFLE: [InstructionRow; 2] =
    [row("vshufps", 1, 0, false, 0xc6), row("vshufpd", 1, 1, false, 0xc6)];
/// Lanes of four bytes within each half, as the immediate says.
pub(in super::super) const SHUFFLE_WORDS: InstructionRow = row("vpshufd", 1, 1, false, 0x70);
/// Lanes of eight bytes, as the immediate says.
pub(in super::super) const PERMUTE_QUADS: InstructionRow = row("vpermq", 3, 1, true, 0x00);
/// The lower lanes of both operands, or the upper ones, within each half, in turns.
pub(in super::super) const UNPACK_LOW: [InstructionRow; 2] =
    [row("vunpcklps", 1, 0, false, 0x14), row("vunpcklpd", 1, 1, false, 0x14)];
pub(in super::super) const UNPACK_HIGH: [InstructionRow; 2] =
    [row("vunpckhps", 1, 0, false, 0x15), row("vunpckhpd", 1, 1, false, 0x15)];
/// Bytes of half a vector.
pub(in super::super) const HALF: usize = 16;
/// The first operand with half of it, as the immediate says, that of the last one.
pub(in super::super) const INSERT: InstructionRow = row("vinsertf128", 3, 1, false, 0x18);
/// Half of the last operand, as the immediate says; the result stands where the last operand does.
pub(in super::super) const EXTRACT: InstructionRow = row("vextractf128", 3, 1, false, 0x19);
/// A lane of four bytes, as the immediate says, to a general register.
pub(in super::super) const EXTRACT_WORD: InstructionRow = row("vpextrd", 3, 1, false, 0x16);
/// Halves of both operands, as the immediate says.
pub(in super::super) const HALVES: InstructionRow = row("vperm2f128", 3, 1, false, 0x06);
pub(in super::super) const BROADCAST_QUAD: InstructionRow = row("vpbroadcastq", 2, 1, false, 0x59);
/// Four bytes.
pub(in super::super) const LOAD_WORD: InstructionRow = row("vmovd", 1, 1, false, 0x6e);
pub(in super::super) const STORE_WORD: InstructionRow = row("vmovd", 1, 1, false, 0x7e);
/// Lanes in memory where the sign bit of the first operand is set, of four or of eight bytes; others are 0, or stay.
pub(in super::super) const LOAD_CHOSEN: [InstructionRow; 2] =
    [row("vpmaskmovd", 2, 1, false, 0x8c), row("vpmaskmovq", 2, 1, true, 0x8c)];
pub(in super::super) const STORE_CHOSEN: [InstructionRow; 2] =
    [row("vpmaskmovd", 2, 1, false, 0x8e), row("vpmaskmovq", 2, 1, true, 0x8e)];
