//! Random bits from keys. The generator is that of JAX: Threefry with 2 words of 32 bits and 20 rounds.
//!
//! It is a function of a key and a count, made of additions, rotations and exclusive ors. Each element of an array has
//! its position in C order as its count, so bits are computed where they are used, in any order and on any number of
//! threads.

use super::expand::Expand;
use crate::ir::{NodeId, NodeKind, Slice, View};
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim, Shape};

/// Two scalars of `u32`.
pub type Words = (NodeId, NodeId);

/// Which words a key makes of the positions of elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CounterWords {
    /// The position of an element is the count of its block: JAX's `jax_threefry_partitionable`, its default since 0.5.
    Partitionable,
    /// All words that are wanted are counted, and a block makes one of their first half and one of their second.
    Original,
}

/// How many words the original counting can count, in 32 bits with room for a sum.
pub const ORIGINAL_WORDS: usize = i32::MAX as usize;

/// What numbers are drawn from.
#[derive(Clone, Copy, Debug)]
pub struct RandomKey {
    /// The key.
    pub words: Words,
    /// How it counts.
    pub counting: CounterWords,
}

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
    pub fn threefry(&mut self, key: Words, count: Words) -> Words {
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

    /// The positions of the elements of a shape in C order, and how many there are, in a dtype that counts them.
    fn positions(&mut self, shape: &Shape, counted: DType) -> (NodeId, NodeId) {
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
        (count, stride)
    }

    /// The positions of the elements of a shape in C order, as two words.
    fn counts(&mut self, shape: &Shape) -> Words {
        let size = shape.iter().try_fold(1u64, |size, dim| size.checked_mul(dim.known()?));
        let long = !matches!(size, Some(size) if size <= COUNTS);
        let (count, _) = self.positions(shape, if long { DType::I64 } else { DType::U32 });
        if !long {
            return (self.word(0), count);
        }
        let half = self.integer(DType::I64, 32);
        let high = self.prim(Prim::Shr, &[count, half]);
        (self.convert(high, DType::U32), self.convert(count, DType::U32))
    }

    /// The block of each element of a shape.
    fn blocks(&mut self, key: Words, shape: &Shape) -> Words {
        let counts = self.counts(shape);
        self.threefry(key, counts)
    }

    /// The word at `position` among `count` words, by the original counting; a missing last count is 0.
    fn original_word(&mut self, key: Words, position: NodeId, count: NodeId) -> NodeId {
        let (zero, one) = (self.word(0), self.word(1));
        let half = self.prim(Prim::Shr, &[count, one]);
        let odd = self.prim(Prim::And, &[count, one]);
        let half = self.add(half, odd);
        let lower = self.prim(Prim::Lt, &[position, half]);
        let (above, below) = (self.add(position, half), self.sub(position, half));
        let there = self.prim(Prim::Lt, &[above, count]);
        let above = self.select(there, above, zero);
        let counts = (self.select(lower, position, below), self.select(lower, above, position));
        let (x, y) = self.threefry(key, counts);
        self.select(lower, x, y)
    }

    /// Random bits by the original counting. Two words make one of 64 bits, the higher ones first; a word makes several
    /// of less, the lowest first.
    fn original_bits(&mut self, key: Words, dtype: DType, shape: &Shape) -> NodeId {
        let (position, size) = self.positions(shape, DType::U32);
        if dtype == DType::U64 {
            // The two words of an element are those of one block.
            let second = self.add(position, size);
            let (x, y) = self.threefry(key, (position, second));
            return self.joined(x, y);
        }
        if dtype == DType::U32 {
            return self.original_word(key, position, size);
        }
        let width = i128::from(dtype.bits());
        let (width, each) = (self.word(width), 32 / width);
        let (most, each) = (self.word(each - 1), self.word(each));
        let padded = self.add(size, most);
        let count = self.prim(Prim::FloorDiv, &[padded, each]);
        let (place, part) = (self.prim(Prim::FloorDiv, &[position, each]), self.prim(Prim::Rem, &[position, each]));
        let word = self.original_word(key, place, count);
        let away = self.prim(Prim::Mul, &[part, width]);
        let word = self.prim(Prim::Shr, &[word, away]);
        self.convert(word, dtype)
    }

    /// One word of 64 bits.
    fn joined(&mut self, high: NodeId, low: NodeId) -> NodeId {
        let (high, low) = (self.convert(high, DType::U64), self.convert(low, DType::U64));
        let half = self.integer(DType::U64, 32);
        let high = self.prim(Prim::Shl, &[high, half]);
        self.prim(Prim::Or, &[high, low])
    }

    /// Random bits, as an unsigned dtype.
    pub fn random_bits(&mut self, key: RandomKey, dtype: DType, shape: &Shape) -> NodeId {
        if key.counting == CounterWords::Original {
            return self.original_bits(key.words, dtype, shape);
        }
        let (x, y) = self.blocks(key.words, shape);
        if dtype == DType::U64 {
            return self.joined(x, y);
        }
        let bits = self.prim(Prim::Xor, &[x, y]);
        self.convert(bits, dtype)
    }

    /// The words of a key that is an array of two.
    pub fn key_words(&mut self, key: NodeId) -> Words {
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
    pub fn key_of(&mut self, words: Words) -> NodeId {
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

    /// Two keys of one.
    pub fn split_key(&mut self, key: RandomKey) -> (RandomKey, RandomKey) {
        let RandomKey { words, counting } = key;
        let of = |words| RandomKey { words, counting };
        let mut block = |first: i128, second: i128| {
            let count = (self.word(first), self.word(second));
            self.threefry(words, count)
        };
        match counting {
            CounterWords::Partitionable => (of(block(0, 0)), of(block(0, 1))),
            CounterWords::Original => {
                let ((a, b), (c, d)) = (block(0, 2), block(1, 3));
                (of((a, c)), of((b, d)))
            }
        }
    }

    /// Keys of one, in a shape.
    pub fn split_keys(&mut self, key: RandomKey, shape: &Shape) -> NodeId {
        let words = match key.counting {
            CounterWords::Partitionable => self.blocks(key.words, shape),
            CounterWords::Original => {
                let (position, size) = self.positions(shape, DType::U32);
                let (one, count) = (self.word(1), self.add(size, size));
                let first = self.add(position, position);
                let second = self.add(first, one);
                (self.original_word(key.words, first, count), self.original_word(key.words, second, count))
            }
        };
        let (x, y) = (self.broadcast(words.0, shape), self.broadcast(words.1, shape));
        self.key_of((x, y))
    }

    /// The key of a key and a number.
    pub fn folded_key(&mut self, key: Words, number: NodeId) -> Words {
        let zero = self.word(0);
        self.threefry(key, (zero, number))
    }
}
