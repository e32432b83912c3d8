//! Tests of opening or mapping: files that change, are elsewhere, or are no files.
#![expect(unsafe_code, reason = "a mapping that nobody looks after")]

use super::*;
use crate::array::mapping::MappingState;
use crate::diagnostic::Outcome;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// The file gets another length, as it is.
fn resize(path: &Path, len: u64) {
    fs::OpenOptions::new().write(true).open(path).unwrap().set_len(len).unwrap();
}

fn state(array: &Array) -> MappingState {
    array.mapping().expect("it is mapped").state()
}

#[test]
fn c10_files_that_shrink_while_mapped_stay_lost() {
    let folder = folder();
    let path = folder.path().join("a.npy");
    let count = 1_000_000;
    save(&path, &ramp::<u8>(count));
    let loaded = load(&path, &ReadOptions::default()).unwrap();
    let other = load(&path, &ReadOptions::default()).unwrap();
    let copied = load(&path, &ReadOptions { copy: true, ..ReadOptions::default() }).unwrap();
    assert!(copied.array.mapping().is_none() && state(&loaded.array) == MappingState::Sound);
    // Lost pages are met, and the file is whole again before anybody asks.
    resize(&path, 8192);
    let sum: u64 = loaded.array.contiguous_bytes().unwrap().iter().map(|&byte| u64::from(byte)).sum();
    resize(&path, count as u64 + 128);
    assert!(sum < 5000 && loaded.watch.as_ref().unwrap().has_changed());
    assert_eq!((state(&loaded.array), state(&other.array)), (MappingState::Lost, MappingState::Changed));
    // Other threads meet the same pages; they are zeros now, for good.
    let array = &loaded.array;
    std::thread::scope(|scope| {
        scope.spawn(|| assert_eq!(array.get(count - 1).bits, 0));
    });
    assert_eq!(copied.array.get(count - 1).bits, 1);
    assert_eq!(state(&loaded.array.view(vec![1], vec![1], 0)), MappingState::Lost);
    let error = mapped::lost_file_error([&copied.array, &loaded.array]).expect("one of them");
    assert_eq!((error.code.name, error.outcome()), ("truncated-file", Outcome::Unreachable));
    assert!(error.message.contains("a.npy` became shorter"), "{}", error.message);
}

/// The rest of a last page is zeros that no signal tells of.
#[test]
fn e03_a_file_that_loses_less_than_a_page_is_lost_too() {
    let folder = folder();
    let path = folder.path().join("a.npy");
    save(&path, &ramp::<u8>(100_000));
    let loaded = load(&path, &ReadOptions::default()).unwrap();
    resize(&path, 100_000 + 127);
    assert_eq!(loaded.array.get(99_999).bits, 0);
    assert_eq!(state(&loaded.array), MappingState::Lost);
    resize(&path, 100_000 + 128);
    assert_eq!(state(&loaded.array), MappingState::Lost, "for good");
}

/// Whatever way the elements are gathered, and whatever was there before.
#[test]
fn e02_what_is_read_while_it_is_written_is_asked_for_again() {
    let folder = folder();
    let (path, output) = (folder.path().join("a.npy"), folder.path().join("b.npy"));
    let count = 200_000;
    let views: [fn(&Array) -> Array; 4] = [
        |x| x.clone(),
        |x| x.view(vec![200_000], vec![-1], 199_999),
        |x| x.view(vec![100_000], vec![2], 0),
        |x| x.view(vec![200_000, 1], vec![1, 0], 0).broadcast_to(&[200_000, 3]),
    ];
    for view in views {
        for (old, left) in [(false, 0), (true, 150_000), (true, count as u64 + 127)] {
            save(&path, &ramp::<u8>(count));
            let array = view(&load(&path, &ReadOptions::default()).unwrap().array);
            if old {
                save(&output, &Array::from_elements(&[1], &[7u8]));
            }
            let target = prepare(&output).unwrap();
            resize(&path, left);
            let error = write(&target, &array).unwrap_err();
            assert_eq!((error.code.name, error.outcome()), ("truncated-file", Outcome::Unreachable), "{left}");
            assert!(error.message.contains("a.npy` became shorter") && error.message.contains("b.npy` is not written"));
            let left = if old { vec!["a.npy", "b.npy"] } else { vec!["a.npy"] };
            assert_eq!(names(folder.path()), left);
            if old {
                assert_eq!(read(&output, &ReadOptions::default()).unwrap().0.to_vec::<u8>(), [7]);
                fs::remove_file(&output).unwrap();
            }
        }
    }
}

#[test]
fn c10_a_fault_in_any_other_mapping_still_ends_the_process() {
    use std::os::unix::process::ExitStatusExt;
    const INSIDE: &str = "ARR_TEST_FOREIGN_FAULT";
    if std::env::var_os(INSIDE).is_none() {
        let name = "io::tests::opening::c10_a_fault_in_any_other_mapping_still_ends_the_process";
        let mut same = std::process::Command::new(std::env::current_exe().unwrap());
        let output = same.args(["--exact", name]).env(INSIDE, "1").output().unwrap();
        assert_eq!(output.status.signal(), Some(libc::SIGBUS));
        return;
    }
    let folder = folder();
    let path = folder.path().join("a.npy");
    save(&path, &ramp::<u8>(200_000));
    let ours = load(&path, &ReadOptions::default()).unwrap();
    let file = fs::OpenOptions::new().read(true).write(true).open(&path).unwrap();
    // SAFETY: the bytes are only read, and the fault that reading them raises is what this process is for.
    let foreign = unsafe { memmap2::Mmap::map(&file).unwrap() };
    file.set_len(0).unwrap();
    assert_eq!(ours.array.get(100_000).bits, 0, "ours is looked after");
    std::hint::black_box(foreign[100_000]);
}

#[test]
fn c11_a_modified_file_is_noticed() {
    let folder = folder();
    let path = folder.path().join("a.npy");
    save(&path, &ramp::<u8>(10));
    let watch: FileWatch = load(&path, &ReadOptions::default()).unwrap().watch.unwrap();
    assert!(!watch.has_changed());
    touch(&path);
    assert!(watch.has_changed());
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
    assert!(!loaded.watch.as_ref().unwrap().has_changed());
    fs::remove_file(&path).unwrap();
    assert!(!loaded.watch.as_ref().unwrap().has_changed());
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
        assert_eq!(prepare(same).unwrap().identity(), loaded.watch.as_ref().map(FileWatch::identity));
    }
    assert_eq!(prepare(&link).unwrap().real_path(), path.canonicalize().unwrap());
    save(&link, &loaded.array.view(vec![100_000], vec![-2], 199_998));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "the link stays, its target is replaced");
    assert!(loaded.array == array, "the input's mapping is the old file");
    let (reversed, _) = read(&path, &ReadOptions::default()).unwrap();
    assert_eq!(reversed.get(0), array.get(99_999));
    assert_eq!(identity(&hard), loaded.watch.as_ref().map(FileWatch::identity), "another name keeps the old contents");
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
    let options =
        |more: &[PathBuf]| ReadOptions { roots: Some(Roots::new(Some(inside.path()), more)), ..ReadOptions::default() };
    let only = options(&[]);
    let code = |path: &str| read(path.as_ref(), &only).err().map(|error| error.code.name);
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
    assert!(read(&secret, &options(&[outside.path().to_path_buf()])).is_ok());
    assert!(read(&inside.path().join("a.npy"), &only).is_ok(), "absolute, but below the folder");
}

#[test]
fn c20_a_used_file_sees_the_same_files_from_its_own_folder() {
    let outside = folder();
    let inside = folder();
    let lib = inside.path().join("lib");
    fs::create_dir(&lib).unwrap();
    save(&inside.path().join("a.npy"), &ramp::<u8>(3));
    save(&lib.join("b.npy"), &ramp::<u8>(4));
    save(&outside.path().join("c.npy"), &ramp::<u8>(5));
    let script = Roots::new(Some(inside.path()), &[]);
    let used = script.from_folder(&lib);
    let len = |roots: &Roots, path: &str| {
        let options = ReadOptions { roots: Some(roots.clone()), ..ReadOptions::default() };
        read(path.as_ref(), &options).map(|(array, _)| array.len()).map_err(|error| error.code.name)
    };
    assert_eq!((len(&used, "b.npy"), len(&used, "../a.npy"), len(&script, "lib/b.npy")), (Ok(4), Ok(3), Ok(4)));
    assert_eq!(len(&used, "../../c.npy"), Err("file-not-allowed"));
    let far = outside.path().join("c.npy");
    assert_eq!(len(&used, far.to_str().unwrap()), Err("file-not-allowed"));
    let more = Roots::new(Some(inside.path()), &[outside.path().to_path_buf()]).from_folder(&lib);
    assert_eq!(len(&more, far.to_str().unwrap()), Ok(5));
    // Texts are read by the same rule.
    fs::write(lib.join("t.arr"), "fn f(x) = x").unwrap();
    assert_eq!(text::read_below("t.arr".as_ref(), &used).unwrap(), b"fn f(x) = x");
    let code = |path: &str| text::read_below(path.as_ref(), &used).unwrap_err().code.name;
    assert_eq!(
        (code("../../t.arr"), code("../lib"), code("no.arr")),
        ("file-not-allowed", "file-unreadable", "file-unreadable")
    );
}

#[test]
fn c11_a_modified_file_is_noticed_from_any_folder() {
    let folder = folder();
    let path = folder.path().join("a.npy");
    save(&path, &ramp::<u8>(10));
    let roots = Some(Roots::new(Some(folder.path()), &[]));
    let watch = load("a.npy".as_ref(), &ReadOptions { roots, ..ReadOptions::default() }).unwrap().watch.unwrap();
    assert!(!watch.has_changed());
    touch(&path);
    assert!(watch.has_changed());
}

/// Makes a file look modified.
fn touch(path: &Path) {
    let file = fs::OpenOptions::new().write(true).open(path).unwrap();
    file.set_modified(std::time::SystemTime::now() + std::time::Duration::from_secs(5)).unwrap();
}

#[test]
fn c21_odd_names_work_and_are_escaped() {
    let folder = folder();
    let name = OsStr::from_bytes(b"a\x1b[2J\n\xff\xe2\x80\xae.npy");
    let path = folder.path().join(name);
    save(&path, &ramp::<u8>(3));
    assert_eq!(read(&path, &ReadOptions::default()).unwrap().0.len(), 3);
    let error = read(&folder.path().join("gone").join(name), &ReadOptions::default()).unwrap_err();
    assert!(error.message.contains(r"a\u{1b}[2J\n\xff\u{202e}.npy"), "{}", error.message);
    let long = PathBuf::from("x/".repeat(2000) + "a.npy");
    let error = read(&long, &ReadOptions::default()).unwrap_err();
    assert!(error.message.chars().count() < 300, "{}", error.message);
}

#[test]
fn c22_only_regular_files_are_read() {
    let folder = folder();
    let pipe = folder.path().join("p.npy");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    fs::create_dir(folder.path().join("d.npy")).unwrap();
    let message = |path: &Path| {
        let error = OpenFile::open(path, None).unwrap_err();
        assert_eq!(error.outcome(), Outcome::Refused);
        error.message
    };
    assert!(message(&pipe).ends_with("is a pipe, not a regular file"));
    assert!(message(&folder.path().join("d.npy")).ends_with("is a folder"));
    assert!(message("/dev/zero".as_ref()).ends_with("is a device, not a regular file"));
    let proc = OpenFile::open("/proc/self/status".as_ref(), None).unwrap();
    assert!(proc.is_empty(), "a file of length 0 has no room for any header");
    let roots = Roots::new(Some(folder.path()), &[]);
    assert!(
        OpenFile::open("p.npy".as_ref(), Some(&roots)).unwrap_err().message.ends_with("is a pipe, not a regular file")
    );
}

#[test]
fn c24_many_files_need_few_descriptors() {
    let folder = folder();
    let path = folder.path().join("a.npy");
    save(&path, &ramp::<u8>(70_000));
    let open = || fs::read_dir("/proc/self/fd").unwrap().count();
    let before = open();
    let arrays: Vec<Array> = (0..5000).map(|_| read(&path, &ReadOptions::default()).unwrap().0).collect();
    assert!(open() < before + 100, "other tests open a few");
    assert!(arrays.iter().all(|array| array.get(69_999).bits == 1), "and places in the table are made as needed");
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
    let (array, _) = read(&path, &ReadOptions::default()).unwrap();
    assert_eq!(array.get(count as usize - 1).bits, 0);
    let copy = ReadOptions { copy: true, max_bytes: Some(1 << 30), ..ReadOptions::default() };
    let error = read(&path, &copy).unwrap_err();
    assert!(error.message.ends_with("needs 1.0 TiB of memory; the limit is 1.0 GiB"), "{}", error.message);
}

#[test]
#[cfg(not(feature = "tables"))]
fn e118_a_table_that_needs_a_feature_says_which() {
    let folder = folder();
    for name in ["t.parquet", "t.arrow", "t.feather"] {
        let path = folder.path().join(name);
        fs::write(&path, b"PAR1").unwrap();
        let told = [
            read(&folder.path().join(format!("{name}:x")), &ReadOptions::default()).unwrap_err(),
            members(&path).unwrap_err(),
            prepare(&path).unwrap_err(),
        ];
        for error in told {
            assert_eq!((error.code.name, error.outcome()), ("unknown-format", Outcome::Refused));
            assert!(error.message.ends_with("which this `arr` was built without"), "{}", error.message);
            assert!(error.help.is_some_and(|help| help.contains("--features tables")));
        }
        let missing = read(&folder.path().join(format!("no-{name}:x")), &ReadOptions::default()).unwrap_err();
        assert_eq!(missing.outcome(), Outcome::Unreachable, "a file that is not there is told first");
    }
}
