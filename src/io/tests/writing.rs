//! Writing: refused early, complete or not at all, direct to devices.

use super::super::encode::{NamedArray, NumberStyle};
use super::*;
use crate::diagnostic::Outcome;
use crate::source::stop::Stop;
use crate::types::dtype::DType;
use std::sync::atomic::AtomicBool;

fn write_npy(array: &Array, out: &mut dyn Write) -> std::io::Result<()> {
    npy::write(&[NamedArray { name: "x", array }], NumberStyle::default(), out)
}

#[test]
fn e27_a_write_that_is_told_to_stop_leaves_the_old_file() {
    let folder = folder();
    let path = folder.path().join("y.npy");
    fs::write(&path, "old").unwrap();
    let array = Array::from_elements(&[1000, 500], &vec![1.0f64; 500_000]);
    let (stop, target) = (AtomicBool::new(true), prepare(&path).unwrap());
    for array in [array.clone(), array.view([500, 1000].as_slice(), [8, 4000].as_slice(), 0)] {
        let error = write_until(&target, &array, Stop(Some(&stop))).unwrap_err();
        assert!(error.message.ends_with("interrupted"), "{}", error.message);
        assert_eq!((fs::read(&path).unwrap(), fs::read_dir(folder.path()).unwrap().count()), (b"old".to_vec(), 1));
    }
    write_until(&target, &array, Stop::default()).unwrap();
    assert_eq!(fs::read(&path).unwrap().len(), 4_000_128);
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
        assert_eq!((error.outcome(), error.code.name), (Outcome::Unreachable, "file-unwritable"));
        assert!(error.message.ends_with(reason), "{name}: {}", error.message);
    }
    let refused = prepare("/proc/a.npy".as_ref()).unwrap_err();
    assert_eq!(refused.outcome(), Outcome::Unreachable);
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
        let done = prepare(&path).unwrap().commit(|out| write_npy(&new, &mut Full { out, left, asked: &mut asked }));
        assert_eq!(names(folder.path()), ["a.npy"], "no temporary file stays");
        let (now, _) = read(&path, &ReadOptions::default()).unwrap();
        match done {
            Ok(()) => {
                assert!(now == new);
                break;
            }
            Err(error) => {
                assert_eq!((error.outcome(), error.code.name), (Outcome::Unreachable, "file-unwritable"));
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
    assert_eq!(write(&target, &ramp::<u8>(3)).unwrap_err().outcome(), Outcome::Unreachable);
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
            if self.1.is_multiple_of(3) {
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
    prepare(&path).unwrap().commit(|out| write_npy(&array, &mut Halting(out, 0))).unwrap();
    assert!(read(&path, &ReadOptions::default()).unwrap().0 == array);
}

#[test]
fn c18_devices_and_pipes_are_written_to_directly() {
    let array = ramp::<u8>(100_000);
    write(&prepare("/dev/null".as_ref()).unwrap(), &array).unwrap();
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    let full = write(&prepare("/dev/full".as_ref()).unwrap(), &array).unwrap_err();
    assert_eq!(
        (full.outcome(), &*full.message),
        (Outcome::Unreachable, "cannot write `/dev/full`: no space left on device")
    );
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
    assert_eq!(write(&prepare(&socket).unwrap(), &array).unwrap_err().outcome(), Outcome::Unreachable);
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
    let values = read(&path, &ReadOptions::default()).unwrap().0.to_vec::<u8>();
    assert!(values.iter().all(|value| *value == values[0]));
    assert_eq!(names(folder.path()), ["a.npy"]);
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
            assert!(read(&path, &options).unwrap().0 == view, "{dtype} {:?}", view.strides());
            assert_eq!(header(&path, &options).unwrap(), Header { dtype, shape: view.shape().to_vec() });
        }
    }
}

#[test]
fn headers_look_as_numpy_writes_them() {
    let mut out = Vec::new();
    write_npy(&Array::from_elements(&[2, 1], &[1i32, 2]), &mut out).unwrap();
    assert_eq!(out.len(), 128 + 8);
    let text = "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 1), }";
    assert_eq!(&out[..10], b"\x93NUMPY\x01\x00\x76\x00");
    assert_eq!(std::str::from_utf8(&out[10..128]).unwrap(), format!("{text:<117}\n"));
}
