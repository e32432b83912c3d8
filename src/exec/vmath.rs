//! Block functions: every prim over many elements.

use crate::scalar::eval::{self, Visitor};
use crate::scalar::prim::Prim;
use crate::types::DType;
use crate::types::dtype::Element;

/// Applies a prim to `n` elements: `out[i] = f(a[i], b[i], c[i])`; operands that the prim does not take are ignored.
pub type BlockFn = unsafe extern "C" fn(out: *mut u8, a: *const u8, b: *const u8, c: *const u8, n: usize);

/// The block function of a prim for operands of these dtypes.
pub fn block_fn(prim: Prim, args: &[DType], result: DType) -> Option<BlockFn> {
    eval::visit(prim, args, result, Blocks)
}

struct Blocks;

/// Conjures a function without a state.
fn conjure<F: Copy>() -> F {
    assert_eq!(size_of::<F>(), 0);
    // SAFETY: a value without bytes; one exists, since `visit` was given it.
    unsafe { std::mem::zeroed() }
}

unsafe extern "C" fn one<A: Element, R: Element, F: Fn(A) -> R + Copy>(
    out: *mut u8,
    a: *const u8,
    _: *const u8,
    _: *const u8,
    n: usize,
) {
    let f = conjure::<F>();
    for i in 0..n {
        // SAFETY: the caller's promise.
        unsafe { out.cast::<R>().add(i).write_unaligned(f(a.cast::<A>().add(i).read_unaligned())) };
    }
}

unsafe extern "C" fn two<A: Element, B: Element, R: Element, F: Fn(A, B) -> R + Copy>(
    out: *mut u8,
    a: *const u8,
    b: *const u8,
    _: *const u8,
    n: usize,
) {
    let f = conjure::<F>();
    for i in 0..n {
        // SAFETY: the caller's promise.
        unsafe {
            let (a, b) = (a.cast::<A>().add(i).read_unaligned(), b.cast::<B>().add(i).read_unaligned());
            out.cast::<R>().add(i).write_unaligned(f(a, b));
        }
    }
}

unsafe extern "C" fn three<A: Element, B: Element, C: Element, R: Element, F: Fn(A, B, C) -> R + Copy>(
    out: *mut u8,
    a: *const u8,
    b: *const u8,
    c: *const u8,
    n: usize,
) {
    let f = conjure::<F>();
    for i in 0..n {
        // SAFETY: the caller's promise.
        unsafe {
            let (a, b) = (a.cast::<A>().add(i).read_unaligned(), b.cast::<B>().add(i).read_unaligned());
            out.cast::<R>().add(i).write_unaligned(f(a, b, c.cast::<C>().add(i).read_unaligned()));
        }
    }
}

fn first<A: Element, R: Element, F: Fn(A) -> R + Copy>(_: F) -> BlockFn {
    one::<A, R, F>
}
fn second<A: Element, B: Element, R: Element, F: Fn(A, B) -> R + Copy>(_: F) -> BlockFn {
    two::<A, B, R, F>
}
fn third<A: Element, B: Element, C: Element, R: Element, F: Fn(A, B, C) -> R + Copy>(_: F) -> BlockFn {
    three::<A, B, C, R, F>
}

impl Visitor for Blocks {
    type Out = BlockFn;
    fn unary<A: Element, R: Element>(self, f: impl Fn(A) -> R + Copy + 'static) -> BlockFn {
        first(f)
    }
    fn binary<A: Element, B: Element, R: Element>(self, f: impl Fn(A, B) -> R + Copy + 'static) -> BlockFn {
        second(f)
    }
    fn ternary<A: Element, B: Element, C: Element, R: Element>(
        self,
        f: impl Fn(A, B, C) -> R + Copy + 'static,
    ) -> BlockFn {
        third(f)
    }
}
