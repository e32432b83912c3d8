//! Conversions as vector instructions.

use super::assembler::InstructionRow;
use super::lower::{ChunkValue, Lowering};
use super::rows;
use super::steps::{PreloadedValue, Reg};
use crate::exec::jit::lower::Bounds;
use crate::types::{DType, Kind};

/// What a comparison of floats asks: whether both are numbers, whether the first is at least the second, whether they
/// differ.
const ORDERED: u8 = 7;
const AT_LEAST: u8 = 0x1d;
const DIFFERENT: u8 = 4;

impl Lowering<'_> {
    /// The elements in another dtype; `None` where one rounding takes more than one instruction.
    pub(super) fn convert(&mut self, x: ChunkValue, from: DType, to: DType) -> Option<ChunkValue> {
        use DType::{Bf16, Bool, F16, F32, F64};
        if from == to {
            return Some(x);
        }
        if from == Bool {
            return Some(ChunkValue::Vector(self.one_where(to, x.mask())));
        }
        let x = x.vector();
        if to == Bool {
            return Some(ChunkValue::Mask(self.nonzero(x, from)));
        }
        Some(ChunkValue::Vector(match (from, to) {
            (F64, F32) => self.unary(rows::F32_OF_F64, self.target.whole(), x, None),
            // All else in between is exact.
            (F64 | DType::U32 | DType::U64 | DType::I32 | DType::I64, F16 | Bf16) => return None,
            (_, F16) => {
                let single = self.single(x, from);
                self.shorten(rows::F16_OF_F32, self.length(4), single, Some(0))
            }
            (_, Bf16) => {
                let single = self.single(x, from);
                self.narrow_bf16(single)
            }
            (_, F32) => self.single(x, from),
            (F16 | Bf16 | F32, F64) => {
                let single = self.as_single(x, from);
                self.unary(rows::F64_OF_F32, self.length(8), single, None)
            }
            (_, F64) => self.double(x, from),
            (F16 | Bf16 | F32, to) => {
                let single = self.as_single(x, from);
                self.integer_of(single, 4, to)
            }
            (F64, to) => self.integer_of(x, 8, to),
            (from, to) => self.resize(x, from.kind(), from.size(), to.size()),
        }))
    }

    /// Floats of up to four bytes as `f32`; wider ones as they are.
    pub(super) fn as_single(&mut self, x: Reg, from: DType) -> Reg {
        if from == DType::F16 {
            return self.unary(rows::F32_OF_F16, self.length(4), x, None);
        }
        if from != DType::Bf16 {
            return x;
        }
        if let Some(&(_, word)) = self.words.iter().find(|(half, _)| *half == x) {
            return word;
        }
        let wide = self.unary(rows::widen(Kind::Unsigned, 2, 4), self.length(4), x, None);
        let word = self.shift_left(4, wide, 16);
        self.upper.insert(word);
        word
    }

    /// Anything but `f64` as `f32`, rounded once.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other integer fits into an `i32`")]
    fn single(&mut self, x: Reg, from: DType) -> Reg {
        let row = match from {
            from if from.is_float() => return self.as_single(x, from),
            DType::U32 => rows::F32_OF_U32,
            DType::U64 => rows::F32_OF_U64,
            DType::I64 => rows::F32_OF_I64,
            _ => rows::F32_OF_I32,
        };
        let x = self.resize(x, from.kind(), from.size(), from.size().max(4));
        if from == DType::U32 && !self.target.has_masks() {
            return self.single_of_word(x);
        }
        if matches!(from, DType::I64 | DType::U64) && !self.target.has_masks() {
            return self.single_of_quad(x, from);
        }
        self.unary(row, self.length(from.size().max(4)), x, None)
    }

    /// Integers as `f64`.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other integer fits into an `i32`")]
    fn double(&mut self, x: Reg, from: DType) -> Reg {
        let row = match from {
            DType::U32 => rows::F64_OF_U32,
            DType::U64 => rows::F64_OF_U64,
            DType::I64 => rows::F64_OF_I64,
            _ => rows::F64_OF_I32,
        };
        let x = self.resize(x, from.kind(), from.size(), from.size().max(4));
        if matches!(from, DType::U32 | DType::I64 | DType::U64) && !self.target.has_masks() {
            self.double_of(x, from)
        } else {
            self.unary(row, self.length(8), x, None)
        }
    }

    /// Integers of another width.
    pub(super) fn resize(&mut self, x: Reg, kind: Kind, from: usize, to: usize) -> Reg {
        match from.cmp(&to) {
            std::cmp::Ordering::Less => self.unary(rows::widen(kind, from, to), self.length(to), x, None),
            std::cmp::Ordering::Equal => x,
            std::cmp::Ordering::Greater if !self.target.has_masks() => self.narrow(x, from, to),
            std::cmp::Ordering::Greater => self.shorten(rows::narrow(from, to), self.length(from), x, None),
        }
    }

    /// Whether elements are not 0; NaN is not.
    pub(super) fn nonzero(&mut self, x: Reg, from: DType) -> Reg {
        let bytes = from.size();
        if matches!(from, DType::F32 | DType::F64) {
            let zero = self.constant(bytes, 0);
            return self.compare_floats(bytes, (x, zero), DIFFERENT);
        }
        let digits = if from.is_small_float() { self.constant(2, 0x7fff) } else { x };
        self.common_bits(bytes, x, digits)
    }

    /// Floats of `bytes` bytes as integers: truncated, saturated, NaN is 0.
    fn integer_of(&mut self, x: Reg, bytes: usize, to: DType) -> Reg {
        let signed = to.kind() == Kind::Signed;
        if to.size() == 8 && !self.target.has_masks() {
            let x = if bytes == 8 { x } else { self.unary(rows::F64_OF_F32, self.length(8), x, None) };
            return self.quad_of(x, signed);
        }
        let length = self.length(bytes.max(if to.size() == 8 { 8 } else { 4 }));
        if !signed && to.size() >= 4 {
            // The instruction itself saturates above; of the two operands it is the second that NaN leaves.
            let zero = self.constant(bytes, 0);
            let positive = self.binary(rows::float(rows::FMAX, bytes), self.length(bytes), x, zero);
            if to == DType::U32 && !self.target.has_masks() {
                return self.word_of(bytes, positive);
            }
            return self.unary(truncation(bytes, to), length, positive, None);
        }
        let number = self.compare_floats(bytes, (x, x), ORDERED);
        let (low, high) = to.integer_range().expect("an integer dtype");
        let float = |value: i128| match bytes {
            4 => u128::from((value as f32).to_bits()),
            _ => u128::from((value as f64).to_bits()),
        };
        // Whether the greatest integer is a float.
        let exact = (to.bits() as usize) < if bytes == 4 { 25 } else { 54 };
        if exact {
            let (low, high) = (self.constant(bytes, float(low)), self.constant(bytes, float(high)));
            let x = self.binary(rows::float(rows::FMAX, bytes), self.length(bytes), x, low);
            let x = self.binary(rows::float(rows::FMIN, bytes), self.length(bytes), x, high);
            let words = self.unary_where(truncation(bytes, DType::I32), length, 4, x, number);
            return self.resize(words, Kind::Signed, 4, to.size());
        }
        // What does not fit becomes the least integer, which is right below.
        let cut = self.unary_where(truncation(bytes, to), length, to.size(), x, number);
        let (beyond, greatest) = (self.constant(bytes, float(high + 1)), self.constant(to.size(), high as u128));
        let above = self.compare_floats(bytes, (x, beyond), AT_LEAST);
        self.blend(to.size(), above, greatest, cut)
    }

    /// Floats as integers, truncated, where a dtype has all of them that are numbers; NaN is 0. `None` where there is no
    /// instruction for it.
    pub(super) fn integer_within(
        &mut self,
        x: ChunkValue,
        from: DType,
        to: DType,
        bounds: Bounds,
    ) -> Option<ChunkValue> {
        let (x, bytes) = (self.as_single(x.vector(), from), from.size().max(4));
        let number = bounds.may_be_nan.then(|| self.compare_floats(bytes, (x, x), ORDERED));
        if to.size() == 8 && !self.target.has_masks() {
            let wide = if bytes == 8 { x } else { self.unary(rows::F64_OF_F32, self.length(8), x, None) };
            let quad = self.quad_between(wide, to.kind() == Kind::Signed, bounds);
            return Some(ChunkValue::Vector(match number {
                Some(_) => {
                    let number = self.compare_floats(8, (wide, wide), ORDERED);
                    self.kept(8, number, quad)
                }
                None => quad,
            }));
        }
        let word = if to.size() == 8 || !bounds.fit(DType::I32) { to } else { DType::I32 };
        if word == DType::U32 && !self.target.has_masks() {
            return self.convert(ChunkValue::Vector(x), if bytes == 8 { DType::F64 } else { DType::F32 }, to);
        }
        let length = self.length(bytes.max(word.size()));
        let cut = match number {
            Some(number) => self.unary_where(truncation(bytes, word), length, word.size(), x, number),
            None => self.unary(truncation(bytes, word), length, x, None),
        };
        Some(ChunkValue::Vector(self.resize(cut, Kind::Signed, word.size(), to.size())))
    }

    /// Whether a vector of `f32` is NaN only with a lower half of 0.
    fn is_upper(&self, x: Reg) -> bool {
        let number = |what: &PreloadedValue| match what {
            PreloadedValue::Constant(bytes) => {
                bytes.as_chunks().0.iter().all(|lane| !f32::from_le_bytes(*lane).is_nan())
            }
            PreloadedValue::Repeat { .. } | PreloadedValue::Made => false,
        };
        self.upper.contains(&x) || self.body.fixed.iter().any(|(reg, what)| *reg == x && number(what))
    }

    /// Notes what arithmetic has made of `f32`: its NaNs are those of its operands, made quiet, or have a lower half of
    /// 0.
    pub(super) fn note_arithmetic(&mut self, operands: &[ChunkValue], result: ChunkValue) {
        // Without bf16 there is nothing to look for.
        if self.upper.is_empty() {
            return;
        }
        let of_upper = operands.iter().all(|held| matches!(held, ChunkValue::Vector(reg) if self.is_upper(*reg)));
        if let (true, ChunkValue::Vector(result)) = (of_upper, result) {
            self.upper.insert(result);
        }
    }

    /// The upper half of an `f32`, rounded to nearest even; NaN stays one, by itself if its lower half is 0. The
    /// rounded `f32` is kept too, as that is what arithmetic takes.
    fn narrow_bf16(&mut self, x: Reg) -> Reg {
        let length = self.length(4);
        let add = rows::of(rows::ADD, 4);
        let (one, below_half) = (self.constant(4, 1), self.constant(4, 0x7fff));
        let upper = self.constant(4, 0xffff_0000);
        let odd = self.shift_right(4, x, 16);
        let odd = self.binary(rows::AND, length, odd, one);
        let sum = self.binary(add, length, x, below_half);
        let sum = self.binary(add, length, sum, odd);
        let bits = if self.is_upper(x) {
            sum
        } else {
            let quiet = self.constant(4, 0x40_0000);
            let nan = self.binary(rows::OR, length, x, quiet);
            let number = self.compare_floats(4, (x, x), ORDERED);
            self.blend(4, number, sum, nan)
        };
        let word = self.binary(rows::AND, length, bits, upper);
        let half = self.shift_right(4, bits, 16);
        let half = self.resize(half, Kind::Unsigned, 4, 2);
        self.upper.insert(word);
        self.words.push((half, word));
        half
    }
}

/// The instruction that truncates floats of `bytes` bytes to integers of at least four.
pub(super) fn truncation(bytes: usize, to: DType) -> InstructionRow {
    match (bytes, to) {
        (4, DType::I64) => rows::I64_OF_F32,
        (4, DType::U64) => rows::U64_OF_F32,
        (4, DType::U32) => rows::U32_OF_F32,
        (4, _) => rows::I32_OF_F32,
        (_, DType::I64) => rows::I64_OF_F64,
        (_, DType::U64) => rows::U64_OF_F64,
        (_, DType::U32) => rows::U32_OF_F64,
        _ => rows::I32_OF_F64,
    }
}
