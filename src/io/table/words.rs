//! The words of a column of one block, each with its code.
//!
//! Words of the first block are known to all others, with the codes that they have in the column; so most blocks have
//! none of their own. Words of at most eight bytes are found again by their bytes, without hashing.
//!
//! ```text
//! block 0: A B A → 0 1 0   block 1, which knows A B: B C → 1 2, and C is its own
//! ```

use std::collections::HashMap;
use std::sync::Arc;

/// How many short words are found by their bytes.
const RECENT_WORDS: usize = 1024;

/// Most words that blocks are told of: what they do not know they find by themselves.
const MAX_KNOWN: usize = 1 << 16;

type Codes = HashMap<Vec<u8>, u32>;

/// Words that were found before, and their codes.
pub(super) type KnownWords = Arc<Codes>;

/// Words and their codes.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    known: KnownWords,
    /// The words that are not known, in the order in which they appear.
    own: Vec<String>,
    codes: Codes,
    /// Short words that were asked for: their bytes, their length, their code. Empty until there is a word.
    recent: Vec<(u64, u32, u32)>,
}

impl Dictionary {
    /// Without words of its own.
    pub(super) fn new(known: Option<KnownWords>) -> Dictionary {
        Dictionary { known: known.unwrap_or_default(), ..Dictionary::default() }
    }

    /// The code of a word. `None` for what is no UTF-8.
    #[inline]
    pub(super) fn code(&mut self, text: &[u8]) -> Option<u32> {
        let Some(bytes) = short(text) else { return self.found(text) };
        if self.recent.is_empty() {
            // No word is as long as this.
            self.recent.resize(RECENT_WORDS, (0, u32::MAX, 0));
        }
        let slot = (bytes.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54) as usize % RECENT_WORDS;
        // Two words that belong to one place do not drive each other out.
        for slot in [slot, slot ^ 1] {
            let (own, length, code) = self.recent[slot];
            if (own, length) == (bytes, text.len() as u32) {
                return Some(code);
            }
        }
        let code = self.found(text)?;
        self.recent[slot ^ 1] = self.recent[slot];
        self.recent[slot] = (bytes, text.len() as u32, code);
        Some(code)
    }

    #[inline(never)]
    fn found(&mut self, text: &[u8]) -> Option<u32> {
        if let Some(&code) = self.known.get(text).or_else(|| self.codes.get(text)) {
            return Some(code);
        }
        let word = std::str::from_utf8(text).ok()?.to_owned();
        let code = u32::try_from(self.known.len() + self.own.len()).expect("a block has fewer words than bytes");
        self.own.push(word);
        self.codes.insert(text.to_vec(), code);
        Some(code)
    }

    /// What others should know: the words of this one.
    pub(super) fn known(&self) -> KnownWords {
        let count = self.own.len().min(MAX_KNOWN);
        let codes = self.own[..count].iter().enumerate().map(|(at, word)| (word.as_bytes().to_vec(), at as u32));
        Arc::new(codes.collect())
    }

    /// Gives back what is only needed to find words.
    pub(super) fn trim(&mut self) {
        (self.codes, self.recent) = (HashMap::new(), Vec::new());
    }

    /// How many words were known before, and those that were not.
    pub(super) fn take(&mut self) -> (usize, Vec<String>) {
        (self.known.len(), std::mem::take(&mut self.own))
    }

    /// How many words it has that were not known before.
    pub(super) fn own(&self) -> usize {
        self.own.len()
    }

    /// Bytes of memory that its own words hold.
    pub(super) fn held(&self) -> usize {
        self.own.iter().map(|word| 2 * word.len() + 128).sum()
    }
}

/// The bytes of a word of at most eight as one number.
#[inline]
fn short(text: &[u8]) -> Option<u64> {
    (text.len() <= 8).then(|| super::cell::word(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_codes_in_the_order_in_which_they_appear() {
        let mut first = Dictionary::default();
        let words = ["b", "", "a", "b", "a word of many bytes", "", "a\0", "a"];
        let codes = words.map(|word| first.code(word.as_bytes()).unwrap());
        assert_eq!(codes, [0, 1, 2, 0, 3, 1, 4, 2]);
        let mut second = Dictionary::new(Some(first.known()));
        let words = ["c", "a", "a word of many bytes", "ccccccccc", "c", ""];
        let codes = words.map(|word| second.code(word.as_bytes()).unwrap());
        assert_eq!(codes, [5, 2, 3, 6, 5, 1]);
        assert_eq!((second.code(b"\xff"), second.code(b"\xff more than eight")), (None, None));
        second.trim();
        assert_eq!(second.take(), (5, vec!["c".to_owned(), "ccccccccc".to_owned()]));
    }
}
