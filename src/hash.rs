//! A quick hash for keys of our own making.
//!
//! Maps compare keys in full, and none of them outlives what a user's own program makes it hold: whoever finds keys
//! that collide slows down nobody but themselves.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// A map with quick hashes.
pub(crate) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<WordHasher>>;

/// A set with quick hashes.
pub(crate) type QuickSet<K> = HashSet<K, BuildHasherDefault<WordHasher>>;

/// The quick hash of a key.
pub(crate) fn quick(key: &impl Hash) -> u64 {
    let mut hasher = WordHasher::default();
    key.hash(&mut hasher);
    hasher.finish()
}

/// Multiplies and rotates a word at a time.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct WordHasher(u64);

/// An odd number whose bits look random: 2^64 divided by the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl WordHasher {
    #[inline]
    fn word(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    }
}

impl Hasher for WordHasher {
    #[inline]
    fn finish(&self) -> u64 {
        // The lowest bits choose the bucket, and a product's lowest bits know only the lowest bits of its factors.
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(FACTOR);
        mixed ^ (mixed >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        for word in bytes.chunks(8) {
            let mut padded = [0; 8];
            padded[..word.len()].copy_from_slice(word);
            self.word(u64::from_le_bytes(padded));
        }
        self.word(bytes.len() as u64);
    }

    #[inline]
    fn write_u8(&mut self, word: u8) {
        self.word(word.into());
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.word(word.into());
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.word(word);
    }

    #[inline]
    fn write_u128(&mut self, word: u128) {
        self.word(word as u64);
        self.word((word >> 64) as u64);
    }

    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.word(word as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::{BuildHasher, Hash};

    #[test]
    fn neighbouring_keys_fall_into_different_buckets() {
        let build = BuildHasherDefault::<WordHasher>::default();
        for spread in [|k: u64| k, |k: u64| k << 32, |k: u64| k << 56, |k: u64| k.reverse_bits()] {
            let mut buckets: Vec<u64> = (0..256).map(|k| build.hash_one((spread(k), 1u8)) % 4096).collect();
            buckets.sort_unstable();
            buckets.dedup();
            assert!(buckets.len() > 200, "{}", buckets.len());
        }
    }

    #[test]
    fn lengths_and_places_count() {
        let of = |key: &dyn Fn(&mut WordHasher)| {
            let mut hasher = WordHasher::default();
            key(&mut hasher);
            hasher.finish()
        };
        assert_ne!(of(&|h| [1u8, 0].hash(h)), of(&|h| [1u8].hash(h)));
        assert_ne!(of(&|h| (1u32, 2u32).hash(h)), of(&|h| (2u32, 1u32).hash(h)));
        assert_ne!(of(&|h| "ab".hash(h)), of(&|h| "a\0".hash(h)));
    }
}
