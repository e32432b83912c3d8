//! Memory for elements: aligned to 64 bytes, zeroed, and refused politely when there is none.

/// 64 bytes, aligned to 64.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// Bytes whose first one is aligned to 64.
pub struct AlignedBytes {
    lines: Vec<Line>,
    len: usize,
}

/// The memory is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfMemory {
    /// How many bytes were wanted.
    pub bytes: usize,
}

impl AlignedBytes {
    /// `len` bytes of 0.
    ///
    /// # Errors
    /// When the allocator refuses.
    pub fn zeroed(len: usize) -> Result<AlignedBytes, OutOfMemory> {
        let count = len.div_ceil(64);
        let mut lines = Vec::new();
        lines.try_reserve_exact(count).map_err(|_| OutOfMemory { bytes: len })?;
        lines.resize(count, Line([0; 64]));
        Ok(AlignedBytes { lines, len })
    }

    /// `len` bytes of any value: zeros where the allocator hands out fresh pages anyway, which costs nothing
    /// until they are touched.
    ///
    /// # Errors
    /// When the allocator refuses.
    pub fn uninit(len: usize) -> Result<AlignedBytes, OutOfMemory> {
        AlignedBytes::zeroed(len)
    }

    /// The bytes.
    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: the lines are one allocation of at least `len` initialised bytes; `u8` has no alignment.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len) }
    }

    /// The bytes, to be written.
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: as above, and the borrow is unique.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.len) }
    }
}
