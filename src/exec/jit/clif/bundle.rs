//! Values of a chunk of elements, in as many registers as it takes.
//!
//! A loop iteration handles a chunk of `C` elements. A value of it is a [`Bundle`]: registers of exactly 128 bits
//! whose lanes are as wide as its dtype, so a chunk of 8 is one register of `i16` and four of `f64`. If `C` lanes fill
//! less than a register, the upper lanes hold anything. Truth values are *masks*, lanes of all ones or zeros as wide as
//! what they were compared from.

use super::ClifWriter;
use super::numbers::plain;
use crate::types::{DType, Kind};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{ConstantData, Endianness, InstBuilder, MemFlagsData, Type, Value, types};

/// What the lanes of a register hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lane {
    /// 1, 2, 4, 8 or 16.
    pub(super) bytes: usize,
    /// `f32` or `f64`; other floats are bits.
    pub(super) float: bool,
    /// Truth values.
    pub(super) mask: bool,
}

impl Lane {
    /// The lane of a dtype in memory's width.
    pub(super) fn of(dtype: DType) -> Lane {
        let float = matches!(dtype, DType::F32 | DType::F64);
        Lane { bytes: dtype.size(), float, mask: dtype == DType::Bool }
    }

    pub(super) fn integer(bytes: usize) -> Lane {
        Lane { bytes, float: false, mask: false }
    }

    pub(super) fn mask(bytes: usize) -> Lane {
        Lane { bytes, float: false, mask: true }
    }

    /// The type of a whole register.
    pub(super) fn vector(self) -> Type {
        match (self.bytes, self.float) {
            (1 | 16, _) => types::I8X16,
            (2, _) => types::I16X8,
            (4, false) => types::I32X4,
            (4, true) => types::F32X4,
            (_, false) => types::I64X2,
            (_, true) => types::F64X2,
        }
    }

    /// The type of one element in memory.
    pub(super) fn scalar(self) -> Type {
        match (self.bytes, self.float) {
            (1, _) => types::I8,
            (2, _) => types::I16,
            (4, false) => types::I32,
            (4, true) => types::F32,
            (8, false) => types::I64,
            (8, true) => types::F64,
            _ => types::I8X16,
        }
    }
}

/// The registers of a value.
#[derive(Clone, Debug)]
pub(super) struct Bundle {
    pub(super) lane: Lane,
    pub(super) regs: Vec<Value>,
}

/// What is read is not written meanwhile, so that the load may move out of a loop.
pub(super) fn constant_memory() -> MemFlagsData {
    plain().with_readonly().with_can_move()
}

impl ClifWriter<'_, '_> {
    /// How many registers a chunk of lanes takes.
    pub(super) fn count(&self, lane: Lane) -> usize {
        (self.chunk * lane.bytes / 16).max(1)
    }

    /// Every register by itself.
    pub(super) fn map(&mut self, lane: Lane, a: &Bundle, mut f: impl FnMut(&mut Self, Value) -> Value) -> Bundle {
        Bundle { lane, regs: a.regs.iter().map(|&a| f(self, a)).collect() }
    }

    /// Registers of two bundles of one width, in pairs.
    pub(super) fn zip(
        &mut self,
        lane: Lane,
        a: &Bundle,
        b: &Bundle,
        mut f: impl FnMut(&mut Self, Value, Value) -> Value,
    ) -> Bundle {
        debug_assert_eq!(a.regs.len(), b.regs.len());
        Bundle { lane, regs: a.regs.iter().zip(&b.regs).map(|(&a, &b)| f(self, a, b)).collect() }
    }

    /// The same bits as a register of another type.
    pub(super) fn cast(&mut self, to: Type, value: Value) -> Value {
        let from = self.b.func.dfg.value_type(value);
        if from == to {
            return value;
        }
        let mut flags = MemFlagsData::new();
        if from.is_vector() && to.is_vector() && from.lane_count() != to.lane_count() {
            flags = flags.with_endianness(Endianness::Little);
        }
        self.b.ins().bitcast(to, flags, value)
    }

    /// The same bits in lanes of the same width.
    pub(super) fn retype(&mut self, lane: Lane, a: &Bundle) -> Bundle {
        self.map(lane, a, |e, a| e.cast(lane.vector(), a))
    }

    /// A constant in every lane, given its low bits.
    pub(super) fn constant(&mut self, lane: Lane, bits: u128) -> Bundle {
        let value = self.constant_register(lane, bits);
        Bundle { lane, regs: vec![value; self.count(lane)] }
    }

    pub(super) fn constant_register(&mut self, lane: Lane, bits: u128) -> Value {
        let bytes = bits.to_le_bytes();
        let pattern: Vec<u8> = match lane.mask {
            true => vec![if bits & 1 == 0 { 0 } else { 0xff }; 16],
            false => bytes[..lane.bytes].repeat(16 / lane.bytes),
        };
        self.pattern(lane.vector(), &pattern)
    }

    /// A register with these bytes.
    pub(super) fn pattern(&mut self, ty: Type, bytes: &[u8]) -> Value {
        if let Some(read) = self.constant_of_table(ty, bytes) {
            return read;
        }
        let handle = self.b.func.dfg.constants.insert(ConstantData::from(bytes));
        self.b.ins().vconst(ty, handle)
    }

    /// A scalar in every lane.
    pub(super) fn splat(&mut self, lane: Lane, scalar: Value) -> Bundle {
        let regs = self.count(lane);
        if lane.bytes == 16 {
            return Bundle { lane, regs: vec![scalar; regs] };
        }
        let value = self.b.ins().splat(lane.vector(), scalar);
        Bundle { lane, regs: vec![value; regs] }
    }

    /// Bytes of two registers, picked by their number.
    pub(super) fn shuffle(&mut self, ty: Type, a: Value, b: Value, pick: [u8; 16]) -> Value {
        let (a, b) = (self.cast(types::I8X16, a), self.cast(types::I8X16, b));
        let mask = self.b.func.dfg.immediates.push(ConstantData::from(&pick[..]));
        let picked = self.b.ins().shuffle(a, b, mask);
        self.cast(ty, picked)
    }

    /// Integer lanes of another width: extended by sign or zero, or the low bits.
    pub(super) fn resize(&mut self, a: &Bundle, kind: Kind, bytes: usize) -> Bundle {
        let mut a = a.clone();
        while a.lane.bytes < bytes {
            a = self.widen(&a, kind);
        }
        while a.lane.bytes > bytes {
            a = self.narrow(&a, false);
        }
        a
    }

    /// Lanes of twice the width.
    fn widen(&mut self, a: &Bundle, kind: Kind) -> Bundle {
        let signed = kind == Kind::Signed;
        let lane = Lane { bytes: a.lane.bytes * 2, ..a.lane };
        let regs = (0..self.count(lane)).map(|k| {
            let from = a.regs[k / 2];
            match (k % 2, signed) {
                (0, true) => self.b.ins().swiden_low(from),
                (0, false) => self.b.ins().uwiden_low(from),
                (_, true) => self.b.ins().swiden_high(from),
                (_, false) => self.b.ins().uwiden_high(from),
            }
        });
        Bundle { lane, regs: regs.collect() }
    }

    /// Lanes of half the width: the low bits. `saturated` says that they are all ones or all zeros, or that larger
    /// values are to become the nearest signed one.
    pub(super) fn narrow(&mut self, a: &Bundle, saturated: bool) -> Bundle {
        let lane = Lane { bytes: a.lane.bytes / 2, ..a.lane };
        let low = match a.lane.bytes {
            4 if !saturated => Some(self.constant_register(Lane::integer(4), 0xffff)),
            2 if !saturated => Some(self.constant_register(Lane::integer(2), 0xff)),
            _ => None,
        };
        let regs = (0..self.count(lane)).map(|k| {
            let first = a.regs[2 * k];
            let second = a.regs.get(2 * k + 1).copied().unwrap_or(first);
            if a.lane.bytes == 8 {
                // Every other four bytes.
                let pick = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];
                return self.shuffle(types::I32X4, first, second, pick);
            }
            match low {
                Some(low) => {
                    let (first, second) = (self.b.ins().band(first, low), self.b.ins().band(second, low));
                    self.b.ins().unarrow(first, second)
                }
                None => self.b.ins().snarrow(first, second),
            }
        });
        Bundle { lane, regs: regs.collect() }
    }

    /// A mask as wide as some lanes.
    pub(super) fn mask_width(&mut self, mask: &Bundle, bytes: usize) -> Bundle {
        let mut mask = mask.clone();
        while mask.lane.bytes < bytes {
            mask = self.widen(&mask, Kind::Signed);
        }
        while mask.lane.bytes > bytes {
            mask = self.narrow(&mask, true);
        }
        mask
    }

    /// Whether integer lanes are not zero.
    pub(super) fn nonzero(&mut self, a: &Bundle) -> Bundle {
        let ty = a.lane.vector();
        let zero = self.pattern(ty, &[0; 16]);
        self.map(Lane::mask(a.lane.bytes), a, |e, a| e.b.ins().icmp(IntCC::NotEqual, a, zero))
    }

    /// Truth values as lanes of a dtype's width that hold `one` or 0.
    pub(super) fn choose_one(&mut self, mask: &Bundle, lane: Lane, one: u128) -> Bundle {
        let one = self.constant_register(Lane::integer(lane.bytes), one);
        let wide = self.mask_width(mask, lane.bytes);
        let ty = lane.vector();
        self.map(lane, &wide, |e, mask| {
            let chosen = e.b.ins().band(mask, one);
            e.cast(ty, chosen)
        })
    }
}
