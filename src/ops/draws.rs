//! Numbers from random bits, step by step the same as JAX's.

use super::expand::Expand;
use super::threefry::RandomKey;
use crate::ir::NodeId;
use crate::scalar::prim::Prim;
use crate::types::{DType, Shape};

/// The first integer that may be drawn, and how many there are; 0 stands for all of the dtype.
#[derive(Clone, Copy, Debug)]
pub struct RandomRange {
    /// In the dtype that is drawn in, of 4 bytes or more.
    pub low: NodeId,
    /// In the unsigned dtype of that size.
    pub count: NodeId,
    /// Whether it may be 0 where it is not known.
    pub whole: bool,
}

/// The unsigned dtype of the same size.
pub fn unsigned(dtype: DType) -> DType {
    match dtype.size() {
        1 => DType::U8,
        2 => DType::U16,
        4 => DType::U32,
        _ => DType::U64,
    }
}

impl Expand<'_> {
    /// Rounds a value to the dtype that it is computed for, and widens it again if that is a small float.
    pub(super) fn rounded_to(&mut self, x: NodeId, dtype: DType) -> NodeId {
        let rounded = self.convert(x, dtype);
        self.widen(rounded)
    }

    /// Numbers from 0 to 1 without 1, in the dtype that `dtype` is computed in: random bits are the fraction of a
    /// number from 1 to 2.
    fn unit(&mut self, key: RandomKey, dtype: DType, shape: &Shape) -> NodeId {
        let (word, fraction) = (unsigned(dtype), dtype.fraction_bits());
        let drawn = if fraction < 8 { DType::U8 } else { word };
        let bits = self.random_bits(key, drawn, shape);
        let bits = self.convert(bits, word);
        let away = self.integer(word, i128::from(drawn.bits()) - i128::from(fraction));
        let bits = self.prim(Prim::Shr, &[bits, away]);
        let one = self.of(dtype, 1.0);
        let one = self.bitcast(one, word);
        let bits = self.prim(Prim::Or, &[bits, one]);
        let number = self.bitcast(bits, dtype);
        let number = self.widen(number);
        let one = self.number(number, 1.0);
        self.sub(number, one)
    }

    /// Numbers from `low` on and below `high`, both of the dtype.
    pub fn uniform(&mut self, key: RandomKey, dtype: DType, shape: &Shape, (low, high): (NodeId, NodeId)) -> NodeId {
        let unit = self.unit(key, dtype, shape);
        let (zero, one) = (self.of(dtype, 0.0), self.of(dtype, 1.0));
        if (low, high) == (zero, one) {
            return self.convert(unit, dtype);
        }
        let (low, high) = (self.widen(low), self.widen(high));
        let span = self.sub(high, low);
        let number = if dtype.is_small_float() {
            let span = self.rounded_to(span, dtype);
            let part = self.mul(unit, span);
            let part = self.rounded_to(part, dtype);
            let number = self.add(part, low);
            self.rounded_to(number, dtype)
        } else {
            self.prim(Prim::Fma, &[unit, span, low])
        };
        let number = self.prim(Prim::Max, &[low, number]);
        self.convert(number, dtype)
    }

    /// Numbers from 0 to 1 without 1.
    pub fn unit_uniform(&mut self, key: RandomKey, dtype: DType, shape: &Shape) -> NodeId {
        let bounds = (self.of(dtype, 0.0), self.of(dtype, 1.0));
        self.uniform(key, dtype, shape, bounds)
    }

    /// The remainder of unsigned numbers; of a count of 0, which stands for all, the number itself.
    fn within(&mut self, x: NodeId, span: RandomRange) -> NodeId {
        let dtype = self.dtype(x);
        match self.0.as_constant(span.count).map(|count| count.bits) {
            Some(0) => x,
            Some(count) if count.is_power_of_two() => {
                let mask = self.integer(dtype, count as i128 - 1);
                self.prim(Prim::And, &[x, mask])
            }
            Some(_) => self.prim(Prim::Rem, &[x, span.count]),
            None => {
                let rest = self.prim(Prim::Rem, &[x, span.count]);
                if !span.whole {
                    return rest;
                }
                let zero = self.integer(dtype, 0);
                let whole = self.prim(Prim::Eq, &[span.count, zero]);
                self.select(whole, x, rest)
            }
        }
    }

    /// Integers of a span: the remainder of twice as many random bits as they have, so that none is much likelier.
    pub fn random_integers(&mut self, key: RandomKey, shape: &Shape, span: RandomRange) -> NodeId {
        let drawn = self.dtype(span.low);
        let word = unsigned(drawn);
        let (first, second) = self.split_key(key);
        let half = self.integer(word, 1 << (word.bits() / 2));
        let factor = self.within(half, span);
        let factor = self.prim(Prim::Mul, &[factor, factor]);
        let factor = self.within(factor, span);
        let lower = self.random_bits(second, word, shape);
        let mut offset = self.within(lower, span);
        // Where the higher bits do not matter they are not drawn.
        if self.0.as_constant(factor).is_none_or(|factor| factor.bits != 0) {
            let higher = self.random_bits(first, word, shape);
            let higher = self.within(higher, span);
            let higher = self.prim(Prim::Mul, &[higher, factor]);
            let sum = self.prim(Prim::Add, &[higher, offset]);
            offset = self.within(sum, span);
        }
        let offset = self.convert(offset, drawn);
        self.prim(Prim::Add, &[span.low, offset])
    }

    /// Whether something with a probability happens, a number of the dtype.
    pub fn bernoulli(&mut self, key: RandomKey, dtype: DType, shape: &Shape, p: NodeId) -> NodeId {
        let number = self.unit_uniform(key, dtype, shape);
        let (number, p) = (self.widen(number), self.widen(p));
        self.prim(Prim::Lt, &[number, p])
    }
}
