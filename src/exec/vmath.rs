//! Block functions: prims applied to a block of contiguous elements, compiled ahead of time.
//!
//! Each is a loop around the one meaning in [`crate::scalar::eval`], compiled for three levels of instructions: the
//! loop is vectorised as widely as the processor allows, the operations on an element are the same, and so are the
//! bits.
//!
//! ```
//! use arrlang::exec::vmath::block_fn;
//! use arrlang::{scalar::prim::Prim, types::DType};
//! let exp = block_fn(Prim::Exp, &[DType::F64], DType::F64).expect("exp takes f64");
//! let mut data = [0f64, 1.0, f64::NEG_INFINITY];
//! let bytes = data.as_mut_ptr().cast::<u8>();
//! // SAFETY: three elements in, three out, in place; the operands that `exp` does not have are not read.
//! unsafe { exp(bytes, bytes, std::ptr::null(), std::ptr::null(), 3) };
//! assert_eq!(data, [1.0, std::f64::consts::E, 0.0]);
//! ```
#![expect(unsafe_code, reason = "compiled code calls block functions, which take addresses")]

use super::machine::{Level, level};
use crate::scalar::eval::{Visitor, visit};
use crate::scalar::math::lanes::{Function, Function2, apply, apply2, in_double};
use crate::scalar::prim::Prim;
use crate::types::DType;
use crate::types::dtype::Element;
use std::mem::MaybeUninit;

/// Applies a prim to `n` elements: `out[i] = prim(a[i], b[i], c[i])`.
///
/// # Safety
/// The operands that the prim has must be readable for `n` elements and `out` writable; none need be aligned. An
/// operand may start where `out` starts, if its elements are of the same size, and must not overlap it otherwise.
/// Pointers to operands that the prim does not have are not looked at. Elements of `bool` are the bytes 0 and 1. The
/// machine has the level that the function is for.
pub type BlockFn = unsafe extern "C" fn(out: *mut u8, a: *const u8, b: *const u8, c: *const u8, n: usize);

/// The block function of a prim for this machine; `None` when the table of prims refuses the dtypes.
pub fn block_fn(prim: Prim, args: &[DType], result: DType) -> Option<BlockFn> {
    block_fn_for(level(), prim, args, result)
}

/// The block function of a prim for a level, which must be one that [runs here](Level::runs_here).
pub fn block_fn_for(level: Level, prim: Prim, args: &[DType], result: DType) -> Option<BlockFn> {
    visit(prim, args, result, Choose(level))
}

/// An element that need not be aligned.
#[derive(Clone, Copy)]
#[repr(C, packed)]
pub(in crate::exec) struct Unaligned<T>(pub(in crate::exec) T);

/// Elements to be written.
type Out<R> = [MaybeUninit<Unaligned<R>>];

/// Elements per step, where a step is needed: an operand that is overwritten is set aside, a guard is tested.
const STEP: usize = 64;

/// An instance of a function without a state.
///
/// # Safety
/// There must be an instance of `F`.
#[inline(always)]
unsafe fn instance<F: Copy>() -> F {
    const { assert!(size_of::<F>() == 0, "meanings have no state") };
    // SAFETY: a type without bytes is initialised, and by contract inhabited; it is `Copy`, so one more may exist.
    unsafe { std::mem::transmute_copy(&()) }
}

/// The operand at `start..start + len`, set aside in `aside` if it is the memory that is about to be written.
///
/// # Safety
/// That range must be readable. It must not be written while the slice is in use, unless it starts at `out`.
#[inline(always)]
unsafe fn operand<T: Copy>(
    at: *const u8,
    out: *const u8,
    start: usize,
    len: usize,
    aside: &mut [MaybeUninit<Unaligned<T>>; STEP],
) -> &[Unaligned<T>] {
    // SAFETY: inside the operand by contract.
    let from = unsafe { at.cast::<Unaligned<T>>().add(start) };
    if at != out {
        // SAFETY: readable by contract, and `Packed` has no alignment to keep.
        return unsafe { std::slice::from_raw_parts(from, len) };
    }
    let len = len.min(STEP);
    // SAFETY: `len` elements are readable there, there is room for them, and they are initialised once copied.
    unsafe {
        std::ptr::copy_nonoverlapping(from, aside.as_mut_ptr().cast(), len);
        std::slice::from_raw_parts(aside.as_ptr().cast(), len)
    }
}

macro_rules! build {
    ($name:ident $(, $features:literal)?) => {
        mod $name {
            use super::*;

            $(#[target_feature(enable = $features)])?
            fn map1<A: Element, R: Element>(out: &mut Out<R>, a: &[Unaligned<A>], f: impl Fn(A) -> R) {
                for (out, a) in out.iter_mut().zip(a) {
                    out.write(Unaligned(f(a.0)));
                }
            }

            $(#[target_feature(enable = $features)])?
            fn map2<A: Element, B: Element, R: Element>(
                out: &mut Out<R>,
                a: &[Unaligned<A>],
                b: &[Unaligned<B>],
                f: impl Fn(A, B) -> R,
            ) {
                for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                    out.write(Unaligned(f(a.0, b.0)));
                }
            }

            $(#[target_feature(enable = $features)])?
            fn map3<A: Element, B: Element, C: Element, R: Element>(
                out: &mut Out<R>,
                a: &[Unaligned<A>],
                b: &[Unaligned<B>],
                c: &[Unaligned<C>],
                f: impl Fn(A, B, C) -> R,
            ) {
                for (((out, a), b), c) in out.iter_mut().zip(a).zip(b).zip(c) {
                    out.write(Unaligned(f(a.0, b.0, c.0)));
                }
            }

            $(#[target_feature(enable = $features)])?
            fn any1<A: Element>(a: &[Unaligned<A>], slow: impl Fn(A) -> bool) -> bool {
                a.iter().fold(false, |any, a| any | slow(a.0))
            }

            $(#[target_feature(enable = $features)])?
            fn any2<A: Element, B: Element>(a: &[Unaligned<A>], b: &[Unaligned<B>], slow: impl Fn(A, B) -> bool) -> bool {
                a.iter().zip(b).fold(false, |any, (a, b)| any | slow(a.0, b.0))
            }

            /// # Safety
            /// As [`BlockFn`], with an instance of `F`, on a machine that runs this build.
            $(#[target_feature(enable = $features)])?
            pub(super) unsafe extern "C" fn unary<A: Element, R: Element, F: Fn(A) -> R + Copy>(
                out: *mut u8, a: *const u8, _: *const u8, _: *const u8, n: usize,
            ) {
                let step = if a == out { STEP } else { n.max(1) };
                for start in (0..n).step_by(step) {
                    let len = step.min(n - start);
                    let mut aside = [MaybeUninit::uninit(); STEP];
                    // SAFETY: the caller keeps the contract of `BlockFn`: `len` elements from `start` are inside.
                    // The slices do not overlap: an operand that starts at `out` has been set aside.
                    let (out, a, f) = unsafe {
                        let a = operand::<A>(a, out, start, len, &mut aside);
                        (std::slice::from_raw_parts_mut(out.cast::<MaybeUninit<Unaligned<R>>>().add(start), len), a, instance::<F>())
                    };
                    map1(out, a, f);
                }
            }

            /// # Safety
            /// As [`BlockFn`], with an instance of `F`, on a machine that runs this build.
            $(#[target_feature(enable = $features)])?
            pub(super) unsafe extern "C" fn binary<A: Element, B: Element, R: Element, F: Fn(A, B) -> R + Copy>(
                out: *mut u8, a: *const u8, b: *const u8, _: *const u8, n: usize,
            ) {
                let step = if a == out || b == out { STEP } else { n.max(1) };
                for start in (0..n).step_by(step) {
                    let len = step.min(n - start);
                    let (mut a_aside, mut b_aside) = ([MaybeUninit::uninit(); STEP], [MaybeUninit::uninit(); STEP]);
                    // SAFETY: the caller keeps the contract of `BlockFn`: `len` elements from `start` are inside. The
                    // slices do not overlap: an operand that starts at `out` has been set aside.
                    let (out, a, b, f) = unsafe {
                        let a = operand::<A>(a, out, start, len, &mut a_aside);
                        let b = operand::<B>(b, out, start, len, &mut b_aside);
                        let out = std::slice::from_raw_parts_mut(out.cast::<MaybeUninit<Unaligned<R>>>().add(start), len);
                        (out, a, b, instance::<F>())
                    };
                    map2(out, a, b, f);
                }
            }

            /// # Safety
            /// As [`BlockFn`], with an instance of `F`, on a machine that runs this build.
            $(#[target_feature(enable = $features)])?
            pub(super) unsafe extern "C" fn ternary<
                A: Element, B: Element, C: Element, R: Element, F: Fn(A, B, C) -> R + Copy,
            >(
                out: *mut u8, a: *const u8, b: *const u8, c: *const u8, n: usize,
            ) {
                let step = if a == out || b == out || c == out { STEP } else { n.max(1) };
                for start in (0..n).step_by(step) {
                    let len = step.min(n - start);
                    let (mut a_aside, mut b_aside) = ([MaybeUninit::uninit(); STEP], [MaybeUninit::uninit(); STEP]);
                    let mut c_aside = [MaybeUninit::uninit(); STEP];
                    // SAFETY: the caller keeps the contract of `BlockFn`: `len` elements from `start` are inside. The
                    // slices do not overlap: an operand that starts at `out` has been set aside.
                    let (out, a, b, c, f) = unsafe {
                        let a = operand::<A>(a, out, start, len, &mut a_aside);
                        let b = operand::<B>(b, out, start, len, &mut b_aside);
                        let c = operand::<C>(c, out, start, len, &mut c_aside);
                        let out = std::slice::from_raw_parts_mut(out.cast::<MaybeUninit<Unaligned<R>>>().add(start), len);
                        (out, a, b, c, instance::<F>())
                    };
                    map3(out, a, b, c, f);
                }
            }

            /// # Safety
            /// As [`BlockFn`], with instances of the functions, on a machine that runs this build.
            $(#[target_feature(enable = $features)])?
            pub(super) unsafe extern "C" fn guarded_unary<
                A: Element, R: Element, F: Fn(A) -> R + Copy, G: Fn(A) -> R + Copy, H: Fn(A) -> bool + Copy,
            >(
                out: *mut u8, a: *const u8, _: *const u8, _: *const u8, n: usize,
            ) {
                for start in (0..n).step_by(STEP) {
                    let len = STEP.min(n - start);
                    let mut aside = [MaybeUninit::uninit(); STEP];
                    // SAFETY: the caller keeps the contract of `BlockFn`: `len` elements from `start` are inside. The
                    // slices do not overlap: an operand that starts at `out` has been set aside.
                    let (out, a, f, fast, slow) = unsafe {
                        let a = operand::<A>(a, out, start, len, &mut aside);
                        let out = std::slice::from_raw_parts_mut(out.cast::<MaybeUninit<Unaligned<R>>>().add(start), len);
                        (out, a, instance::<F>(), instance::<G>(), instance::<H>())
                    };
                    if any1(a, slow) {
                        map1(out, a, f);
                    } else {
                        map1(out, a, fast);
                    }
                }
            }

            /// # Safety
            /// As [`BlockFn`], with instances of the functions, on a machine that runs this build.
            $(#[target_feature(enable = $features)])?
            pub(super) unsafe extern "C" fn guarded_binary<
                A: Element, B: Element, R: Element,
                F: Fn(A, B) -> R + Copy, G: Fn(A, B) -> R + Copy, H: Fn(A, B) -> bool + Copy,
            >(
                out: *mut u8, a: *const u8, b: *const u8, _: *const u8, n: usize,
            ) {
                for start in (0..n).step_by(STEP) {
                    let len = STEP.min(n - start);
                    let (mut a_aside, mut b_aside) = ([MaybeUninit::uninit(); STEP], [MaybeUninit::uninit(); STEP]);
                    // SAFETY: the caller keeps the contract of `BlockFn`: `len` elements from `start` are inside. The
                    // slices do not overlap: an operand that starts at `out` has been set aside.
                    let (out, a, b, f, fast, slow) = unsafe {
                        let a = operand::<A>(a, out, start, len, &mut a_aside);
                        let b = operand::<B>(b, out, start, len, &mut b_aside);
                        let out = std::slice::from_raw_parts_mut(out.cast::<MaybeUninit<Unaligned<R>>>().add(start), len);
                        (out, a, b, instance::<F>(), instance::<G>(), instance::<H>())
                    };
                    if any2(a, b, slow) {
                        map2(out, a, b, f);
                    } else {
                        map2(out, a, b, fast);
                    }
                }
            }
        }
    };
}

build!(baseline);
#[cfg(target_arch = "x86_64")]
build!(avx2, "avx2,fma,bmi1,bmi2,lzcnt,popcnt");
#[cfg(target_arch = "x86_64")]
build!(avx512, "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma,bmi1,bmi2,lzcnt,popcnt");
#[cfg(not(target_arch = "x86_64"))]
use {baseline as avx2, baseline as avx512};

/// Chooses the function of a level.
struct Choose(Level);

/// Of the builds of a function that for a level.
fn pick(level: Level, [baseline, avx2, avx512]: [BlockFn; 3]) -> BlockFn {
    match level {
        Level::Avx2 => avx2,
        Level::Avx512 => avx512,
        Level::Base | Level::Sse => baseline,
    }
}

impl Visitor for Choose {
    type Out = BlockFn;

    fn unary<A: Element, R: Element>(self, f: impl Fn(A) -> R + Copy + 'static) -> BlockFn {
        fn of<A: Element, R: Element, F: Fn(A) -> R + Copy>(level: Level, _: F) -> BlockFn {
            pick(level, [baseline::unary::<A, R, F>, avx2::unary::<A, R, F>, avx512::unary::<A, R, F>])
        }
        of(self.0, f)
    }

    fn binary<A: Element, B: Element, R: Element>(self, f: impl Fn(A, B) -> R + Copy + 'static) -> BlockFn {
        fn of<A: Element, B: Element, R: Element, F: Fn(A, B) -> R + Copy>(level: Level, _: F) -> BlockFn {
            pick(level, [baseline::binary::<A, B, R, F>, avx2::binary::<A, B, R, F>, avx512::binary::<A, B, R, F>])
        }
        of(self.0, f)
    }

    fn ternary<A: Element, B: Element, C: Element, R: Element>(
        self,
        f: impl Fn(A, B, C) -> R + Copy + 'static,
    ) -> BlockFn {
        fn of<A: Element, B: Element, C: Element, R: Element, F: Fn(A, B, C) -> R + Copy>(
            level: Level,
            _: F,
        ) -> BlockFn {
            pick(
                level,
                [baseline::ternary::<A, B, C, R, F>, avx2::ternary::<A, B, C, R, F>, avx512::ternary::<A, B, C, R, F>],
            )
        }
        of(self.0, f)
    }

    fn single<F: Function<f32>>(self, _: F) -> BlockFn {
        match F::GUARDED {
            true => self.guarded_unary(apply::<F, f32, f32>, |x: f32| F::fast(x), |x: f32| F::is_slow(x) == Some(true)),
            false => self.unary(apply::<F, f32, f32>),
        }
    }

    fn double<F: Function<f64>>(self, _: F) -> BlockFn {
        match F::GUARDED {
            true => self.guarded_unary(apply::<F, f64, f64>, |x: f64| F::fast(x), |x: f64| F::is_slow(x) == Some(true)),
            false => self.unary(apply::<F, f64, f64>),
        }
    }

    fn single2<F: Function2<f32>>(self, _: F) -> BlockFn {
        let slow = |x: f32, y: f32| F::is_slow(x, y) == Some(true);
        self.guarded_binary(apply2::<F, f32>, |x: f32, y: f32| F::fast(x, y), slow)
    }

    fn widened<F: Function<f64>>(self, _: F) -> BlockFn {
        let fast = |x: f32| F::fast(f64::from(x)) as f32;
        match F::GUARDED {
            true => self.guarded_unary(in_double::<F>, fast, |x: f32| F::is_slow(f64::from(x)) == Some(true)),
            false => self.unary(in_double::<F>),
        }
    }
}

impl Choose {
    fn guarded_unary<A: Element, R: Element>(
        self,
        f: impl Fn(A) -> R + Copy + 'static,
        fast: impl Fn(A) -> R + Copy + 'static,
        slow: impl Fn(A) -> bool + Copy + 'static,
    ) -> BlockFn {
        fn of<A: Element, R: Element, F: Fn(A) -> R + Copy, G: Fn(A) -> R + Copy, H: Fn(A) -> bool + Copy>(
            level: Level,
            _: (F, G, H),
        ) -> BlockFn {
            pick(
                level,
                [
                    baseline::guarded_unary::<A, R, F, G, H>,
                    avx2::guarded_unary::<A, R, F, G, H>,
                    avx512::guarded_unary::<A, R, F, G, H>,
                ],
            )
        }
        of(self.0, (f, fast, slow))
    }

    fn guarded_binary<A: Element, B: Element, R: Element>(
        self,
        f: impl Fn(A, B) -> R + Copy + 'static,
        fast: impl Fn(A, B) -> R + Copy + 'static,
        slow: impl Fn(A, B) -> bool + Copy + 'static,
    ) -> BlockFn {
        fn of<
            A: Element,
            B: Element,
            R: Element,
            F: Fn(A, B) -> R + Copy,
            G: Fn(A, B) -> R + Copy,
            H: Fn(A, B) -> bool + Copy,
        >(
            level: Level,
            _: (F, G, H),
        ) -> BlockFn {
            pick(
                level,
                [
                    baseline::guarded_binary::<A, B, R, F, G, H>,
                    avx2::guarded_binary::<A, B, R, F, G, H>,
                    avx512::guarded_binary::<A, B, R, F, G, H>,
                ],
            )
        }
        of(self.0, (f, fast, slow))
    }
}

#[cfg(test)]
mod tests;
