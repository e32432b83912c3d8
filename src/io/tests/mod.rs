//! One test or more for each bad input and fault, named by its id in the list of faults.

mod containers;

use super::file::{Source, Watch, identity};
use super::*;
use crate::diagnostic::codes;
use crate::types::dtype::Element;
use std::fs;
use std::io::{Error, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// A `.npy` file of version 1 with this header and data.
fn npy(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16 + 1).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.push(b'\n');
    bytes.extend(data);
    bytes
}

fn header_of(descr: &str, shape: &str) -> String {
    format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}")
}

/// Reads these bytes as a file of their own.
fn read_bytes(bytes: &[u8], options: &ReadOptions) -> Result<(Array, Vec<Warning>), IoError> {
    let folder = folder();
    let path = folder.path().join("a.npy");
    fs::write(&path, bytes).unwrap();
    super::read(&path, options)
}

fn read_npy(descr: &str, shape: &str, data: &[u8]) -> Result<(Array, Vec<Warning>), IoError> {
    read_bytes(&npy(&header_of(descr, shape), data), &ReadOptions::default())
}

/// The code and the message without the path.
fn fault(result: Result<(Array, Vec<Warning>), IoError>) -> (&'static str, String) {
    let error = result.unwrap_err();
    assert_eq!(error.exit_code(), if matches!(error.kind, Kind::Io(_)) { 3 } else { 1 });
    let message = error.message.rsplit("a.npy` ").next().unwrap().to_string();
    (error.code.name, message)
}

fn bad(bytes: &[u8]) -> String {
    let (code, message) = fault(read_bytes(bytes, &ReadOptions::default()));
    assert_eq!(code, "bad-array-file", "{message}");
    message
}

fn bad_header(header: &str) -> String {
    bad(&npy(header, &[0; 64]))
}

fn save(path: &Path, array: &Array) {
    write(&prepare(path).unwrap(), array).unwrap();
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn ramp<T: Element>(count: usize) -> Array {
    let mut bytes = crate::array::bytes::AlignedBytes::zeroed(count * size_of::<T>()).unwrap();
    bytes.as_mut_slice().iter_mut().enumerate().for_each(|(at, byte)| *byte = (at % 2) as u8);
    Array::from_bytes(T::DTYPE, vec![count], bytes)
}

#[test]
fn c01_empty_short_and_foreign_files_are_data_errors() {
    assert_eq!(bad(b""), "is empty");
    assert_eq!(bad(b"\x93"), "is no .npy file: it does not begin with \\x93NUMPY");
    assert_eq!(bad(b"hello, world"), "is no .npy file: it does not begin with \\x93NUMPY");
    assert_eq!(bad(b"PK\x03\x04"), "is no .npy file but a zip archive; is it an .npz?");
    for length in 6..10 {
        assert_eq!(bad(&b"\x93NUMPY\x01\x00\x10\x00"[..length]), "ends within its header");
    }
    assert_eq!(bad(b"\x93NUMPY\x09\x09\x00\x00\x00\x00"), "is a .npy file of version 9.9; 1.0, 2.0 and 3.0 are known");
    let missing = super::read("no-such.npy".as_ref(), &ReadOptions::default()).unwrap_err();
    assert_eq!((missing.exit_code(), missing.code.name), (3, "file-unreadable"));
}

#[test]
fn c01_versions_2_and_3_are_read() {
    let header = header_of("'<u2'", "(2,)") + "\n";
    for version in [2, 3] {
        let mut bytes = vec![0x93, b'N', b'U', b'M', b'P', b'Y', version, 0];
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend([1, 0, 2, 1]);
        assert_eq!(read_bytes(&bytes, &ReadOptions::default()).unwrap().0.to_vec::<u16>(), [1, 258]);
    }
}

#[test]
fn c02_header_length_lies() {
    assert_eq!(
        bad(b"\x93NUMPY\x01\x00\xff\xff{}\n"),
        "says that its header has 65535 bytes, but the whole file has 13"
    );
    assert_eq!(bad(b"\x93NUMPY\x01\x00\x00\x00{}\n"), "has a header that does not end in a newline");
    assert_eq!(bad(b"\x93NUMPY\x01\x00\x02\x00{}"), "has a header that does not end in a newline");
    let four_gib = b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}\n";
    assert_eq!(bad(four_gib), "says that its header has 4294967295 bytes, but the whole file has 15");
    // A sparse file that has the length it declares: still not read.
    let folder = folder();
    let path = folder.path().join("a.npy");
    fs::write(&path, four_gib).unwrap();
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(5 << 30).unwrap();
    let (code, message) = fault(super::read(&path, &ReadOptions::default()));
    assert_eq!((code, &*message), ("too-large", "has a header of 4294967295 bytes; at most 65536 are read"));
}

#[test]
fn c03_headers_that_are_no_plain_dictionary() {
    let cases = [
        ("", "has a header that cannot be read: a dictionary is missing at byte 0"),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': ((2,),), }",
            "has a header that cannot be read: a whole number in the shape is missing at byte 51",
        ),
        ("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}", "has the unknown key `x` in its header"),
        ("{'descr': '<f4', 'shape': (2,), }", "lacks the key `fortran_order` in its header"),
        ("{'descr': '<f4', 'descr': '<f4', }", "has the key `descr` twice in its header"),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} or exit()",
            "has more in its header than the dictionary",
        ),
        (
            "{'descr': '\\u003cf4', }",
            "has a header that cannot be read: the end of the dtype in quotes, without escapes, is missing at byte 10",
        ),
        ("{'descr': '<f4', # no\n", "has a header that cannot be read: a key is missing at byte 17"),
        (
            "{'descr': '<f4' 'fortran_order': False}",
            "has a header that cannot be read: `,` or `}` is missing at byte 16",
        ),
        (
            "{'descr': '<f4",
            "has a header that cannot be read: the end of the dtype in quotes, without escapes, is missing at byte 10",
        ),
    ];
    for (header, message) in cases {
        assert_eq!(bad_header(header), message);
    }
    let deep = "{'descr': ".to_string() + &"(".repeat(50_000);
    assert_eq!(fault(read_bytes(&npy(&deep, &[]), &ReadOptions::default())).0, "unsupported-file-dtype");
    let digits = header_of("'<f4'", &format!("({},)", "9".repeat(10_000)));
    let (code, message) = fault(read_bytes(&npy(&digits, &[]), &ReadOptions::default()));
    assert_eq!((code, &*message), ("too-large", "has a length of 2^64 or more in its shape"));
    // What a terminal could obey stays out of the message.
    assert_eq!(bad_header("{'\x1b[2J': 1}"), r"has the unknown key `\u{1b}[2J` in its header");
}

#[test]
fn c03_what_python_writes_otherwise_is_read() {
    for header in [
        "{\"shape\":(2L,),\"fortran_order\":False,\"descr\":\"|u1\"}",
        "  { 'shape' : ( 2 , ) , 'fortran_order' : True , 'descr' : 'u1' }  \n \t",
    ] {
        assert_eq!(read_bytes(&npy(header, &[7, 8]), &ReadOptions::default()).unwrap().0.to_vec::<u8>(), [7, 8]);
    }
}

#[test]
fn c04_fortran_order() {
    let header = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }";
    let (array, _) = read_bytes(&npy(header, &[1, 2, 3, 4, 5, 6]), &ReadOptions::default()).unwrap();
    assert_eq!((array.strides(), array.to_vec::<u8>()), (&[1, 2][..], vec![1, 3, 5, 2, 4, 6]));
    for other in ["'Maybe'", "1", "true", "None"] {
        let message = bad_header(&header.replace("True", other));
        assert_eq!(
            message,
            "has a header that cannot be read: `True` or `False` as `fortran_order` is missing at byte 33"
        );
    }
}

#[test]
fn c05_all_dtypes_are_read_in_both_byte_orders() {
    for dtype in DType::ALL {
        let size = dtype.size();
        let data: Vec<u8> = (0..2 * size).map(|at| if dtype == DType::Bool { 1 } else { at as u8 + 1 }).collect();
        let options = ReadOptions { dtype: Some(dtype), ..ReadOptions::default() };
        let descr = npy_header::descr(dtype);
        let little = read_bytes(&npy(&header_of(&format!("'{descr}'"), "(2,)"), &data), &options).unwrap().0;
        assert_eq!((little.dtype(), little.contiguous_bytes().unwrap()), (dtype, &data[..]));
        if size > 1 && dtype != DType::Bf16 {
            let mut swapped = data.clone();
            swapped.chunks_exact_mut(dtype.part().size()).for_each(<[u8]>::reverse);
            let descr = format!("'{}'", descr.replace('<', ">"));
            assert_eq!(read_npy(&descr, "(2,)", &swapped).unwrap().0, little);
            let native = descr.replace('>', "=");
            assert_eq!(read_npy(&native, "(2,)", &data).unwrap().0, little);
        }
    }
}

#[test]
fn c05_other_dtypes_are_named() {
    let cases = [
        ("'<f16'", "long doubles (`<f16`)"),
        ("'<c32'", "long doubles (`<c32`)"),
        ("'<M8[ns]'", "dates or times (`<M8[ns]`)"),
        ("'|S5'", "strings (`|S5`)"),
        ("'<U3'", "strings (`<U3`)"),
        ("'|V8'", "raw bytes (`|V8`)"),
        ("'<V2'", "raw bytes (`<V2`)"),
        ("'|f4'", "elements without a byte order (`|f4`)"),
        ("'<f3'", "elements of an unknown dtype (`<f3`)"),
        ("'\x1b]0;'", r"elements of an unknown dtype (`\u{1b}]0;`)"),
        ("[('a', '<f4')]", "records"),
        ("('|u1',)", "arrays within elements"),
        ("('<f4', (2,))", "arrays within elements"),
    ];
    for (descr, what) in cases {
        let expected = ("unsupported-file-dtype", format!("holds {what}: dtype not supported"));
        assert_eq!(fault(read_npy(descr, "(1,)", &[0; 64])), expected);
    }
    assert_eq!(read_npy("'<c8'", "()", &[0, 0, 128, 63, 0, 0, 0, 64]).unwrap().0.dtype(), DType::C64);
}

#[test]
fn c05_two_raw_bytes_are_bf16_only_when_said() {
    let bytes = npy(&header_of("'|V2'", "(1,)"), &[0x80, 0x3f]);
    let said = ReadOptions { dtype: Some(DType::Bf16), ..ReadOptions::default() };
    assert_eq!(read_bytes(&bytes, &said).unwrap().0.to_vec::<half::bf16>(), [half::bf16::ONE]);
    let error = read_bytes(&bytes, &ReadOptions::default()).unwrap_err();
    assert_eq!(error.help.as_deref(), Some("if these are bfloat16 numbers, say so: `NAME:bf16=FILE`"));
}

#[test]
fn c06_objects_are_never_read() {
    let (code, message) = fault(read_npy("'|O'", "(1,)", b"cos\nsystem\n(S'echo'\ntR."));
    assert_eq!((code, &*message), ("unsupported-file-dtype", "holds Python objects (`|O`): dtype not supported"));
}

#[test]
fn c07_impossible_shapes() {
    let bad_shapes = [
        ("(-1,)", "has a negative length in its shape"),
        ("(2.0,)", "has a header that cannot be read: a whole number in the shape is missing at byte 51"),
        ("(2)", "has a header that cannot be read: `,` in a shape of one axis is missing at byte 53"),
        ("2", "has a header that cannot be read: the shape, a tuple, is missing at byte 50"),
    ];
    for (shape, message) in bad_shapes {
        assert_eq!(fault(read_npy("'<f4'", shape, &[])), ("bad-array-file", message.to_string()));
    }
    let ones = |rank: usize| format!("({})", "1, ".repeat(rank));
    for shape in
        ["(18446744073709551616,)", "(9223372036854775808,)", "(4294967296, 4294967296)", "(0, 4611686018427387904)"]
    {
        assert_eq!(fault(read_npy("'<f4'", shape, &[])).0, "too-large", "{shape}");
    }
    assert_eq!(fault(read_npy("'|u1'", &format!("({},)", (1u64 << 48) + 1), &[])).0, "too-large");
    assert_eq!(fault(read_npy("'|u1'", &format!("({},)", 1u64 << 48), &[])).0, "truncated-file");
    for rank in [31, 32] {
        assert_eq!(read_npy("'|u1'", &ones(rank), &[9]).unwrap().0.shape().len(), rank);
    }
    assert_eq!(fault(read_npy("'|u1'", &ones(33), &[9])).1, "holds an array of 33 axes; at most 32 are possible");
}

#[test]
fn c08_data_shorter_or_longer_than_the_header_says() {
    let (code, message) = fault(read_npy("'<f8'", "(3,)", &[0; 17]));
    assert_eq!(
        (code, &*message),
        ("truncated-file", "is cut short: its header needs 24 bytes of data, but it holds 17 bytes")
    );
    let (array, warnings) = read_npy("'<f8'", "(2,)", &[0; 17]).unwrap();
    assert_eq!((array.len(), warnings.len(), warnings[0].code.name), (2, 1, "trailing-data"));
    assert!(warnings[0].message.ends_with("has 1 byte behind the array its header describes; they are ignored"));
}

#[test]
fn c09_a_small_file_that_declares_32_gib() {
    let (code, message) = fault(read_npy("'<f8'", "(4294967296,)", &[]));
    assert_eq!(
        (code, &*message),
        ("truncated-file", "is cut short: its header needs 32.0 GiB of data, but it holds 0 bytes")
    );
}

/// The flag of lost pages is one for the whole process, so one test does all that touches it.
#[test]
fn c10_c12_files_that_shrink_change_or_go_while_mapped() {
    let folder = folder();
    let path = folder.path().join("a.npy");
    let count = 1_000_000;
    save(&path, &ramp::<u8>(count));
    let loaded = load(&path, &ReadOptions::default()).unwrap();
    let copied = load(&path, &ReadOptions { copy: true, ..ReadOptions::default() }).unwrap();
    assert!(matches!(**loaded.array.buffer(), crate::array::Buffer::Mapped(_)));
    assert!(matches!(**copied.array.buffer(), crate::array::Buffer::Owned(_)));
    fault::clear_fault_flag();
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(8192).unwrap();
    let sum: u64 = loaded.array.contiguous_bytes().unwrap().iter().map(|&byte| u64::from(byte)).sum();
    assert!(sum < 5000 && fault::fault_flag() && loaded.watch.changed());
    fault::clear_fault_flag();
    // Other threads meet the same pages; they are zeros now.
    let array = &loaded.array;
    std::thread::scope(|scope| {
        scope.spawn(|| assert_eq!(array.get(count - 1).bits, 0));
    });
    assert_eq!(copied.array.get(count - 1).bits, 1);
    assert!(!fault::fault_flag());
    // Writing from lost pages is an error, not a file of garbage.
    save(&path, &ramp::<u8>(count));
    let loaded = load(&path, &ReadOptions::default()).unwrap();
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(0).unwrap();
    let output = folder.path().join("b.npy");
    let error = write(&prepare(&output).unwrap(), &loaded.array).unwrap_err();
    assert_eq!((error.code.name, names(folder.path())), ("truncated-file", vec!["a.npy".to_string()]));
}

#[test]
fn c11_a_modified_file_is_noticed() {
    let folder = folder();
    let path = folder.path().join("a.npy");
    save(&path, &ramp::<u8>(10));
    let watch: Watch = load(&path, &ReadOptions::default()).unwrap().watch;
    assert!(!watch.changed());
    let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_modified(std::time::SystemTime::now() + std::time::Duration::from_secs(5)).unwrap();
    assert!(watch.changed());
    assert_eq!(watch.warning().diagnostic().code.name, "file-changed");
}

#[test]
fn c12_a_replaced_or_deleted_file_keeps_its_old_contents() {
    let folder = folder();
    let path = folder.path().join("a.npy");
    let array = ramp::<u8>(200_000);
    save(&path, &array);
    let loaded = load(&path, &ReadOptions::default()).unwrap();
    save(&path, &Array::from_elements(&[1], &[9u8]));
    assert!(!loaded.watch.changed());
    fs::remove_file(&path).unwrap();
    assert!(!loaded.watch.changed());
    assert!(loaded.array == array);
}

#[test]
fn c13_the_output_may_be_the_input() {
    let folder = folder();
    let (path, link, hard) = (folder.path().join("a.npy"), folder.path().join("l.npy"), folder.path().join("h.npy"));
    let array = ramp::<i16>(100_000);
    save(&path, &array);
    symlink("a.npy", &link).unwrap();
    fs::hard_link(&path, &hard).unwrap();
    let loaded = load(&path, &ReadOptions::default()).unwrap();
    for same in [&path, &link, &hard] {
        assert_eq!(prepare(same).unwrap().identity(), Some(loaded.watch.identity()));
    }
    assert_eq!(prepare(&link).unwrap().real_path(), path.canonicalize().unwrap());
    save(&link, &loaded.array.view(vec![100_000], vec![-2], 199_998));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "the link stays, its target is replaced");
    assert!(loaded.array == array, "the input's mapping is the old file");
    let (reversed, _) = super::read(&path, &ReadOptions::default()).unwrap();
    assert_eq!(reversed.get(0), array.get(99_999));
    assert_eq!(identity(&hard), Some(loaded.watch.identity()), "another name keeps the old contents");
}

#[test]
fn c14_targets_that_cannot_be_written_are_refused_before_the_computation() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("d.npy")).unwrap();
    fs::write(at("file"), "").unwrap();
    symlink("loop.npy", at("loop.npy")).unwrap();
    symlink("gone/new.npy", at("dangling.npy")).unwrap();
    let long = "n".repeat(300) + ".npy";
    let cases = [
        ("missing/a.npy", "no such file or directory"),
        ("d.npy", "is a directory"),
        ("new.npy/", "is a directory"),
        ("file/a.npy", "not a directory"),
        ("loop.npy", "too many levels of symbolic links"),
        ("dangling.npy", "no such file or directory"),
        (&long, "file name too long"),
    ];
    for (name, reason) in cases {
        let error = prepare(&at(name)).unwrap_err();
        assert_eq!((error.exit_code(), error.code.name), (3, "file-unwritable"));
        assert!(error.message.ends_with(reason), "{name}: {}", error.message);
    }
    let refused = prepare("/proc/a.npy".as_ref()).unwrap_err();
    assert_eq!(refused.exit_code(), 3);
    assert_eq!(prepare(&at("a.txt")).unwrap_err().code.name, "unknown-format");
    assert_eq!(names(folder.path()).len(), 4, "nothing is left behind");
}

#[test]
fn c14_read_only_files_and_folders_are_refused() {
    let folder = folder();
    let path = folder.path().join("a.npy");
    save(&path, &ramp::<u8>(1));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let allowed = fs::OpenOptions::new().write(true).open(&path).is_ok();
    assert_eq!(prepare(&path).is_ok(), allowed, "as the system says; the super-user may write anywhere");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let probe = fs::write(folder.path().join("probe"), "").is_ok();
    assert_eq!(prepare(&folder.path().join("new.npy")).is_ok(), probe);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
}

/// A disk that is full after some number of writes.
struct Full<'a> {
    out: &'a mut dyn Write,
    left: usize,
    asked: &'a mut usize,
}

impl Write for Full<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        *self.asked += 1;
        self.left = self.left.checked_sub(1).ok_or_else(|| Error::from_raw_os_error(libc::ENOSPC))?;
        // Short writes on the way: a third at a time.
        self.out.write(&bytes[..bytes.len().div_ceil(3)])
    }
    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

#[test]
fn c15_c16_a_full_disk_at_any_write_leaves_the_old_file() {
    let folder = folder();
    let path = folder.path().join("a.npy");
    let old = Array::from_elements(&[2], &[1.5f32, 2.5]);
    save(&path, &old);
    let new = ramp::<f64>(30_000).view(vec![100, 300], vec![8, 800], 0);
    let mut left = 0;
    loop {
        let mut asked = 0;
        let done = prepare(&path).unwrap().commit(|out| npy::write(&new, &mut Full { out, left, asked: &mut asked }));
        assert_eq!(names(folder.path()), ["a.npy"], "no temporary file stays");
        let (now, _) = super::read(&path, &ReadOptions::default()).unwrap();
        match done {
            Ok(()) => {
                assert!(now == new);
                break;
            }
            Err(error) => {
                assert_eq!((error.exit_code(), error.code.name), (3, "file-unwritable"));
                assert!(error.message.ends_with("no space left on device"), "{}", error.message);
                assert!(now == old);
            }
        }
        left += 1;
    }
    assert!(left > 20, "{left} points of failure");
}

#[test]
fn c15_a_failing_rename_removes_the_temporary_file() {
    let folder = folder();
    let path = folder.path().join("a.npy");
    let target = prepare(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert_eq!(write(&target, &ramp::<u8>(3)).unwrap_err().exit_code(), 3);
    assert_eq!(names(folder.path()), ["a.npy"]);
}

#[test]
fn c16_new_files_follow_the_umask_and_old_ones_keep_their_mode() {
    let folder = folder();
    let (path, plain) = (folder.path().join("a.npy"), folder.path().join("plain"));
    fs::write(&plain, "").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
    save(&path, &ramp::<u8>(3));
    assert_eq!(mode(&path), mode(&plain));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    save(&path, &ramp::<u8>(4));
    assert_eq!(mode(&path), 0o640);
}

#[test]
fn c17_short_and_interrupted_writes_lose_nothing() {
    struct Halting<'a>(&'a mut dyn Write, u32);
    impl Write for Halting<'_> {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.1 += 1;
            if self.1 % 3 == 0 {
                Err(std::io::ErrorKind::Interrupted.into())
            } else {
                self.0.write(&bytes[..bytes.len().min(1000)])
            }
        }
        fn flush(&mut self) -> std::io::Result<()> {
            self.0.flush()
        }
    }
    let folder = folder();
    let path = folder.path().join("a.npy");
    let array = ramp::<u32>(20_000);
    prepare(&path).unwrap().commit(|out| npy::write(&array, &mut Halting(out, 0))).unwrap();
    assert!(super::read(&path, &ReadOptions::default()).unwrap().0 == array);
}

#[test]
fn c18_devices_and_pipes_are_written_to_directly() {
    let array = ramp::<u8>(100_000);
    write(&prepare("/dev/null".as_ref()).unwrap(), &array).unwrap();
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    let full = write(&prepare("/dev/full".as_ref()).unwrap(), &array).unwrap_err();
    assert_eq!((full.exit_code(), &*full.message), (3, "cannot write `/dev/full`: no space left on device"));
    let folder = folder();
    let pipe = folder.path().join("p.npy");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let target = prepare(&pipe).unwrap();
    assert!(write(&target, &array).unwrap_err().message.ends_with("nobody reads from this pipe"));
    let received = std::thread::scope(|scope| {
        let reader = scope.spawn(|| fs::read(&pipe).unwrap());
        write(&target, &array).unwrap();
        reader.join().unwrap()
    });
    assert_eq!(received.len(), 128 + 100_000);
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo(), "still a pipe");
    let socket = folder.path().join("s.npy");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    assert_eq!(write(&prepare(&socket).unwrap(), &array).unwrap_err().exit_code(), 3);
}

#[test]
fn c20_load_stays_below_its_folders() {
    let outside = folder();
    let inside = folder();
    save(&outside.path().join("secret.npy"), &ramp::<u8>(3));
    save(&inside.path().join("a.npy"), &ramp::<u8>(3));
    fs::create_dir(inside.path().join("sub")).unwrap();
    symlink(outside.path().join("secret.npy"), inside.path().join("link.npy")).unwrap();
    symlink(outside.path(), inside.path().join("far")).unwrap();
    symlink("../a.npy", inside.path().join("sub/near.npy")).unwrap();
    let options = |roots: &[&Path]| ReadOptions {
        roots: Some(roots.iter().map(|root| root.to_path_buf()).collect()),
        ..ReadOptions::default()
    };
    let only = options(&[inside.path()]);
    let code = |path: &str| super::read(path.as_ref(), &only).err().map(|error| error.code.name);
    for good in ["a.npy", "./sub/../a.npy", "sub/near.npy"] {
        assert_eq!(code(good), None, "{good}");
    }
    let secret = outside.path().join("secret.npy");
    for bad in [secret.to_str().unwrap(), "link.npy", "far/secret.npy", "../../etc/no.npy", "/no/such.npy"] {
        assert_eq!(code(bad), Some("file-not-allowed"), "{bad}");
    }
    for missing in ["~/a.npy", "$HOME/a.npy", "b.npy", "nul\0.npy"] {
        assert_eq!(code(missing), Some("file-unreadable"), "{missing}");
    }
    assert!(super::read(&secret, &options(&[inside.path(), outside.path()])).is_ok());
    assert!(super::read(&inside.path().join("a.npy"), &only).is_ok(), "absolute, but below the folder");
}

#[test]
fn c21_odd_names_work_and_are_escaped() {
    let folder = folder();
    let name = OsStr::from_bytes(b"a\x1b[2J\n\xff\xe2\x80\xae.npy");
    let path = folder.path().join(name);
    save(&path, &ramp::<u8>(3));
    assert_eq!(super::read(&path, &ReadOptions::default()).unwrap().0.len(), 3);
    let error = super::read(&folder.path().join("gone").join(name), &ReadOptions::default()).unwrap_err();
    assert!(error.message.contains(r"a\u{1b}[2J\n\xff\u{202e}.npy"), "{}", error.message);
    let long = PathBuf::from("x/".repeat(2000) + "a.npy");
    let error = super::read(&long, &ReadOptions::default()).unwrap_err();
    assert!(error.message.chars().count() < 300, "{}", error.message);
}

#[test]
fn c22_only_regular_files_are_read() {
    let folder = folder();
    let pipe = folder.path().join("p.npy");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    fs::create_dir(folder.path().join("d.npy")).unwrap();
    let message = |path: &Path| {
        let error = Source::open(path, None).unwrap_err();
        assert_eq!(error.exit_code(), 1);
        error.message
    };
    assert!(message(&pipe).ends_with("is a pipe, not a regular file"));
    assert!(message(&folder.path().join("d.npy")).ends_with("is a folder"));
    assert!(message("/dev/zero".as_ref()).ends_with("is a device, not a regular file"));
    let proc = Source::open("/proc/self/status".as_ref(), None).unwrap();
    assert!(proc.is_empty(), "a file of length 0 has no room for any header");
    let roots = [folder.path().to_path_buf()];
    assert!(
        Source::open("p.npy".as_ref(), Some(&roots)).unwrap_err().message.ends_with("is a pipe, not a regular file")
    );
}

#[test]
fn c24_many_files_need_few_descriptors() {
    let folder = folder();
    let path = folder.path().join("a.npy");
    save(&path, &ramp::<u8>(70_000));
    let open = || fs::read_dir("/proc/self/fd").unwrap().count();
    let before = open();
    let arrays: Vec<Array> = (0..5000).map(|_| super::read(&path, &ReadOptions::default()).unwrap().0).collect();
    assert!(open() < before + 100, "other tests open a few");
    assert!(arrays.iter().all(|array| array.get(69_999).bits == 1), "mapped while there are places, then read");
}

#[test]
fn c25_huge_sparse_files_map_lazily() {
    let folder = folder();
    let path = folder.path().join("a.npy");
    let count = 1u64 << 40;
    let bytes = npy(&header_of("'|u1'", &format!("({count},)")), &[]);
    fs::write(&path, &bytes).unwrap();
    let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(bytes.len() as u64 + count).unwrap();
    let (array, _) = super::read(&path, &ReadOptions::default()).unwrap();
    assert_eq!(array.get(count as usize - 1).bits, 0);
    let copy = ReadOptions { copy: true, max_bytes: Some(1 << 30), ..ReadOptions::default() };
    let error = super::read(&path, &copy).unwrap_err();
    assert!(error.message.ends_with("needs 1.0 TiB of memory; the limit is 1.0 GiB"), "{}", error.message);
}

#[test]
fn c26_the_last_of_two_writers_wins_and_both_finish() {
    let folder = folder();
    let path = folder.path().join("a.npy");
    std::thread::scope(|scope| {
        for value in 0..8u8 {
            let path = &path;
            scope.spawn(move || (0..5).for_each(|_| save(path, &Array::from_elements(&[10_000], &[value; 10_000]))));
        }
    });
    let values = super::read(&path, &ReadOptions::default()).unwrap().0.to_vec::<u8>();
    assert!(values.iter().all(|value| *value == values[0]));
    assert_eq!(names(folder.path()), ["a.npy"]);
}

#[test]
fn truth_values_other_than_0_and_1_become_1() {
    let (array, _) = read_npy("'|b1'", "(4,)", &[0, 1, 2, 255]).unwrap();
    assert_eq!(array.contiguous_bytes(), Some(&[0, 1, 1, 1][..]));
    let mut large = vec![1; 100_000];
    large[99_999] = 7;
    let (array, _) = read_npy("'|b1'", "(100000,)", &large).unwrap();
    assert_eq!(array.contiguous_bytes().unwrap()[99_999], 1);
}

#[test]
fn data_at_an_odd_offset_is_mapped() {
    let header = header_of("'<f8'", "(100000,)");
    for pad in 0..8 {
        let data: Vec<u8> = (0..100_000).flat_map(|value| f64::from(value).to_le_bytes()).collect();
        let bytes = npy(&(header.clone() + &" ".repeat(pad)), &data);
        let (array, _) = read_bytes(&bytes, &ReadOptions::default()).unwrap();
        assert_eq!(array.to_vec::<f64>()[99_999], 99_999.0);
    }
}

#[test]
fn what_is_written_reads_back_from_any_strides() {
    let folder = folder();
    let path = folder.path().join("a.npy");
    for dtype in DType::ALL {
        let size = dtype.size() as isize;
        let count = 2 * 3 * 1000;
        let mut bytes = crate::array::bytes::AlignedBytes::zeroed(count * dtype.size()).unwrap();
        bytes.as_mut_slice().iter_mut().enumerate().for_each(|(at, byte)| *byte = (at % 2) as u8);
        let base = Array::from_bytes(dtype, vec![2, 3, 1000], bytes);
        let views = [
            base.clone(),
            base.view(vec![1000, 3, 2], vec![size, 1000 * size, 3000 * size], 0),
            base.view(vec![2, 3, 1000], vec![3000 * size, 1000 * size, -size], 999 * dtype.size()),
            base.view(vec![7, 2], vec![0, 3 * size], 0),
            base.view(vec![], vec![], 5 * dtype.size()),
            base.view(vec![3, 0], vec![0, 0], 0),
        ];
        for view in views {
            save(&path, &view);
            let options = ReadOptions { dtype: Some(dtype), ..ReadOptions::default() };
            assert!(super::read(&path, &options).unwrap().0 == view, "{dtype} {:?}", view.strides());
            assert_eq!(super::header(&path, &options).unwrap(), Header { dtype, shape: view.shape().to_vec() });
        }
    }
}

#[test]
fn headers_look_as_numpy_writes_them() {
    let mut out = Vec::new();
    npy::write(&Array::from_elements(&[2, 1], &[1i32, 2]), &mut out).unwrap();
    assert_eq!(out.len(), 128 + 8);
    let text = "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 1), }";
    assert_eq!(&out[..10], b"\x93NUMPY\x01\x00\x76\x00");
    assert_eq!(std::str::from_utf8(&out[10..128]).unwrap(), format!("{text:<117}\n"));
}

#[test]
fn the_files_of_the_examples_are_what_they_claim() {
    let folder = folder();
    for (name, contents) in codes::running::FILES {
        fs::write(folder.path().join(name), contents).unwrap();
    }
    let outcome = |name: &str| match super::read(&folder.path().join(name), &ReadOptions::default()) {
        Ok((_, warnings)) => warnings.first().map_or("fine", |warning| warning.code.name),
        Err(error) => error.code.name,
    };
    let expected = [
        ("good.npy", "fine"),
        ("long.npy", "trailing-data"),
        ("short.npy", "truncated-file"),
        ("huge.npy", "too-large"),
        ("objects.npy", "unsupported-file-dtype"),
        ("text.npy", "bad-array-file"),
    ];
    for (name, code) in expected {
        assert_eq!(outcome(name), code, "{name}");
    }
}
