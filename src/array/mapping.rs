//! Elements in a file that somebody else may change meanwhile.
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
use std::io;
use std::path::Path;

/// Bytes that are read from any place on.
pub trait ReadAt: Send + Sync {
    /// Fills a window with the bytes from `at` on.
    ///
    /// # Errors
    /// When the system refuses, or there are not as many.
    fn read_at(&self, at: usize, window: &mut [u8]) -> io::Result<()>;
}

/// Bytes that are written to any place, in any order.
pub trait WriteAt: Send + Sync {
    /// Writes the bytes of a window from `at` on.
    ///
    /// # Errors
    /// When the system refuses.
    fn write_at(&self, at: usize, window: &[u8]) -> io::Result<()>;
}

/// How a file is that elements lie in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MappingState {
    /// The file is as it was when it was opened.
    Sound,
    /// Somebody wrote to the file. Elements may be old or new.
    Changed,
    /// The file became shorter. Elements may be zeros that are in no file, and stay so.
    Lost,
}

/// Memory that something else keeps and nobody here writes.
pub trait Mapping: Send + Sync {
    /// The bytes.
    fn bytes(&self) -> &[u8];

    /// How many bytes there are, also where they are not mapped.
    fn len(&self) -> usize {
        self.bytes().len()
    }

    /// Whether there are no bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the bytes have addresses; if not, [`Mapping::bytes`] has none, and all of them go through windows.
    fn is_mapped(&self) -> bool {
        true
    }

    /// The file, if its bytes can be read a window at a time instead of being mapped.
    fn windows(&self) -> Option<&dyn ReadAt> {
        None
    }

    /// How the file is by now. This may ask the system.
    fn state(&self) -> MappingState {
        MappingState::Sound
    }

    /// Notes that pages of the file were lost: its state is [`MappingState::Lost`] from now on.
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

    /// Whether the elements have addresses. Those of a file that is too large to be mapped are only seen through
    /// windows.
    pub fn has_addresses(&self) -> bool {
        self.mapping().is_none_or(Mapping::is_mapped)
    }
}

/// Bytes that begin wherever the allocator put them.
impl Mapping for Vec<u8> {
    fn bytes(&self) -> &[u8] {
        self
    }
}
