//! Functions of so many outputs that a loop compares their places.

use super::{DescribedArray, Library, levels};
use crate::session::{Input, Session};
use std::ffi::c_void;

/// Outputs of two elements each, which lie behind the input.
const COUNT: usize = 11;

#[test]
fn no_two_of_many_outputs_share_memory() {
    let outputs: String = (0..COUNT).map(|at| format!("output y{at} = x + {at}.5\n")).collect();
    let script = format!("input x: f64[n]\n{outputs}");
    let mut session = Session::default();
    let program = session.check(&Input::new("<test>", &script)).checked.program.unwrap();
    for cpu in levels() {
        let library = Library::new(&[("f", &program)], cpu);
        let apart: Vec<usize> = (0..=COUNT).map(|at| 2 * at).collect();
        assert_eq!(code(&library, &apart, 2), 0);
        for moved in 1..=COUNT {
            let mut places = apart.clone();
            places[moved] -= 1;
            assert_eq!(code(&library, &places, 2), 2, "output {moved} begins in the last element of another array");
        }
        assert_eq!(code(&library, &[0; COUNT + 1], 0), 0, "arrays of nothing lie anywhere");
    }
}

/// What the function returns where the input and the outputs begin at some elements of one memory.
fn code(library: &Library, places: &[usize], len: i64) -> i32 {
    let (mut memory, mut scratch) = ([1f64; 2 * COUNT + 2], vec![0u8; 1 << 16]);
    let begin = memory.as_mut_ptr();
    let describe = |&at: &usize| DescribedArray {
        data: begin.wrapping_add(at).cast_const().cast(),
        shape: std::ptr::from_ref(&len),
        strides: std::ptr::null(),
    };
    let described: Vec<DescribedArray> = places.iter().map(describe).collect();
    let of = |it: &DescribedArray| std::ptr::from_ref(it).cast::<c_void>();
    let last = [scratch.as_mut_ptr() as *const c_void, std::ptr::null()];
    let arguments: Vec<*const c_void> = described.iter().map(of).chain(last).collect();
    library.call("f", &arguments) as i32
}
