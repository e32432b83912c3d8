//! Calls the functions of libraries that `arr build` made.
//!
//! A library says what it holds in a section of its own, [`SECTION`]: a text that is read before anything of the
//! library runs. One that does not have it is never opened.
//!
//! ```text
//! arr-object 1
//! made by arr 0.1.0
//! function norm
//! input x: f32[n, m]
//! input eps: f32 = 1e-6
//! output z: f32[n, m]
//! ```
#![expect(unsafe_code, reason = "a library is code of others, and its functions are known by their addresses")]

use crate::array::bytes::AlignedBytes;
use crate::array::{Array, Sizes};
use crate::types::DType;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The section with the text.
pub const SECTION: &str = ".arr_stamp";

/// How functions are called: a library with another number is called in another way.
pub const INTERFACE: u32 = 1;

/// The name of the symbol that a library has for the types of a function. `lines` are the lines of the stamp that are
/// about types. The name depends on them and on how functions are called, so a program that was compiled for other
/// types does not link, or does not start.
#[must_use]
pub fn name_of_types(function: &str, lines: &str) -> String {
    // FNV-1a.
    let mixed = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    let hash = format!("{INTERFACE}\n{lines}").bytes().fold(0x811c_9dc5, mixed);
    format!("{function}_t{hash:08x}")
}

/// What stands before the value that a script gives an input, in a line of the stamp.
pub const DEFAULT: &str = " = ";

/// What stands before the name of an input, in a line of the stamp, if a length of it is a number that the script does
/// not say in its type: of such a length one element is no repeated value.
pub const EXACT: &str = "exact ";

/// A line of the stamp as far as it is about types.
#[must_use]
pub fn of_types(line: &str) -> String {
    format!("{}\n", line.split(DEFAULT).next().unwrap_or(line))
}

/// Arguments that a call may have.
const MAX_ARGUMENTS: usize = 32;

/// Inputs and outputs that a function may have: all arguments but the scratch and the flag.
pub const MAX_ARRAYS: usize = MAX_ARGUMENTS - 2;

/// An output of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectOutput {
    /// Its name.
    pub name: String,
    /// Its dtype.
    pub dtype: DType,
    /// How many axes it has.
    pub rank: usize,
}

/// A function of a library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectFunction {
    /// Its name.
    pub name: String,
    /// Its inputs as a script declares them, a line each.
    pub inputs: String,
    /// The inputs of which one element is no repeated value.
    pub exact: Vec<String>,
    /// Its outputs.
    pub outputs: Vec<ObjectOutput>,
    /// The lines of the stamp that are about its types.
    pub lines: String,
}

/// Why there are no results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CallRefused {
    /// The file is not what it should be.
    File(String),
    /// What a function says, and its code.
    Call(c_int, String),
    /// There is no memory.
    Memory,
}

/// The functions that a library holds, by its bytes.
///
/// # Errors
/// A sentence, when it is no library of `arr` for this machine.
pub fn functions(bytes: &[u8]) -> Result<Vec<ObjectFunction>, String> {
    let machine: u16 = if cfg!(target_arch = "aarch64") { 183 } else { 62 };
    if bytes.starts_with(b"!<arch>\n") {
        return Err("is an archive, and no shared library: `arr build SCRIPT -o NAME.so` makes one".to_owned());
    }
    if bytes.get(..6) != Some(b"\x7fELF\x02\x01") {
        return Err("is no shared library".to_owned());
    }
    if number(bytes, 16, 2) == Some(1) {
        return Err("is an object, and no shared library: `cc -shared` makes one of it".to_owned());
    }
    if number(bytes, 16, 2) != Some(3) {
        return Err("is no shared library: link it with `-shared`".to_owned());
    }
    if number(bytes, 18, 2) != Some(machine.into()) {
        return Err("was built for another processor".to_owned());
    }
    let foreign = || "holds nothing that `arr build` made".to_owned();
    let text = section(bytes, SECTION).and_then(|text| std::str::from_utf8(text).ok()).ok_or_else(foreign)?;
    let mut found: Vec<ObjectFunction> = Vec::new();
    for line in text.trim_end_matches('\0').split(['\n', '\0']).filter(|line| !line.is_empty()) {
        let known = found.len();
        match line.split_once(' ').ok_or_else(foreign)? {
            ("arr-object", number) if number.parse() == Ok(INTERFACE) => {}
            ("arr-object", number) => {
                return Err(format!(
                    "was made by another version of arr: its functions are called in way {number}, and this arr knows way \
                     {INTERFACE}; build it again"
                ));
            }
            ("made", _) => {}
            ("function", name) => {
                let (inputs, lines) = (String::new(), format!("{line}\n"));
                let (name, exact) = (name.to_owned(), Vec::new());
                found.push(ObjectFunction { name, inputs, exact, outputs: Vec::new(), lines });
            }
            ("input", _) => {
                let function = found.last_mut().ok_or_else(foreign)?;
                let _ = writeln!(function.inputs, "{line}");
            }
            ("exact", name) => found.last_mut().ok_or_else(foreign)?.exact.push(name.to_owned()),
            ("output", rest) => {
                let output = output(rest).ok_or_else(foreign)?;
                found.last_mut().ok_or_else(foreign)?.outputs.push(output);
            }
            _ => return Err(foreign()),
        }
        let is_of_types = !line.starts_with("function ") && !line.starts_with(EXACT);
        if let Some(function) = found.last_mut().filter(|_| known > 0 && is_of_types) {
            function.lines += &of_types(line);
        }
    }
    if found.is_empty() { Err(foreign()) } else { Ok(found) }
}

/// `z: f32[n, m]`
fn output(text: &str) -> Option<ObjectOutput> {
    let (name, of) = text.split_once(": ")?;
    let (dtype, shape) = of.split_once('[').unwrap_or((of, ""));
    let shape = shape.strip_suffix(']').unwrap_or(shape);
    let mut depth = 0;
    let commas = shape.chars().filter(|&c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    });
    let rank = if shape.is_empty() { 0 } else { 1 + commas.count() };
    Some(ObjectOutput { name: name.to_owned(), dtype: dtype.parse().ok()?, rank })
}

/// The number of `size` bytes that lies at the place `at` of a file.
fn number(bytes: &[u8], at: usize, size: usize) -> Option<u64> {
    let mut word = [0; 8];
    word[..size].copy_from_slice(bytes.get(at..at.checked_add(size)?)?);
    Some(u64::from_le_bytes(word))
}

/// The bytes of a section of an ELF file.
fn section<'b>(bytes: &'b [u8], wanted: &str) -> Option<&'b [u8]> {
    let word = |at: usize, size: usize| usize::try_from(number(bytes, at, size)?).ok();
    let (first, size, count, names) = (word(40, 8)?, word(58, 2)?, word(60, 2)?, word(62, 2)?);
    let header = |index: usize| first.checked_add(index.checked_mul(size)?);
    let data = |header: usize| {
        let (start, len) = (word(header.checked_add(24)?, 8)?, word(header.checked_add(32)?, 8)?);
        bytes.get(start..start.checked_add(len)?)
    };
    let names = data(header(names)?)?;
    (0..count).find_map(|index| {
        let header = header(index)?;
        let name = names.get(word(header, 4)?..)?;
        let end = name.iter().position(|&byte| byte == 0)?;
        (name[..end] == *wanted.as_bytes()).then(|| data(header)).flatten()
    })
}

/// An array as a function takes it; outputs have no strides.
#[repr(C)]
struct ArrayDescriptor {
    data: *const u8,
    shape: *const i64,
    strides: *const i64,
}

type P = *const c_void;
#[rustfmt::skip]
type EntryFunction = unsafe extern "C" fn(
    P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P,
) -> i64;

/// A library that is open.
struct OpenLibrary(*mut c_void);

impl Drop for OpenLibrary {
    fn drop(&mut self) {
        // SAFETY: nothing of it is used any more.
        unsafe { libc::dlclose(self.0) };
    }
}

impl OpenLibrary {
    fn symbol(&self, name: &str) -> Result<*mut c_void, CallRefused> {
        let refused = || CallRefused::File(format!("has no function `{name}`"));
        let name = CString::new(name).map_err(|_| refused())?;
        // SAFETY: the library is open, and the name ends in a NUL.
        let symbol = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        if symbol.is_null() { Err(refused()) } else { Ok(symbol) }
    }

    /// Calls a function with addresses.
    fn call(&self, name: &str, arguments: &[P]) -> Result<i64, CallRefused> {
        let symbol = self.symbol(name)?;
        let mut all = [std::ptr::null(); MAX_ARGUMENTS];
        all[..arguments.len()].copy_from_slice(arguments);
        // SAFETY: the stamp says that it is such a function; arguments that it does not take do no harm in this calling
        // convention.
        unsafe {
            let function = std::mem::transmute::<*mut c_void, EntryFunction>(symbol);
            #[rustfmt::skip]
            let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, ka, kb, kc, kd, ke, kf] = all;
            #[rustfmt::skip]
            let result = function(
                a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, ka, kb, kc, kd, ke, kf,
            );
            Ok(result)
        }
    }

    /// What a code says.
    fn refused(&self, name: &str, code: c_int) -> CallRefused {
        let Ok(symbol) = self.symbol(&format!("{name}_error")) else { return CallRefused::Call(code, String::new()) };
        // SAFETY: the stamp says that it is such a function, and its texts last as long as the library.
        let text = unsafe {
            let function = std::mem::transmute::<*mut c_void, unsafe extern "C" fn(c_int) -> *const c_char>(symbol);
            CStr::from_ptr(function(code)).to_string_lossy().into_owned()
        };
        CallRefused::Call(code, text)
    }
}

/// Calls a function over arrays of the dtypes that it takes. The library's own code runs, as a program's does. `opened`
/// is called when the file is no longer needed.
///
/// # Errors
/// When the file cannot be opened, or the function gives a code.
pub fn call(
    path: &Path,
    function: &ObjectFunction,
    inputs: &[Array],
    opened: impl FnOnce(),
) -> Result<Vec<Array>, CallRefused> {
    let name = &function.name;
    if inputs.len() + function.outputs.len() > MAX_ARRAYS {
        return Err(CallRefused::File(format!("`{name}` has more than {MAX_ARRAYS} inputs and outputs")));
    }
    let file = CString::new(path.as_os_str().as_bytes()).map_err(|_| CallRefused::File("has no name".to_owned()))?;
    // SAFETY: the name ends in a NUL; the user has asked for the code in the file.
    let handle = unsafe { libc::dlopen(file.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if handle.is_null() {
        return Err(CallRefused::File("cannot be loaded".to_owned()));
    }
    let library = OpenLibrary(handle);
    opened();
    if library.symbol(&name_of_types(name, &function.lines)).is_err() {
        let told = format!("says other types of `{name}` than its code has: build it again");
        return Err(CallRefused::File(told));
    }
    let long = |array: &Array| array.shape().iter().map(|&size| size as i64).collect::<Vec<i64>>();
    let shapes: Vec<Vec<i64>> = inputs.iter().map(long).collect();
    let strides: Vec<Vec<i64>> =
        inputs.iter().map(|array| array.strides().iter().map(|&stride| stride as i64).collect()).collect();
    let ins: Vec<ArrayDescriptor> = (0..inputs.len())
        .map(|at| ArrayDescriptor {
            data: inputs[at].pointer(),
            shape: shapes[at].as_ptr(),
            strides: strides[at].as_ptr(),
        })
        .collect();
    let of = |described: &ArrayDescriptor| std::ptr::from_ref(described).cast::<c_void>();
    let ins: Vec<P> = ins.iter().map(of).collect();
    let mut told: Vec<Vec<i64>> = function.outputs.iter().map(|output| vec![0; output.rank + 1]).collect();
    let shapes_of: Vec<P> = told.iter_mut().map(|shape| shape.as_mut_ptr().cast_const().cast()).collect();
    let fine = |code: i64| match code as c_int {
        0 => Ok(()),
        code => Err(library.refused(name, code)),
    };
    fine(library.call(&format!("{name}_shape"), &[ins.clone(), shapes_of].concat())?)?;
    let bytes = library.call(&format!("{name}_scratch"), &ins)?;
    let scratch = usize::try_from(bytes).map_err(|_| library.refused(name, -bytes as c_int))?;
    let mut scratch = AlignedBytes::zeroed(scratch).map_err(|_| CallRefused::Memory)?;
    let mut made = Vec::new();
    for (output, shape) in function.outputs.iter().zip(&told) {
        let sizes: Vec<usize> = shape[..output.rank].iter().map(|&size| size as usize).collect();
        let bytes = sizes.iter().try_fold(output.dtype.size(), |bytes, &size| bytes.checked_mul(size));
        let bytes = AlignedBytes::zeroed(bytes.ok_or(CallRefused::Memory)?).map_err(|_| CallRefused::Memory)?;
        made.push((output.dtype, sizes, bytes));
    }
    let given: Vec<ArrayDescriptor> = made
        .iter_mut()
        .zip(&told)
        .map(|((.., bytes), shape)| ArrayDescriptor {
            data: bytes.as_mut_ptr().cast_const(),
            shape: shape.as_ptr(),
            strides: std::ptr::null(),
        })
        .collect();
    let outs: Vec<P> = given.iter().map(of).collect();
    // A signal ends a command, so nobody else needs to stop it.
    let last: [P; 2] = [scratch.as_mut_ptr().cast_const().cast(), std::ptr::null()];
    fine(library.call(name, &[ins, outs, last.to_vec()].concat())?)?;
    let array = |(dtype, sizes, bytes): (DType, Vec<usize>, AlignedBytes)| {
        Array::from_bytes(dtype, Sizes::from_slice(&sizes), bytes)
    };
    Ok(made.into_iter().map(array).collect())
}
