//! The loops of reductions, compiled three times: LLVM vectorises each as wide as it may.
//!
//! The operations and their order are those of the source in every build, so the results are the same.

use super::terms::{Op, Term};
use std::sync::OnceLock;

/// Accumulators of a block.
pub(super) const LANES: usize = 32;

/// Instructions that may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Level {
    Base,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// What this machine has.
    pub(super) fn detect() -> Level {
        static LEVEL: OnceLock<Level> = OnceLock::new();
        *LEVEL.get_or_init(|| {
            #[cfg(target_arch = "x86_64")]
            {
                let wide = is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl");
                if wide {
                    return Level::Avx512;
                }
                if is_x86_feature_detected!("avx2") {
                    return Level::Avx2;
                }
            }
            Level::Base
        })
    }
}

/// Defines a function that runs `$inner` in the build for a level.
macro_rules! leveled {
    ($(#[$doc:meta])* $name:ident $inner:ident ($($arg:ident: $Arg:ty),*) $(-> $Out:ty)?) => {
        $(#[$doc])*
        #[inline]
        pub(super) unsafe fn $name<T: Term, O: Op>(level: Level, $($arg: $Arg),*) $(-> $Out)? {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
            unsafe fn avx512<T: Term, O: Op>($($arg: $Arg),*) $(-> $Out)? {
                // SAFETY: the caller's promise.
                unsafe { $inner::<T, O>($($arg),*) }
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            unsafe fn avx2<T: Term, O: Op>($($arg: $Arg),*) $(-> $Out)? {
                // SAFETY: the caller's promise.
                unsafe { $inner::<T, O>($($arg),*) }
            }
            // SAFETY: the caller's promise, and a level is only what the machine has.
            unsafe {
                match level {
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx512 => avx512::<T, O>($($arg),*),
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx2 => avx2::<T, O>($($arg),*),
                    Level::Base => $inner::<T, O>($($arg),*),
                }
            }
        }
    };
}

leveled! {
    /// One block in the fixed order.
    ///
    /// # Safety
    /// `elements` points to `count` elements.
    block_total block_total_inner(elements: *const u8, count: usize) -> T::Total
}

/// The first elements of some totals.
///
/// # Safety
/// `elements` points to as many elements as there are totals.
pub(super) unsafe fn begin<T: Term>(totals: &mut [T::Total], elements: *const u8) {
    for (index, total) in totals.iter_mut().enumerate() {
        // SAFETY: the caller's promise.
        *total = unsafe { elements.cast::<T>().add(index).read_unaligned() }.widen();
    }
}

leveled! {
    /// `totals[i] = totals[i] op elements[i]`
    ///
    /// # Safety
    /// `elements` points to as many elements as there are totals.
    accumulate accumulate_inner(totals: &mut [T::Total], elements: *const u8)
}

#[inline(always)]
unsafe fn block_total_inner<T: Term, O: Op>(elements: *const u8, count: usize) -> T::Total {
    // SAFETY: for indices below `count`, by the caller's promise.
    let at = |index: usize| unsafe { elements.cast::<T>().add(index).read_unaligned() }.widen();
    let used = count.min(LANES);
    let mut totals = [O::of_nothing::<T::Total>(); LANES];
    for (lane, total) in totals.iter_mut().enumerate().take(used) {
        *total = at(lane);
    }
    let whole = count - count % LANES;
    let mut row = LANES;
    while row < whole {
        for (lane, total) in totals.iter_mut().enumerate() {
            *total = O::combine(*total, at(row + lane));
        }
        row += LANES;
    }
    if whole > 0 {
        for (lane, total) in totals.iter_mut().enumerate().take(count - whole) {
            *total = O::combine(*total, at(whole + lane));
        }
    }
    for half in [16, 8, 4, 2, 1] {
        for lane in 0..half.min(used.saturating_sub(half)) {
            totals[lane] = O::combine(totals[lane], totals[lane + half]);
        }
    }
    totals[0]
}

#[inline(always)]
unsafe fn accumulate_inner<T: Term, O: Op>(totals: &mut [T::Total], elements: *const u8) {
    for (index, total) in totals.iter_mut().enumerate() {
        // SAFETY: as many elements as totals, by the caller's promise.
        let element = unsafe { elements.cast::<T>().add(index).read_unaligned() };
        *total = O::combine(*total, element.widen());
    }
}
