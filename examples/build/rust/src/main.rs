//! Calls the functions of standard.arr from Rust. `build.rs` builds them:
//!
//! ```text
//! cargo run
//! ```

use std::ffi::{CStr, c_char, c_int, c_void};

#[repr(C)]
struct In<T> {
    data: *const T,
    shape: *const i64,
    strides: *const i64,
}

#[repr(C)]
struct Out<T> {
    data: *mut T,
    shape: *const i64,
}

unsafe extern "C" {
    fn standard(x: *const In<f32>, scores: *const Out<f32>, farthest: *const Out<i64>, scratch: *mut c_void, stop: *const c_int) -> c_int;
    fn standard_scratch(x: *const In<f32>) -> i64;
    fn standard_error(code: c_int) -> *const c_char;
}

fn main() {
    let table = [[1f32, 10.0], [2.0, 20.0], [3.0, 15.0], [4.0, 40.0], [5.0, 30.0]];
    let shape = [5i64, 2];
    let mut scores = [[0f32; 2]; 5];
    let mut farthest = 0i64;
    let x = In { data: table.as_ptr().cast(), shape: shape.as_ptr(), strides: std::ptr::null() };
    let to_scores = Out { data: scores.as_mut_ptr().cast(), shape: shape.as_ptr() };
    let to_farthest = Out { data: &mut farthest, shape: std::ptr::null() };
    // SAFETY: all of them describe memory of the lengths that they say, and none overlaps another.
    let code = unsafe {
        let mut scratch = vec![0u8; standard_scratch(&x) as usize];
        standard(&x, &to_scores, &to_farthest, scratch.as_mut_ptr().cast(), std::ptr::null())
    };
    if code != 0 {
        // SAFETY: it is a text that ends in a NUL, and lives as long as the program.
        let text = unsafe { CStr::from_ptr(standard_error(code)) };
        eprintln!("{}", text.to_string_lossy());
        std::process::exit(1);
    }
    for row in scores {
        println!("{:08x} {:08x}", row[0].to_bits(), row[1].to_bits());
    }
    println!("row {farthest} is farthest");
}
