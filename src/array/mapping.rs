//! Elements that lie in a file, which somebody else may change while they are looked at.
//!
//! Memory of our own is a value; a mapped file is one only as long as everybody leaves it alone. Whoever read elements
//! and tells what came of them asks afterwards how the file is: once it became shorter, what was read of it is
//! worthless, and stays so for good.
//!
//! ```
//! use arrlang::array::Array;
//! assert!(Array::from_elements(&[2], &[1i32, 2]).mapping().is_none());
//! ```

use super::{Array, Buffer};
use std::path::Path;

/// How a file is that elements lie in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// As it was when it was opened.
    Sound,
    /// Somebody wrote to it: elements may be old or new.
    Changed,
    /// It became shorter: elements may be zeros that are in no file. It never recovers.
    Lost,
}

/// Memory that something else keeps and nobody here writes.
pub trait Mapping: Send + Sync {
    /// The bytes.
    fn bytes(&self) -> &[u8];

    /// How the file is by now. This may ask the system.
    fn state(&self) -> State {
        State::Sound
    }

    /// From now on the file is [`State::Lost`]: whoever read it met lost pages.
    fn lose(&self) {}

    /// The file; empty when it has no name.
    fn path(&self) -> &Path {
        Path::new("")
    }
}

impl Array {
    /// What the elements lie in, if that is not memory of our own.
    pub fn mapping(&self) -> Option<&dyn Mapping> {
        match &*self.buffer {
            Buffer::Mapped(mapping) => Some(&**mapping),
            Buffer::Owned(_) | Buffer::Foreign(_) => None,
        }
    }
}

/// Bytes that begin wherever the allocator put them.
impl Mapping for Vec<u8> {
    fn bytes(&self) -> &[u8] {
        self
    }
}
