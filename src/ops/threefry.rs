//! Random bits from keys: the generator of JAX, Threefry with 2 words of 32 bits and 20 rounds.
//!
//! It is a function of a key and a count, made of additions, rotations and exclusive ors. Each element of an array has its
//! position in C order as its count, so bits are computed where they are used, in any order and on any number of threads.

use super::expand::Expand;
use crate::ir::{NodeId, NodeKind, Slice, View};
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim, Shape};

/// A key: two scalars of `u32`.
pub type RandomKey = (NodeId, NodeId);

/// How far words are rotated, round by round; the two rows take turns.
const ROTATIONS: [[u8; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];

/// What makes the third word of a key.
const PARITY: i128 = 0x1BD1_1BDA;

/// From here on a count does not fit its lower word.
const COUNTS: u64 = 1 << 32;

impl Expand<'_> {
    fn word(&mut self, value: i128) -> NodeId {
        self.integer(DType::U32, value)
    }

    fn rotated(&mut self, x: NodeId, by: u8) -> NodeId {
        let (left, right) = (self.word(by.into()), self.word((32 - by).into()));
        let (left, right) = (self.prim(Prim::Shl, &[x, left]), self.prim(Prim::Shr, &[x, right]));
        self.prim(Prim::Or, &[left, right])
    }

    /// The block that a key makes of a count.
    pub fn threefry(&mut self, key: RandomKey, count: RandomKey) -> RandomKey {
        let parity = self.word(PARITY);
        let both = self.prim(Prim::Xor, &[key.0, key.1]);
        let words = [key.0, key.1, self.prim(Prim::Xor, &[both, parity])];
        let (mut x, mut y) = (self.add(count.0, words[0]), self.add(count.1, words[1]));
        for turn in 0..5 {
            for by in ROTATIONS[turn % 2] {
                x = self.add(x, y);
                y = self.rotated(y, by);
                y = self.prim(Prim::Xor, &[x, y]);
            }
            let number = self.word(turn as i128 + 1);
            let second = self.add(words[(turn + 2) % 3], number);
            (x, y) = (self.add(x, words[(turn + 1) % 3]), self.add(y, second));
        }
        (x, y)
    }

    /// The positions of the elements of a shape in C order, as two words.
    fn counts(&mut self, shape: &Shape) -> RandomKey {
        let size = shape.iter().try_fold(1u64, |size, dim| size.checked_mul(dim.known()?));
        let long = !matches!(size, Some(size) if size <= COUNTS);
        let counted = if long { DType::I64 } else { DType::U32 };
        let mut count = self.integer(counted, 0);
        let mut stride = self.integer(counted, 1);
        for (axis, dim) in shape.iter().enumerate().rev() {
            let along = self.0.iota(axis, shape.clone());
            let along = self.convert(along, counted);
            let first = axis + 1 == shape.len();
            let places = if first { along } else { self.prim(Prim::Mul, &[along, stride]) };
            count = if first { places } else { self.add(count, places) };
            let len = self.dim(dim);
            let len = self.convert(len, counted);
            stride = self.prim(Prim::Mul, &[stride, len]);
        }
        if !long {
            return (self.word(0), count);
        }
        let half = self.integer(DType::I64, 32);
        let high = self.prim(Prim::Shr, &[count, half]);
        (self.convert(high, DType::U32), self.convert(count, DType::U32))
    }

    /// The block of each element of a shape.
    fn blocks(&mut self, key: RandomKey, shape: &Shape) -> RandomKey {
        let counts = self.counts(shape);
        self.threefry(key, counts)
    }

    /// Random bits, as an unsigned dtype.
    pub fn random_bits(&mut self, key: RandomKey, dtype: DType, shape: &Shape) -> NodeId {
        let (x, y) = self.blocks(key, shape);
        if dtype != DType::U64 {
            let bits = self.prim(Prim::Xor, &[x, y]);
            return self.convert(bits, dtype);
        }
        let (x, y) = (self.convert(x, dtype), self.convert(y, dtype));
        let half = self.integer(dtype, 32);
        let high = self.prim(Prim::Shl, &[x, half]);
        self.prim(Prim::Or, &[high, y])
    }

    /// The words of a key that is an array of two.
    pub fn key_words(&mut self, key: NodeId) -> RandomKey {
        (self.key_word(key, 0), self.key_word(key, 1))
    }

    fn key_word(&mut self, key: NodeId, place: u64) -> NodeId {
        let nodes = &self.0.program().nodes;
        // A key that is made of two words here is taken apart again.
        if let NodeKind::Concat { parts, .. } = &nodes[key.index()].kind
            && let Some(part) = parts.get(place as usize).filter(|_| parts.len() == 2)
            && let NodeKind::View { arg, view: View::Broadcast } = &nodes[part.index()].kind
            && nodes[arg.index()].shape.is_empty()
        {
            return *arg;
        }
        let region = [Slice { start: Dim::Const(place), step: 1 }];
        let word = self.0.slice(key, &region, vec![Dim::Const(1)]);
        self.view(word, View::Reshape, Shape::new())
    }

    /// A key of two words; keys of arrays of words.
    pub fn key_of(&mut self, words: RandomKey) -> NodeId {
        let mut shape = self.shape(words.1);
        let axis = shape.len();
        shape.push(Dim::Const(1));
        let mut part = |word: NodeId| match axis {
            0 => self.broadcast(word, &shape),
            _ => self.view(word, View::Reshape, shape.clone()),
        };
        let parts = [part(words.0), part(words.1)];
        self.0.concat(&parts, axis)
    }

    /// Two keys of one, or more.
    pub fn split_key(&mut self, key: RandomKey) -> (RandomKey, RandomKey) {
        let mut nth = |count: i128| {
            let count = (self.word(0), self.word(count));
            self.threefry(key, count)
        };
        (nth(0), nth(1))
    }

    /// Keys of one, in a shape.
    pub fn split_keys(&mut self, key: RandomKey, shape: &Shape) -> NodeId {
        let words = self.blocks(key, shape);
        let (x, y) = (self.broadcast(words.0, shape), self.broadcast(words.1, shape));
        self.key_of((x, y))
    }

    /// The key of a key and a number.
    pub fn folded_key(&mut self, key: RandomKey, number: NodeId) -> RandomKey {
        let zero = self.word(0);
        self.threefry(key, (zero, number))
    }
}
