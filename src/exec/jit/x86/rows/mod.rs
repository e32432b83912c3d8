//! The vector instructions that loops are made of: those of AVX-512, of which AVX2 has some.

use super::assembler::InstructionRow;
use crate::types::Kind;

pub(super) mod avx2;

/// A row: name, opcode map, prefix, W, opcode. AVX2 has it too, by the same name.
const fn row(name: &'static str, map: u8, prefix: u8, wide: bool, code: u8) -> InstructionRow {
    InstructionRow { name, map, prefix, wide, code, lane: None, avx2: Some(name) }
}

impl InstructionRow {
    /// The row under another name: that of the form whose operand is a digit and not a register.
    pub(super) fn with_name(self, name: &'static str) -> InstructionRow {
        InstructionRow { name, avx2: self.avx2.map(|_| name), ..self }
    }

    /// AVX2 has no such instruction, or another one.
    const fn only_avx512(self) -> InstructionRow {
        InstructionRow { avx2: None, ..self }
    }

    /// AVX2 has it by another name.
    const fn named_in_avx2(self, name: &'static str) -> InstructionRow {
        InstructionRow { avx2: Some(name), ..self }
    }
}

/// Rows that AVX2 lacks.
const fn without_avx2(rows: [InstructionRow; 2]) -> [InstructionRow; 2] {
    [rows[0].only_avx512(), rows[1].only_avx512()]
}

/// Rows of widths that AVX2 lacks.
const fn widths_without_avx2(rows: Widths) -> Widths {
    [rows[0].only_avx512(), rows[1].only_avx512(), rows[2].only_avx512(), rows[3].only_avx512()]
}

/// A row whose last operand may be one lane in memory for all: of eight bytes with W, else of four.
const fn each(name: &'static str, map: u8, prefix: u8, wide: bool, code: u8) -> InstructionRow {
    InstructionRow { lane: Some(if wide { 8 } else { 4 }), ..row(name, map, prefix, wide, code) }
}

/// A row for each width of a lane: 1, 2, 4, 8 bytes.
type Widths = [InstructionRow; 4];

/// The row for lanes of `bytes` bytes.
pub(super) fn of(rows: Widths, bytes: usize) -> InstructionRow {
    rows[bytes.trailing_zeros() as usize]
}

/// The row for `f32` or `f64`.
pub(super) fn float(rows: [InstructionRow; 2], bytes: usize) -> InstructionRow {
    rows[usize::from(bytes == 8)]
}

const fn floats(single: &'static str, double: &'static str, code: u8) -> [InstructionRow; 2] {
    [each(single, 1, 0, false, code), each(double, 1, 1, true, code)]
}

const fn helpers(single: &'static str, double: &'static str, map: u8, code: u8) -> [InstructionRow; 2] {
    [each(single, map, 1, false, code), each(double, map, 1, true, code)]
}

// ---- Arithmetic of floats

pub(super) const FADD: [InstructionRow; 2] = floats("vaddps", "vaddpd", 0x58);
pub(super) const FSUB: [InstructionRow; 2] = floats("vsubps", "vsubpd", 0x5c);
pub(super) const FMUL: [InstructionRow; 2] = floats("vmulps", "vmulpd", 0x59);
pub(super) const FDIV: [InstructionRow; 2] = floats("vdivps", "vdivpd", 0x5e);
pub(super) const FMIN: [InstructionRow; 2] = floats("vminps", "vminpd", 0x5d);
pub(super) const FMAX: [InstructionRow; 2] = floats("vmaxps", "vmaxpd", 0x5f);
pub(super) const FSQRT: [InstructionRow; 2] = floats("vsqrtps", "vsqrtpd", 0x51);
/// The result is a mask.
pub(super) const FCMP: [InstructionRow; 2] = floats("vcmpps", "vcmppd", 0xc2);
/// `result * first + last`.
pub(super) const FMA213: [InstructionRow; 2] = helpers("vfmadd213ps", "vfmadd213pd", 2, 0xa8);
/// `result * last + first`.
pub(super) const FMA132: [InstructionRow; 2] = helpers("vfmadd132ps", "vfmadd132pd", 2, 0x98);
/// `first * last + result`.
pub(super) const FMA231: [InstructionRow; 2] = helpers("vfmadd231ps", "vfmadd231pd", 2, 0xb8);
/// `last - result * first`.
pub(super) const FNMA213: [InstructionRow; 2] = helpers("vfnmadd213ps", "vfnmadd213pd", 2, 0xac);
/// `first - result * last`.
pub(super) const FNMA132: [InstructionRow; 2] = helpers("vfnmadd132ps", "vfnmadd132pd", 2, 0x9c);
/// The first operand times the power of two that the last one says, rounded down.
pub(super) const SCALE: [InstructionRow; 2] = without_avx2(helpers("vscalefps", "vscalefpd", 2, 0x2c));
pub(super) const EXPONENT: [InstructionRow; 2] = without_avx2(helpers("vgetexpps", "vgetexppd", 2, 0x42));
pub(super) const MANTISSA: [InstructionRow; 2] = without_avx2(helpers("vgetmantps", "vgetmantpd", 3, 0x26));
/// The result's register, or what a table says of the class of the first operand.
pub(super) const FIXUP: [InstructionRow; 2] = without_avx2(helpers("vfixupimmps", "vfixupimmpd", 3, 0x54));
pub(super) const ROUND: [InstructionRow; 2] = [
    each("vrndscaleps", 3, 1, false, 0x08).named_in_avx2("vroundps"),
    each("vrndscalepd", 3, 1, true, 0x09).named_in_avx2("vroundpd"),
];
pub(super) const RANGE: [InstructionRow; 2] = without_avx2(helpers("vrangeps", "vrangepd", 3, 0x50));

/// A product of the result and the first operand, and a sum with the last: the row that has the other factor last.
pub(super) fn with_factor_last(row: InstructionRow) -> Option<InstructionRow> {
    let rows = [(FMA213, FMA132), (FNMA213, FNMA132)];
    let each = rows.into_iter().flat_map(|(from, to)| from.into_iter().zip(to));
    each.into_iter().find(|(from, _)| *from == row).map(|(_, to)| to)
}

/// Whether both operands of a row of floats may change places where one of them is a number.
pub(super) fn commutes(row: InstructionRow) -> bool {
    FADD.contains(&row) || FMUL.contains(&row)
}

/// Whether both operands may change places whatever they are.
pub(super) fn commutes_as_bits(row: InstructionRow) -> bool {
    [ADD, MUL].iter().any(|rows| rows.contains(&row)) || [AND, OR, XOR].contains(&row)
}

// ---- Arithmetic of integers

pub(super) const ADD: Widths = [
    row("vpaddb", 1, 1, false, 0xfc),
    row("vpaddw", 1, 1, false, 0xfd),
    each("vpaddd", 1, 1, false, 0xfe),
    each("vpaddq", 1, 1, true, 0xd4),
];
pub(super) const SUB: Widths = [
    row("vpsubb", 1, 1, false, 0xf8),
    row("vpsubw", 1, 1, false, 0xf9),
    each("vpsubd", 1, 1, false, 0xfa),
    each("vpsubq", 1, 1, true, 0xfb),
];
/// There is none for lanes of one byte.
pub(super) const MUL: Widths = [
    row("", 0, 0, false, 0),
    row("vpmullw", 1, 1, false, 0xd5),
    each("vpmulld", 2, 1, false, 0x40),
    each("vpmullq", 2, 1, true, 0x40).only_avx512(),
];
pub(super) const MIN_SIGNED: Widths = [
    row("vpminsb", 2, 1, false, 0x38),
    row("vpminsw", 1, 1, false, 0xea),
    each("vpminsd", 2, 1, false, 0x39),
    each("vpminsq", 2, 1, true, 0x39).only_avx512(),
];
pub(super) const MIN_UNSIGNED: Widths = [
    row("vpminub", 1, 1, false, 0xda),
    row("vpminuw", 2, 1, false, 0x3a),
    each("vpminud", 2, 1, false, 0x3b),
    each("vpminuq", 2, 1, true, 0x3b).only_avx512(),
];
pub(super) const MAX_SIGNED: Widths = [
    row("vpmaxsb", 2, 1, false, 0x3c),
    row("vpmaxsw", 1, 1, false, 0xee),
    each("vpmaxsd", 2, 1, false, 0x3d),
    each("vpmaxsq", 2, 1, true, 0x3d).only_avx512(),
];
pub(super) const MAX_UNSIGNED: Widths = [
    row("vpmaxub", 1, 1, false, 0xde),
    row("vpmaxuw", 2, 1, false, 0x3e),
    each("vpmaxud", 2, 1, false, 0x3f),
    each("vpmaxuq", 2, 1, true, 0x3f).only_avx512(),
];
pub(super) const ABS: Widths = [
    row("vpabsb", 2, 1, false, 0x1c),
    row("vpabsw", 2, 1, false, 0x1d),
    each("vpabsd", 2, 1, false, 0x1e),
    each("vpabsq", 2, 1, true, 0x1f).only_avx512(),
];
/// Of machines that count bits.
pub(super) const POPCOUNT: Widths = widths_without_avx2([
    row("vpopcntb", 2, 1, false, 0x54),
    row("vpopcntw", 2, 1, true, 0x54),
    each("vpopcntd", 2, 1, false, 0x55),
    each("vpopcntq", 2, 1, true, 0x55),
]);
pub(super) const AND: InstructionRow = each("vpandd", 1, 1, false, 0xdb).named_in_avx2("vpand");
pub(super) const OR: InstructionRow = each("vpord", 1, 1, false, 0xeb).named_in_avx2("vpor");
pub(super) const XOR: InstructionRow = each("vpxord", 1, 1, false, 0xef).named_in_avx2("vpxor");
/// Any function of three bits, which the immediate spells out; the first operand is the result's register.
pub(super) const TERNARY: InstructionRow = each("vpternlogd", 3, 1, false, 0x25).only_avx512();

// ---- Shifts

/// A shift by an immediate: the register field holds a digit, and the result's register stands where the first
/// operand's does. Not of bytes.
pub(super) const SHIFT: Widths = [
    row("", 0, 0, false, 0),
    row("vpshiftw", 1, 1, false, 0x71),
    row("vpshiftd", 1, 1, false, 0x72),
    row("vpshiftq", 1, 1, true, 0x73),
];
/// Arithmetic to the right, which is an instruction of 32 bits with another W.
pub(super) const SHIFT_SIGNED: Widths = [
    row("", 0, 0, false, 0),
    row("vpsraw", 1, 1, false, 0x71),
    row("vpsrad", 1, 1, false, 0x72),
    row("vpsraq", 1, 1, true, 0x72).only_avx512(),
];
pub(super) const SHIFTS_LEFT: Widths = [
    row("", 0, 0, false, 0),
    row("vpsllvw", 2, 1, true, 0x12).only_avx512(),
    each("vpsllvd", 2, 1, false, 0x47),
    each("vpsllvq", 2, 1, true, 0x47),
];
pub(super) const SHIFTS_RIGHT: Widths = [
    row("", 0, 0, false, 0),
    row("vpsrlvw", 2, 1, true, 0x10).only_avx512(),
    each("vpsrlvd", 2, 1, false, 0x45),
    each("vpsrlvq", 2, 1, true, 0x45),
];
pub(super) const SHIFTS_SIGNED: Widths = [
    row("", 0, 0, false, 0),
    row("vpsravw", 2, 1, true, 0x11).only_avx512(),
    each("vpsravd", 2, 1, false, 0x46),
    each("vpsravq", 2, 1, true, 0x46).only_avx512(),
];

// ---- Lanes of a whole vector

/// The upper half of a vector of 256 bits, and of one of 512; the result stands where the last operand does.
#[cfg(feature = "object")]
pub(super) const UPPER_HALF: [InstructionRow; 2] =
    without_avx2([row("vextracti32x4", 3, 1, false, 0x39), row("vextracti64x4", 3, 1, true, 0x3b)]);
/// Bytes of a short vector; its digit is 3.
#[cfg(feature = "object")]
pub(super) const SHIFT_BYTES_RIGHT: InstructionRow = row("vpsrldq", 1, 1, false, 0x73).only_avx512();

// ---- Tests, whose result is a mask, and choices by one

pub(super) const CMP_SIGNED: Widths = widths_without_avx2([
    row("vpcmpb", 3, 1, false, 0x3f),
    row("vpcmpw", 3, 1, true, 0x3f),
    each("vpcmpd", 3, 1, false, 0x1f),
    each("vpcmpq", 3, 1, true, 0x1f),
]);
pub(super) const CMP_UNSIGNED: Widths = widths_without_avx2([
    row("vpcmpub", 3, 1, false, 0x3e),
    row("vpcmpuw", 3, 1, true, 0x3e),
    each("vpcmpud", 3, 1, false, 0x1e),
    each("vpcmpuq", 3, 1, true, 0x1e),
]);
/// Whether `first & last` is not 0.
pub(super) const TEST: Widths = widths_without_avx2([
    row("vptestmb", 2, 1, false, 0x26),
    row("vptestmw", 2, 1, true, 0x26),
    each("vptestmd", 2, 1, false, 0x27),
    each("vptestmq", 2, 1, true, 0x27),
]);
/// The last operand where the mask says so, else the first.
pub(super) const BLEND: Widths = widths_without_avx2([
    row("vpblendmb", 2, 1, false, 0x66),
    row("vpblendmw", 2, 1, true, 0x66),
    each("vpblendmd", 2, 1, false, 0x64),
    each("vpblendmq", 2, 1, true, 0x64),
]);
/// Moves registers, or loads.
pub(super) const MOVE: Widths = [
    row("vmovdqu8", 1, 3, false, 0x6f).only_avx512(),
    row("vmovdqu16", 1, 3, true, 0x6f).only_avx512(),
    row("vmovdqu32", 1, 2, false, 0x6f).named_in_avx2("vmovdqu"),
    row("vmovdqu64", 1, 2, true, 0x6f).only_avx512(),
];
/// Stores: the register field is what is stored.
pub(super) const STORE: Widths = [
    row("vmovdqu8", 1, 3, false, 0x7f).only_avx512(),
    row("vmovdqu16", 1, 3, true, 0x7f).only_avx512(),
    row("vmovdqu32", 1, 2, false, 0x7f).named_in_avx2("vmovdqu"),
    row("vmovdqu64", 1, 2, true, 0x7f).only_avx512(),
];
/// Stores that pass the caches by, of whole vectors to addresses that are multiples of their length.
pub(super) const STREAM: InstructionRow = row("vmovntdq", 1, 1, false, 0xe7);
/// Eight bytes.
pub(super) const LOAD_QUAD: InstructionRow = row("vmovq", 1, 2, true, 0x7e);
pub(super) const STORE_QUAD: InstructionRow = row("vmovq", 1, 1, true, 0xd6);
pub(super) const BROADCAST: Widths = [
    row("vpbroadcastb", 2, 1, false, 0x78),
    row("vpbroadcastw", 2, 1, false, 0x79),
    row("vpbroadcastd", 2, 1, false, 0x58),
    row("vpbroadcastq", 2, 1, true, 0x59).only_avx512(),
];
/// Lanes of the result's register and of the last operand, as the first operand's lanes say, which are overwritten.
pub(super) const PICK: [InstructionRow; 2] = without_avx2(helpers("vpermi2d", "vpermi2q", 2, 0x76));

/// Lanes of the last operand, as the first operand's lanes say.
pub(super) const PERMUTE: [InstructionRow; 2] =
    [each("vpermd", 2, 1, false, 0x36), each("vpermq", 2, 1, true, 0x36).only_avx512()];

// ---- Conversions

/// Zeros or the sign in front, from lanes of `from` to lanes of `to` bytes.
pub(super) fn widen(kind: Kind, from: usize, to: usize) -> InstructionRow {
    let (name, code) = match (from, to) {
        (1, 2) => ("vpmovbw", 0x20),
        (1, 4) => ("vpmovbd", 0x21),
        (1, _) => ("vpmovbq", 0x22),
        (2, 4) => ("vpmovwd", 0x23),
        (2, _) => ("vpmovwq", 0x24),
        _ => ("vpmovdq", 0x25),
    };
    row(name, 2, 1, false, if kind == Kind::Signed { code } else { code | 0x10 })
}

/// Whether an instruction makes wide lanes of narrow ones, which may lie in memory.
pub(super) fn widens(instruction: InstructionRow) -> bool {
    let integers = [(1, 2), (1, 4), (1, 8), (2, 4), (2, 8), (4, 8)];
    let kinds = [Kind::Signed, Kind::Unsigned];
    let is_integer = integers.iter().any(|&(from, to)| kinds.iter().any(|&kind| widen(kind, from, to) == instruction));
    is_integer || [F64_OF_F32, F64_OF_I32, F32_OF_F16].contains(&instruction)
}

/// The last bytes of each lane; the result stands where the last operand does.
pub(super) fn narrow(from: usize, to: usize) -> InstructionRow {
    let (name, code) = match (from, to) {
        (2, _) => ("vpmovwb", 0x30),
        (4, 1) => ("vpmovdb", 0x31),
        (8, 1) => ("vpmovqb", 0x32),
        (4, _) => ("vpmovdw", 0x33),
        (8, 2) => ("vpmovqw", 0x34),
        _ => ("vpmovqd", 0x35),
    };
    row(name, 2, 2, false, code).only_avx512()
}

pub(super) const F32_OF_I32: InstructionRow = row("vcvtdq2ps", 1, 0, false, 0x5b);
pub(super) const F32_OF_U32: InstructionRow = row("vcvtudq2ps", 1, 3, false, 0x7a).only_avx512();
pub(super) const F32_OF_I64: InstructionRow = row("vcvtqq2ps", 1, 0, true, 0x5b).only_avx512();
pub(super) const F32_OF_U64: InstructionRow = row("vcvtuqq2ps", 1, 3, true, 0x7a).only_avx512();
pub(super) const F64_OF_I32: InstructionRow = row("vcvtdq2pd", 1, 2, false, 0xe6);
pub(super) const F64_OF_U32: InstructionRow = row("vcvtudq2pd", 1, 2, false, 0x7a).only_avx512();
pub(super) const F64_OF_I64: InstructionRow = row("vcvtqq2pd", 1, 2, true, 0xe6).only_avx512();
pub(super) const F64_OF_U64: InstructionRow = row("vcvtuqq2pd", 1, 2, true, 0x7a).only_avx512();
pub(super) const F64_OF_F32: InstructionRow = row("vcvtps2pd", 1, 0, false, 0x5a);
pub(super) const F32_OF_F64: InstructionRow = row("vcvtpd2ps", 1, 1, true, 0x5a);
pub(super) const I32_OF_F32: InstructionRow = row("vcvttps2dq", 1, 2, false, 0x5b);
pub(super) const U32_OF_F32: InstructionRow = row("vcvttps2udq", 1, 0, false, 0x78).only_avx512();
pub(super) const I64_OF_F32: InstructionRow = row("vcvttps2qq", 1, 1, false, 0x7a).only_avx512();
pub(super) const U64_OF_F32: InstructionRow = row("vcvttps2uqq", 1, 1, false, 0x78).only_avx512();
pub(super) const I32_OF_F64: InstructionRow = row("vcvttpd2dq", 1, 1, true, 0xe6);
pub(super) const U32_OF_F64: InstructionRow = row("vcvttpd2udq", 1, 0, true, 0x78).only_avx512();
pub(super) const I64_OF_F64: InstructionRow = row("vcvttpd2qq", 1, 1, true, 0x7a).only_avx512();
pub(super) const U64_OF_F64: InstructionRow = row("vcvttpd2uqq", 1, 1, true, 0x78).only_avx512();
pub(super) const F32_OF_F16: InstructionRow = row("vcvtph2ps", 2, 1, false, 0x13);
/// The result stands where the last operand does.
pub(super) const F16_OF_F32: InstructionRow = row("vcvtps2ph", 3, 1, false, 0x1d);

// ---- Masks

const fn masks(name: &'static str, code: u8) -> InstructionRow {
    row(name, 1, 0, true, code)
}

pub(super) const KAND: InstructionRow = masks("kandq", 0x41);
/// `not first and last`.
pub(super) const KANDN: InstructionRow = masks("kandnq", 0x42);
pub(super) const KOR: InstructionRow = masks("korq", 0x45);
pub(super) const KXNOR: InstructionRow = masks("kxnorq", 0x46);
pub(super) const KXOR: InstructionRow = masks("kxorq", 0x47);
pub(super) const KNOT: InstructionRow = masks("knotq", 0x44);
/// Whether two masks have any lane.
pub(super) const KORTEST: InstructionRow = masks("kortestq", 0x98);
pub(super) const KSHIFT_RIGHT: InstructionRow = row("kshiftrq", 3, 1, true, 0x31);
/// From a general register.
pub(super) const KMOV: InstructionRow = row("kmovq", 1, 3, true, 0x92);

/// From memory, and to it.
pub(super) const KLOAD: InstructionRow = masks("kmovq", 0x90);
pub(super) const KSTORE: InstructionRow = masks("kmovq", 0x91);

// ---- General registers

/// The lowest bits of the last operand, as many as the first one says.
pub(super) const LOW_BITS: InstructionRow = row("bzhi", 2, 0, true, 0xf5);
