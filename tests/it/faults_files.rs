//! What an attack found, case by case (E): files that change, files that texts name, targets, and memory for readers.
#![expect(unsafe_code, reason = "the standard library sets no limits")]

use crate::lab;
use crate::shell::{self, Folder};
use arrlang::array::Array;
use arrlang::diagnostic::{Level, Outcome, codes};
use arrlang::io;
use arrlang::session::{Input, Reply, Session};
use std::io::Read;
use std::path::Path;

/// Writes as NumPy does: into the file that is there.
fn save(path: &Path, array: &Array) {
    let scratch = tempfile::tempdir().expect("there is a folder for temporary files");
    let other = scratch.path().join("a.npy");
    io::write(&io::prepare(&other).expect("it is writable"), array).expect("it is written");
    std::fs::write(path, std::fs::read(other).expect("it was written")).expect("it is writable");
}

fn ramp(count: usize) -> Array {
    Array::from_elements(&[count], &(1..=count).map(|at| at as f64).collect::<Vec<_>>())
}

/// Cuts a file to `len` bytes.
fn cut(path: &Path, len: u64) {
    std::fs::OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(len)).expect("it can be cut");
}

/// A session in a folder, as the shell has one.
struct Talk<'f>(Session, &'f Folder);

impl Talk<'_> {
    fn say(&mut self, text: &str) -> Reply {
        self.0.evaluate(&Input { folder: Some(self.1.path()), result: Some(1), ..Input::new("<talk>", text) })
    }

    /// The codes of what is found, and how it ended.
    fn found(&mut self, text: &str) -> (Vec<&'static str>, Outcome) {
        let reply = self.say(text);
        assert!(reply.outcome.is_done() || reply.values.is_empty(), "{text}");
        (lab::ids(&reply.diagnostics), reply.outcome)
    }
}

/// While a large value is printed, or written to a pipe, its file loses its end: the other side takes a first piece and
/// no more until that has happened.
#[test]
fn e02_an_input_that_shrinks_while_it_is_printed_or_piped_is_an_error() {
    let views = ["x", "x[::-1]", "x[::2]", "broadcast_to(x[:, None], (200000, 2))", "reshape(x, (400, 500)).T"];
    for view in views {
        for args in [&["--format=json"][..], &["-o", "pipe"]] {
            let folder = Folder::new();
            let path = folder.path().join("x.npy");
            save(&path, &ramp(200_000));
            let pipe = folder.path().join("pipe");
            let made = std::process::Command::new("mkfifo").arg(&pipe).status();
            assert!(made.expect("there is mkfifo").success());
            let mut command = shell::command(folder.path(), &["eval", view, "x=x.npy"]);
            let mut child = command.args(args).spawn().expect("the command starts");
            let mut from: Box<dyn Read> = match args {
                ["-o", _] => Box::new(std::fs::File::open(&pipe).expect("it is opened for writing")),
                _ => Box::new(child.stdout.take().expect("a pipe")),
            };
            from.read_exact(&mut [0; 1000]).expect("it begins");
            cut(&path, 4096);
            std::io::copy(&mut from, &mut std::io::sink()).expect("it ends");
            let output = child.wait_with_output().expect("it ends");
            let told = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(3), "{view} {args:?}: {told}");
            assert!(told.contains("Error[E0514 truncated-file]: `x.npy` became shorter"), "{told}");
        }
    }
}

#[test]
fn e03_arrays_of_a_session_over_a_file_that_shrank_are_refused_for_good() {
    let folder = Folder::new();
    let path = folder.path().join("x.npy");
    save(&path, &ramp(20_000));
    let mut talk = Talk(Session::default(), &folder);
    let begin = "let x = load(\"x.npy\")\nlet t = (x[::2], 1)\nlet last = x[-1]\nlet y = x * 2\nfn f(k) = x[k]\nx";
    assert_eq!(talk.found(begin), (vec![], Outcome::Done));
    save(&path, &ramp(10));
    // Elements of the first page do not even fault.
    let over = ["x[15000]", "x[20]", "sum(x)", "x", "t[0][5000]", "let z = x[1:]", "f(3)", "_1[100]", "argmax(x)"];
    for _ in 0..2 {
        for text in over {
            assert_eq!(talk.found(text), (vec!["E0514"], Outcome::Unreachable), "{text}");
        }
        // Whole again, and lost nevertheless.
        save(&path, &ramp(20_000));
    }
    assert_eq!(talk.found("z"), (vec!["E0201"], Outcome::Refused), "a failed input leaves nothing");
    // What was computed before is a value.
    assert_eq!(talk.say("sum(y) + last").values[0].array.to_vec::<f64>(), [400_040_000.0]);
    // The name is free for the new file.
    assert_eq!(talk.found("let x = load(\"x.npy\")\nsum(x)"), (vec![], Outcome::Done));
    assert_eq!(talk.found("x[15000]"), (vec![], Outcome::Done));
}

#[test]
fn e03_a_file_saved_anew_in_the_same_size_is_told_by_every_input_that_uses_it() {
    let folder = Folder::new();
    let path = folder.path().join("x.npy");
    save(&path, &ramp(20_000));
    let mut talk = Talk(Session::default(), &folder);
    assert_eq!(talk.found("let x = load(\"x.npy\")\nlet y = x + 1\nsum(x)"), (vec![], Outcome::Done));
    assert_eq!(talk.found("sum(x)"), (vec![], Outcome::Done));
    std::thread::sleep(std::time::Duration::from_millis(20));
    save(&path, &ramp(20_000));
    for text in ["sum(x)", "x[3]", "let z = x[::2]"] {
        assert_eq!(talk.found(text), (vec!["E0519"], Outcome::Done), "{text}");
    }
    assert_eq!(talk.found("z[0]"), (vec!["E0519"], Outcome::Done));
    assert_eq!(talk.found("sum(y)"), (vec![], Outcome::Done), "nothing of the file is used");
    for (level, expected) in [(Level::Deny, (vec!["E0519"], Outcome::Refused)), (Level::Allow, (vec![], Outcome::Done))]
    {
        talk.0.settings.levels.set(codes::find("file-changed").expect("a finding"), level);
        assert_eq!(talk.found("sum(x)"), expected, "{level:?}");
    }
    assert_eq!(talk.found("let x = load(\"x.npy\")\nx[0]"), (vec![], Outcome::Done), "it was read anew");
}

/// Says at its end that something else may end.
struct Ending<'d>(&'d std::sync::atomic::AtomicBool);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.store(true, std::sync::atomic::Ordering::Relaxed);
    }
}

/// The bytes of a file change between two looks at them: no place is found for what was the largest.
#[test]
fn e05_a_file_that_is_rewritten_during_a_search_is_no_internal_error() {
    use std::os::unix::fs::FileExt;
    use std::sync::atomic::{AtomicBool, Ordering};
    let folder = Folder::new();
    let path = folder.path().join("x.npy");
    save(&path, &ramp(16_384));
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let file = std::fs::OpenOptions::new().write(true).open(&path).expect("it is there");
            let mut number = 1.0f64;
            while !done.load(Ordering::Relaxed) {
                number += 1.0;
                let bytes: Vec<u8> = std::iter::repeat_n(number.to_le_bytes(), 16_384).flatten().collect();
                file.write_all_at(&bytes, 128).expect("it is writable");
            }
        });
        // Also when something fails, so that the writer ends.
        let _ending = Ending(&done);
        let mut talk = Talk(Session::default(), &folder);
        assert!(talk.say("let x = load(\"x.npy\")").outcome.is_done());
        for _ in 0..200 {
            let place = talk.say("argmax(x)").values[0].array.to_vec::<i64>()[0];
            assert!((0..16_384).contains(&place), "{place}");
        }
    });
}

/// A text that names a file: the files of a case, where `FILE` stands for what it names, and what is asked of it.
struct Naming {
    /// What the name must end in, to be taken for what is wanted.
    ending: &'static str,
    files: &'static [(&'static str, &'static str)],
    args: &'static [&'static str],
}

const fn naming(
    ending: &'static str,
    files: &'static [(&'static str, &'static str)],
    args: &'static [&'static str],
) -> Naming {
    Naming { ending, files, args }
}

/// Every text that can name a file. What is added to the language or to `arr.toml` gets its row.
const NAMINGS: &[Naming] = &[
    naming(".npy", &[("s.arr", "load(\"FILE\")\n")], &["run", "s.arr"]),
    naming(".npy", &[("s.arr", "load(\"FILE\")\n")], &["check", "s.arr"]),
    naming(".npz", &[("s.arr", "load(\"FILE:x\")\n")], &["run", "s.arr"]),
    naming(".csv", &[("s.arr", "load(\"FILE:x\")\n")], &["run", "s.arr"]),
    naming(".csv", &[("s.arr", "load(\"FILE\")\n")], &["check", "s.arr"]),
    naming(".safetensors", &[("s.arr", "load(\"FILE:x\")\n")], &["check", "s.arr"]),
    naming(".npy", &[("lib.arr", "fn f() = load(\"FILE\")\n"), ("s.arr", "use \"lib.arr\"\nf()\n")], &["run", "s.arr"]),
    naming(".npy", &[], &["eval", "load(\"FILE\")"]),
    naming(".npy", &[], &["eval", "x", "x=load(\"FILE\")"]),
    naming(".arr", &[("s.arr", "use \"FILE\"\n1\n")], &["check", "s.arr"]),
    naming("", &[("lib.arr", "use \"FILE\"\n"), ("s.arr", "use \"lib.arr\"\n1\n")], &["run", "s.arr"]),
    naming("", &[("s.arr", "promotion \"FILE\"\n1\n")], &["check", "s.arr"]),
    naming(".toml", &[("s.arr", "promotion \"FILE\"\n1\n")], &["signature", "s.arr"]),
    naming("", &[], &["eval", "promotion \"FILE\"\n1"]),
    naming(".toml", &[("arr.toml", "system = \"FILE\"\n"), ("s.arr", "1\n")], &["check", "s.arr"]),
    naming(".toml", &[("arr.toml", "system = \"FILE\"\n")], &["promote", "i8", "u8"]),
];

/// Whatever a text names, nothing waits, and nothing of a file is shown that the text may not read, or that is not what
/// it is taken for.
#[test]
fn e01_no_text_opens_or_shows_what_it_may_not() {
    use std::os::unix::fs::symlink;
    const SECRET: &str = "hunter2 = \"0RnM\"\nx\n";
    let codes = ["E0510", "E0512", "E0516", "E0520", "E0521", "E0522"];
    for (row, Naming { ending, files, args }) in NAMINGS.iter().enumerate() {
        let folder = Folder::with(&[("out/a", SECRET.as_bytes()), ("in/a", SECRET.as_bytes())]);
        let (inside, outside) = (folder.path().join("in"), folder.path().join("out"));
        let at = |name: &str| inside.join(format!("{name}{ending}"));
        std::fs::write(outside.join(format!("b{ending}")), SECRET).expect("it is writable");
        symlink(outside.join("a"), at("out")).expect("a link");
        symlink("a", at("near")).expect("a link");
        symlink("/dev/zero", at("device")).expect("a link");
        std::fs::create_dir(at("folder")).expect("a folder");
        assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().expect("there is mkfifo").success());
        let absolute = outside.join(format!("b{ending}")).to_string_lossy().into_owned();
        let far = [format!("../out/b{ending}"), absolute, "/proc/self/environ".into(), "/dev/stdin".into()];
        let near = ["out", "near", "device", "folder", "pipe"].map(|name| format!("{name}{ending}"));
        for target in far.iter().chain(&near).chain(&["a".into()]) {
            for (name, text) in *files {
                std::fs::write(inside.join(name), text.replace("FILE", target)).expect("it is writable");
            }
            let args: Vec<String> = args.iter().map(|arg| arg.replace("FILE", target)).collect();
            let started = std::time::Instant::now();
            let mut command = shell::command(&inside, &args);
            command.env("HUNTER", SECRET);
            let ran = shell::finish(command, b"");
            let case = format!("row {row}, {target}: {}{}", ran.stdout, ran.stderr);
            assert!(started.elapsed() < std::time::Duration::from_secs(5), "{case}");
            // A system's name is taken for one of the known ones unless it ends as files do.
            let said = ran.said();
            let told = codes.iter().any(|code| said.contains(code)) || said.contains("promotion system");
            assert!(told && [1, 3].contains(&ran.code), "{case}");
            assert!(!case.contains("hunter2") && !case.contains("0RnM"), "{case}");
        }
    }
}

/// The user's own choice may be anywhere, but is a regular file too, and is shown only when it is meant as a system.
#[test]
fn e01_a_system_on_the_command_line_is_shown_only_if_it_is_one() {
    let edges = b"edges = [\n  \"u8 -> i16\",\n  \"i8 -> i15\",\n]\n";
    let folder = Folder::with(&[("a/s.toml", edges), ("b/key.toml", b"token = \"0RnM\"\n"), ("c/x.arr", b"u8(1)\n")]);
    let run = |system: &str| folder.arr(&["run", "c/x.arr", "--system", system]);
    let ran = run("a/s.toml");
    assert!(ran.code == 1 && ran.stderr.contains("\"i8 -> i15\""), "{}", ran.stderr);
    let ran = run("b/key.toml");
    assert!(
        ran.code == 1 && ran.stderr.contains("it has no `edges`") && !ran.stderr.contains("0RnM"),
        "{}",
        ran.stderr
    );
    for (other, why) in [("/dev/zero", "a device"), ("b/../a", "a folder"), ("/dev/stdin", "a p")] {
        let ran = run(other);
        assert!(ran.stderr.contains("E0510") && ran.stderr.contains(why), "{other}: {}", ran.stderr);
    }
}

/// An `arr.toml` leads to files below its folder and below those that it, or the user, allows; nothing of a link's
/// target is shown unless that is an `arr.toml` too.
#[test]
fn e01_an_arr_toml_leads_no_further_than_a_script() {
    let edges = b"edges = [\"u8 -> i16\", \"i8 -> i16\", \"i16 -> i*\"]\n";
    let folder =
        Folder::with(&[("out/s.toml", edges), ("out/arr.toml", b"mode = \"sfe\"\n"), ("in/s.arr", b"u8(1)\n")]);
    let check = |config: &str, more: &[&str]| {
        folder.write("in/arr.toml", config.as_bytes());
        let ran = folder.arr(&[&["run", "in/s.arr"], more].concat());
        (ran.code, lab::one_line(&ran.stderr))
    };
    let (code, told) = check("system = \"../out/s.toml\"\n", &[]);
    assert!(code == 1 && told.contains("E0521") && told.contains("in/arr.toml:1"), "{told}");
    assert_eq!(check("system = \"../out/s.toml\"\n", &["--allow-read", "out"]).0, 0);
    let (code, told) = check("system = \"../out/s.toml\"\nallow-read = [\"../out\"]\n", &[]);
    assert!(code == 1 && told.contains("E0523"), "{told}");
    folder.write(".git/HEAD", b"");
    assert_eq!(check("system = \"../out/s.toml\"\nallow-read = [\"../out\"]\n", &[]).0, 0);
    std::fs::remove_file(folder.path().join("in/arr.toml")).expect("it is there");
    std::os::unix::fs::symlink("../out/arr.toml", folder.path().join("in/arr.toml")).expect("a link");
    let ran = folder.arr(&["run", "in/s.arr"]);
    assert!(ran.code == 1 && ran.stderr.contains("E0521") && !ran.stderr.contains("sfe"), "{}", ran.stderr);
    let ran = folder.arr(&["run", "in/s.arr", "--allow-read", "out"]);
    assert!(ran.code == 1 && ran.stderr.contains("there is no mode `sfe`"), "{}", ran.stderr);
    std::fs::remove_file(folder.path().join("in/arr.toml")).expect("it is there");
    folder.write("in/.env", b"TOKEN=0RnM\n");
    std::os::unix::fs::symlink(".env", folder.path().join("in/arr.toml")).expect("a link");
    let ran = folder.arr(&["run", "in/s.arr"]);
    assert!(ran.code == 1 && ran.stderr.contains("E0523") && !ran.stderr.contains("0RnM"), "{}", ran.stderr);
}

/// What a text names is opened through `io::Roots`: nothing below the command opens files in another way.
#[test]
fn e01_there_is_one_way_to_a_file_that_a_text_names() {
    let mut queue: Vec<_> = ["check", "session", "syntax"].map(|name| lab::root("src").join(name)).into();
    while let Some(path) = queue.pop() {
        if path.is_dir() {
            queue.extend(std::fs::read_dir(&path).expect("a folder").flatten().map(|entry| entry.path()));
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            for way in ["std::fs", "File::open", "OpenOptions", "text::read(", "Source::open"] {
                assert!(!text.contains(way), "{} has {way}", path.display());
            }
        }
    }
}

/// Files of which none may be lost.
const PRECIOUS: [(&str, &[u8]); 5] = [
    ("o.arr", b"output a = arange(3)\noutput b = arange(4)\n"),
    ("v.arr", b"promotion \"s.toml\"\nuse \"lib.arr\"\nu8(1)\n"),
    ("lib.arr", b"let k = 1\n"),
    ("s.toml", b"edges = [\"u8 -> i16\", \"i8 -> i16\", \"i16 -> i*\"]\n"),
    ("arr.toml", b"mode = \"all\"\n"),
];

/// A folder with these, with `s.npy`, and with other names for some of them.
fn precious() -> Folder {
    let folder = Folder::with(&PRECIOUS);
    let at = |name: &str| folder.path().join(name);
    save(&at("s.npy"), &ramp(3));
    std::fs::hard_link(at("s.npy"), at("h.npy")).expect("a hard link");
    let links = [("l.npy", "s.npy"), ("m.npy", "new.npy"), ("here", "."), ("v.svg", "s.toml")];
    for (name, of) in links.into_iter().chain([("w.npy", "o.arr"), ("x.sarif", "v.arr"), ("y.sarif", "lib.arr")]) {
        std::os::unix::fs::symlink(of, at(name)).expect("a link");
    }
    folder
}

/// Runs what must be refused before anything is written. Returns what was told.
fn refused(folder: &Folder, args: &[&str]) -> String {
    let at = |name: &str| std::fs::read(folder.path().join(name)).ok();
    let before = at("s.npy");
    let ran = folder.arr(args);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}: {}", ran.stderr);
    for (name, bytes) in PRECIOUS {
        assert_eq!(at(name).as_deref(), Some(bytes), "{args:?}");
    }
    assert!(at("s.npy") == before && at("new.npy").is_none(), "{args:?}");
    ran.stderr
}

#[test]
fn e04_two_outputs_that_are_one_file_are_refused() {
    let folder = precious();
    for other in ["s.npy", "./s.npy", "l.npy", "h.npy", "here/s.npy", "here/here/l.npy"] {
        let told = refused(&folder, &["run", "o.arr", "-o", "a=s.npy", "-o", &format!("b={other}")]);
        assert!(told.contains("one of them would be lost"), "{told}");
    }
    for other in ["m.npy", "new.npy", "./new.npy"] {
        refused(&folder, &["run", "o.arr", "-o", "a=new.npy", "-o", &format!("b={other}")]);
    }
    refused(&folder, &["run", "o.arr", "-o", "a=w.npy"]);
    refused(&folder, &["lattice", "--system", "s.toml", "-o", "v.svg"]);
    // Standard output is a file too.
    let out = std::fs::File::create(folder.path().join("out.npy")).expect("it is writable");
    let mut command = shell::command(folder.path(), &["run", "o.arr", "-o", "a=out.npy"]);
    assert_eq!(command.stdout(out).status().expect("it ends").code(), Some(2));
    // Devices take one after the other, and an input that is mapped may be replaced.
    assert_eq!(folder.arr(&["run", "o.arr", "-o", "a=/dev/null", "-o", "b=/dev/null"]).code, 0);
    assert_eq!(folder.arr(&["eval", "x[::-1]", "x=s.npy", "-o", "s.npy"]).code, 0);
}

#[test]
fn e07_a_report_replaces_nothing_that_is_read() {
    let folder = precious();
    for target in ["v.arr", "./v.arr", "here/v.arr", "x.sarif", "arr.toml", "s.toml", "lib.arr", "y.sarif"] {
        for format in ["sarif", "text"] {
            let told = refused(&folder, &["check", "--format", &format!("{format}={target}"), "v.arr"]);
            assert!(told.contains("is read by this command"), "{told}");
        }
    }
    refused(&folder, &["check", "--format", "json=s.npy", "o.arr", "x=s.npy"]);
    refused(&folder, &["check", "--format", "json=s.toml", "o.arr", "--system", "s.toml"]);
    refused(&folder, &["check", "--format", "json=r", "--format", "sarif=./r", "o.arr"]);
    assert_eq!(folder.arr(&["check", "--format", "sarif=r.sarif", "--format", "json=r.json", "v.arr"]).code, 0);
}

/// Runs the command with so much address space and no more.
fn within(folder: &Folder, bytes: u64, args: &[&str]) -> shell::Ran {
    use std::os::unix::process::CommandExt;
    let mut command = shell::command(folder.path(), args);
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
    // SAFETY: one system call between fork and exec, about a value that outlives it.
    unsafe {
        command.pre_exec(move || match libc::setrlimit(libc::RLIMIT_AS, &raw const limit) {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        })
    };
    shell::finish(command, b"")
}

#[test]
fn c15_no_temporary_file_stays_where_descriptors_are_few() {
    use std::os::unix::process::CommandExt;
    let folder = Folder::new();
    save(&folder.path().join("x.npy"), &ramp(3));
    for most in 4..8 {
        let mut command = shell::command(folder.path(), &["eval", "x + 1", "x=x.npy", "-o", "y.npy"]);
        let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
        // SAFETY: one system call between fork and exec, about a value that outlives it.
        unsafe {
            command.pre_exec(move || match libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) {
                0 => Ok(()),
                _ => Err(std::io::Error::last_os_error()),
            })
        };
        let ran = shell::finish(command, b"");
        assert!([0, 3].contains(&ran.code), "{most}: {} {}", ran.code, ran.stderr);
        for entry in std::fs::read_dir(folder.path()).expect("a folder") {
            let name = entry.expect("an entry").file_name();
            assert!(name == "x.npy" || name == "y.npy", "{most}: {name:?} {}", ran.stderr);
        }
    }
}

/// Files that ask for more memory than there is, or than they may have.
#[test]
fn e06_readers_take_no_more_memory_than_they_may() {
    let folder = Folder::new();
    let at = |name: &str| folder.path().join(name);
    let endless = |name: &str, start: &[u8], len: u64| {
        folder.write(name, start);
        std::fs::OpenOptions::new().write(true).open(at(name)).and_then(|it| it.set_len(len)).expect("it can grow");
    };
    endless("record.csv", b"x\n", 3 << 30);
    endless("header.csv", b"x", 3 << 30);
    endless("quoted.csv", b"x\n\"", 3 << 30);
    folder.write("fields.csv", &b"x,".repeat(3 << 20));
    let header = [&b"{\"x\":["[..], &b"0,".repeat(4 << 20), b"0]}"].concat();
    folder.write("list.safetensors", &[&(header.len() as u64).to_le_bytes()[..], &header].concat());
    let many: String = (0..200_000).map(|at| format!("\"{at}\":{{\"data_offsets\":[0,0]}},")).collect();
    let header = format!("{{{many}\"x\":{{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}}}");
    folder.write("many.safetensors", &[&(header.len() as u64).to_le_bytes()[..], header.as_bytes()].concat());
    let lie = |len: u64, file: u64, name: &str| endless(name, &len.to_le_bytes(), file);
    lie(63 << 20, 64 << 20, "zeros.safetensors");
    let column: String = std::iter::once("x\n".to_owned()).chain((0..1_000_000).map(|at| format!("{at}\n"))).collect();
    folder.write("long.csv", column.as_bytes());
    endless("huge.toml", b"edges = [", 1 << 30);
    let told = |ran: &shell::Ran, codes: &[&str], case: &str| {
        let found = codes.iter().any(|code| ran.stderr.contains(code));
        assert!(ran.code == 1 && found, "{case}: {} {}", ran.code, ran.stderr);
    };
    let files = ["record.csv", "header.csv", "quoted.csv", "fields.csv", "list.safetensors", "zeros.safetensors"];
    for file in files.iter().chain(&["long.csv", "many.safetensors"]) {
        let x = format!("x={file}:x");
        let ran = within(&folder, 1 << 30, &["eval", "sum(x)", &x, "--max-mem", "4M", "--threads", "1"]);
        told(&ran, &["E0517", "E0512"], file);
        // However much it may have: what is not there is said.
        for space in [90, 150] {
            let ran = within(&folder, space << 20, &["eval", "sum(x)", &x, "--max-mem", "100G", "--threads", "1"]);
            let fine = ran.code == 0 && ["long.csv", "many.safetensors"].contains(file);
            assert!(fine || ran.code == 1, "{file} in {space} MiB: {} {}", ran.code, ran.stderr);
        }
        let checked = within(&folder, 150 << 20, &["check", "-", &x]);
        assert!([0, 1].contains(&checked.code), "{file}: {}", checked.stderr);
    }
    let ran = within(&folder, 200 << 20, &["eval", "1", "--system", "huge.toml"]);
    told(&ran, &["E0517"], "huge.toml");
    // What several files take is counted together: each of the two has 8 MB.
    std::fs::copy(at("long.csv"), at("other.csv")).expect("it is copied");
    let two = ["eval", "sum(x) + sum(y)", "x=long.csv:x", "y=other.csv:x", "--max-mem", "12M"];
    told(&folder.arr(&two), &["E0517"], "two tables");
    assert_eq!(folder.arr(&[&two[..4], &["--max-mem", "20M"]].concat()).stdout, "999999000000 : i64\n");
}

/// A large value is printed piece by piece: its text is longer than all the memory that there is.
#[test]
fn e06_the_text_of_a_value_is_never_whole_in_memory() {
    let folder = Folder::new();
    let path = folder.path().join("x.npy");
    save(&path, &ramp(1));
    let args = ["eval", "broadcast_to(x, (40000000,))", "x=x.npy", "--format", "json", "--threads", "1"];
    let mut command = shell::command(folder.path(), &args);
    let mut child = command.spawn().expect("the command starts");
    let mut from = child.stdout.take().expect("a pipe");
    let mut begin = vec![0; 8 << 20];
    from.read_exact(&mut begin).expect("it begins");
    let resident = std::fs::read_to_string(format!("/proc/{}/statm", child.id())).expect("it runs");
    let pages: usize = resident.split(' ').nth(1).and_then(|pages| pages.parse().ok()).expect("a number");
    assert!(pages * 4096 < 64 << 20, "{pages}");
    drop(from);
    child.kill().and_then(|()| child.wait()).expect("it ends");
}
