//! The floating-point environment: IEEE defaults while a program runs, the host's own afterwards.
//!
//! A process may have subnormals flushed to zero, another rounding mode, or exceptions that trap, set by some
//! library it has loaded. Results must not depend on that.
#![cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "two instructions alone read and write the register"))]

/// Holds the IEEE defaults until it is dropped.
#[derive(Debug)]
pub(crate) struct IeeeDefaults {
    #[cfg(target_arch = "x86_64")]
    saved: u32,
    /// The register belongs to this thread.
    _here: std::marker::PhantomData<*const ()>,
}

/// Round to nearest, subnormals kept, all exceptions masked and clear.
#[cfg(target_arch = "x86_64")]
const DEFAULT: u32 = 0x1f80;

impl IeeeDefaults {
    /// Sets them on this thread.
    pub(crate) fn set() -> IeeeDefaults {
        #[cfg(target_arch = "x86_64")]
        {
            let saved = control();
            set_control(DEFAULT);
            IeeeDefaults { saved, _here: std::marker::PhantomData }
        }
        #[cfg(not(target_arch = "x86_64"))]
        IeeeDefaults { _here: std::marker::PhantomData }
    }
}

impl Drop for IeeeDefaults {
    fn drop(&mut self) {
        #[cfg(target_arch = "x86_64")]
        set_control(self.saved);
    }
}

/// The control and status register of SSE.
#[cfg(target_arch = "x86_64")]
pub(crate) fn control() -> u32 {
    let mut word = 0u32;
    // SAFETY: stores the register's four bytes into `word`.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut word, options(nostack, preserves_flags)) };
    word
}

/// Sets the control and status register of SSE.
#[cfg(target_arch = "x86_64")]
pub(crate) fn set_control(word: u32) {
    // SAFETY: `word` is a value that the register had, or the default, so no reserved bit is set.
    unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const word, options(nostack, readonly, preserves_flags)) };
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn b15_subnormals_survive_a_host_that_flushes_them() {
        const FLUSH: u32 = 0x8040;
        let before = control();
        set_control(DEFAULT | FLUSH);
        let tiny = std::hint::black_box(1e-39f32);
        let flushed = tiny * std::hint::black_box(1.0);
        let guard = IeeeDefaults::set();
        let kept = std::hint::black_box(tiny) * std::hint::black_box(1.0);
        drop(guard);
        let restored = control() & FLUSH;
        set_control(before);
        assert_eq!((flushed, kept, restored), (0.0, tiny, FLUSH));
    }
}
