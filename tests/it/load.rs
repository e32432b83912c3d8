//! `load` in scripts: what is read and when, what is refused, and that nothing gets lost.

use crate::shell::{self, Folder, Ran};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// An array file of version 1.
fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    let header = format!("{header:<117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend_from_slice(&(header.len() as u16).to_le_bytes());
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend_from_slice(data);
    bytes
}

/// `i16[2, 3]`: 0 to 5.
fn raw() -> Vec<u8> {
    let data: Vec<u8> = (0i16..6).flat_map(i16::to_le_bytes).collect();
    npy("<i2", "(2, 3)", &data)
}

/// A folder with `raw.npy` and a script.
fn folder(script: &str) -> Folder {
    Folder::with(&[("raw.npy", &raw()), ("s.arr", script.as_bytes())])
}

fn run(script: &str) -> Ran {
    folder(script).arr(&["run", "s.arr"])
}

fn check(script: &str) -> Ran {
    folder(script).arr(&["check", "s.arr"])
}

/// The codes in messages, in order.
fn codes(ran: &Ran) -> Vec<&str> {
    let lines = ran.stdout.lines().chain(ran.stderr.lines());
    let heads = lines.filter_map(|line| line.strip_prefix("Error[")?.split_once(']'));
    heads.filter_map(|(head, _)| head.split(' ').nth(1)).collect()
}

#[test]
fn every_format_and_spelling_gives_an_array() {
    let tensors = b"{\"w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}";
    let mut model = (tensors.len() as u64).to_le_bytes().to_vec();
    model.extend_from_slice(tensors);
    model.extend([1.5f32, 2.5].into_iter().flat_map(f32::to_le_bytes));
    let script = "let raw = load(\"raw.npy\")\nraw\nload(\"m.safetensors:w\")\nload(\"t.csv:b\")\nload(\"one.npy\") + 1\n\
                  np.load(path=\"raw.npy\") + raw\nmax(\"raw.npy\".load())";
    let folder = Folder::with(&[
        ("raw.npy", &raw()),
        ("m.safetensors", &model),
        ("t.csv", b"a,b\n1,0.5\n2,1.5\n"),
        ("one.npy", &npy("<f4", "()", &2.5f32.to_le_bytes())),
        ("s.arr", script.as_bytes()),
    ]);
    let ran = folder.arr(&["run", "s.arr"]);
    let wanted = "[[0 1 2]\n [3 4 5]] : i16[2, 3]\n[1.5 2.5] : f32[2]\n[0.5 1.5] : f64[2]\n3.5 : f32\n\
                  [[ 0  2  4]\n [ 6  8 10]] : i16[2, 3]\n5 : i16\n";
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, wanted, ""));
    assert_eq!(folder.arr(&["check", "s.arr"]).code, 0);
}

#[test]
fn the_members_of_an_archive_are_loaded() {
    let folder = Folder::with(&[("s.arr", b"let s: f64[n] = load(\"options.npz:spot\")\nmax(s) > 0")]);
    let archive = crate::lab::root("examples/data/options.npz");
    std::fs::copy(archive, folder.path().join("options.npz")).expect("the archive is there");
    let ran = folder.arr(&["run", "s.arr"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "true : bool\n"), "{}", ran.stderr);
    assert_eq!(folder.arr(&["check", "s.arr"]).code, 0);
}

#[test]
fn the_path_is_a_literal() {
    for argument in ["p", "3", "(\"raw.npy\")", "None", "f32"] {
        let ran = check(&format!("let p = \"raw.npy\"\nload({argument})"));
        assert_eq!(codes(&ran), ["wrong-value"], "{argument}: {}", ran.stderr);
        assert!(ran.said().contains("written out between quotes"), "{}", ran.stderr);
    }
    assert_eq!(codes(&check("load()")), ["wrong-arguments"]);
    assert_eq!(codes(&check("load(\"raw.npy\", \"raw.npy\")")), ["wrong-arguments"]);
    assert_eq!(codes(&check("load('raw.npy')")), codes(&check("load(\"raw.npy\")")));
}

#[test]
fn a_type_is_compared_with_the_file() {
    for ran in [run("let raw: f32[c, t] = load(\"raw.npy\")"), check("let raw: f32[c, t] = load(\"raw.npy\")")] {
        assert_eq!((ran.code, codes(&ran)), (1, vec!["annotation-mismatch"]), "{}", ran.stderr);
        assert!(ran.said().contains("this is i16, and f32 is annotated"), "{}", ran.stderr);
    }
    for ran in [run("let raw: i16[n] = load(\"raw.npy\")"), check("let raw: i16[n] = load(\"raw.npy\")")] {
        assert_eq!((ran.code, codes(&ran)), (1, vec!["annotated-shape"]), "{}", ran.stderr);
        assert!(ran.said().contains("this is of shape [2, 3], and [n] is annotated"), "{}", ran.stderr);
    }
    assert_eq!(run("let raw: i16[2, t] = load(\"raw.npy\")\nlet again: _[..] = load(\"raw.npy\")").code, 0);
}

#[test]
fn the_file_binds_the_names_of_its_dimensions() {
    let script = "input gain: f32[c, 1] = 2\nlet raw: i16[c, t] = load(\"raw.npy\")\noutput y = f32(raw) * gain\nc + t";
    let ran = run(script);
    assert_eq!(ran.stdout, "y =\n[[ 0.  2.  4.]\n [ 6.  8. 10.]] : f32[2, 3]\n5 : i*\n", "{}", ran.stderr);
    let ran = folder(script).arr(&["run", "s.arr", "gain:f32=[[1], [2], [3]]"]);
    assert_eq!(codes(&ran), ["input-shape"], "{}", ran.stderr);
    assert_eq!(check("input x: i16[c, t]\nlet raw: i16[c, t] = load(\"raw.npy\")\nraw + x").code, 0);
}

#[test]
fn anonymous_bytes_are_bf16_where_the_type_says_so() {
    let folder = Folder::with(&[("b.npy", &npy("|V2", "(2,)", &[0x80, 0x3f, 0, 0x40]))]);
    folder.write("good.arr", b"let b: bf16[n] = load(\"b.npy\")\nb");
    folder.write("bad.arr", b"load(\"b.npy\")");
    assert_eq!(folder.arr(&["run", "good.arr"]).stdout, "[1. 2.] : bf16[2]\n");
    assert_eq!(folder.arr(&["check", "good.arr"]).code, 0);
    assert_eq!(codes(&folder.arr(&["run", "bad.arr"])), ["unsupported-file-dtype"]);
}

#[test]
fn checking_needs_no_file_where_its_type_is_written() {
    let stated = "let x: f32[n] = load(\"gone.npy\")\nlet y = load(\"gone.npy\") + x\noutput z: f32[n] = x + y";
    let ran = check(stated);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.stderr, "note: there is no `gone.npy`; it is checked as `f32[n]`, its annotation\n");
    let ran = run(stated);
    assert_eq!((ran.code, codes(&ran)), (3, vec!["file-unreadable"]), "{}", ran.stderr);
    // Its type is used: what does not fit it is found.
    assert_eq!(codes(&check("let x: f32[n] = load(\"gone.npy\")\nlet y: f64[n] = x")), ["annotation-mismatch"]);
    let ran = check("let x = load(\"gone.npy\")\nx + load(\"gone.npy\")");
    assert_eq!((ran.code, codes(&ran)), (3, vec!["file-unreadable"]), "{}", ran.stderr);
    assert!(ran.said().contains("`let x: f32[n] = load(…)`"), "{}", ran.stderr);
    let default = "input x: f32[n] = load(\"gone.npy\")\noutput y = x + 1";
    assert_eq!(check(default).code, 0);
    assert_eq!(run(default).code, 3);
    let given = folder(default).arr(&["run", "s.arr", "x=[1, 2]"]);
    assert_eq!(given.stdout, "y = [2. 3.] : f32[2]\n", "a default that is not needed is not missed: {}", given.stderr);
    assert_eq!(codes(&check("let x: _[n] = load(\"gone.npy\")")), ["open-type"]);
    assert_eq!(codes(&check("let x: f32[n] = load(\"../gone.npy\")")), ["file-not-allowed"], "absent or not");
}

#[test]
fn dates_are_dates_before_anything_is_read() {
    let table = b"day,close\n2026-01-05,1\n2026-01-06,2\n";
    for script in [
        "input day: date[n] = load(\"t.csv:day\")\nday >= \"2026-01-06\"",
        "input day: date[n]\nday[day >= \"2026-01-06\"] == \"2026-01-06\"",
        "let day: date[n] = load(\"t.csv:day\")\nmax(day) == \"2026-01-06\"",
    ] {
        for there in [true, false] {
            let mut files: Vec<(&str, &[u8])> = vec![("s.arr", script.as_bytes())];
            files.extend(there.then_some(("t.csv", &table[..])));
            let checked = Folder::with(&files).arr(&["check", "s.arr"]);
            assert_eq!((checked.code, codes(&checked)), (0, vec![]), "{script}: {}", checked.stdout);
        }
    }
    let wrong = check("input day: date[n]\nday >= \"soon\"");
    assert_eq!(wrong.code, 1, "{}", wrong.stdout);
}

#[test]
fn checking_reads_headers_only() {
    let folder = Folder::with(&[("s.arr", b"let x: u8[n] = load(\"x.npy\")\nsum(x)")]);
    let header = npy("|u1", "(8000000000,)", &[]);
    folder.write("x.npy", &header);
    let file = std::fs::File::options().write(true).open(folder.path().join("x.npy")).expect("it is there");
    file.set_len(header.len() as u64 + 8_000_000_000).expect("files may have holes");
    assert_eq!(folder.arr(&["check", "s.arr"]).code, 0);
    let ran = folder.arr(&["run", "s.arr", "--copy", "--max-mem", "1M"]);
    assert_eq!(codes(&ran), ["too-large"], "{}", ran.stderr);
}

#[test]
fn paths_begin_in_the_folder_of_the_text() {
    let folder = folder("");
    std::fs::create_dir(folder.path().join("sub")).expect("a folder");
    folder.write("sub/t.arr", b"max(load(\"one.npy\"))");
    folder.write("sub/one.npy", &npy("|u1", "(1,)", &[7]));
    assert_eq!(folder.arr(&["run", "sub/t.arr"]).stdout, "7 : u8\n");
    let absolute = folder.path().join("sub/t.arr").display().to_string();
    assert_eq!(shell::arr_in("/".as_ref(), &["run", &absolute], "").stdout, "7 : u8\n");
    assert_eq!(folder.arr(&["eval", "max(load(\"sub/one.npy\"))"]).stdout, "7 : u8\n");
    assert_eq!(folder.arr(&["eval", "x + 1", "x=max(load(\"raw.npy\"))"]).stdout, "6 : i16\n");
    for args in [&["run", "-"][..], &[][..], &["repl"][..]] {
        let ran = shell::arr_in(folder.path(), args, "max(load(\"raw.npy\"))\n");
        assert_eq!(ran.stdout, "5 : i16\n", "{args:?}: {}", ran.stderr);
    }
    // A missing file is said to be missed where it was looked for.
    folder.write("sub/t.arr", b"load(\"raw.npy\")");
    let ran = folder.arr(&["run", "sub/t.arr"]);
    assert!(ran.code == 3 && ran.stderr.contains("`sub/raw.npy`"), "{}", ran.stderr);
}

#[test]
fn a_quote_that_none_closes_is_told_at_its_line() {
    let folder = Folder::new();
    for (text, line) in
        [("a\n\"1\n2\n", 2), ("a,b\n1,2\n\"3,4\n5,6\n", 3), ("a,b\n1,\"2\n\n3,4", 2), ("\"a\n1\n", 1), ("a\n1\n\"", 3)]
    {
        folder.write("t.csv", text.as_bytes());
        let ran = folder.arr(&["eval", "a", "*=t.csv"]);
        let told = format!("`t.csv` has a quote in line {line} that none closes");
        assert!(ran.code == 1 && ran.stderr.contains(&told), "{text:?}\n{}", ran.stderr);
    }
    folder.write("t.csv", b"a\n\"\"\"\"\n\"x\ny\"\n");
    assert_eq!(folder.arr(&["eval", "a + 0", "*=t.csv"]).stdout, "[0 1] : i32[2]\n");
}

#[test]
fn a_value_that_is_the_name_of_a_file_says_how_the_file_is_read() {
    let folder = Folder::new();
    folder.write("data", b"1\n2\n");
    std::fs::create_dir(folder.path().join("photos")).expect("the folder is writable");
    let said = |value: &str| {
        let ran = folder.arr(&["eval", "x * 2", value]);
        (ran.code, ran.stderr)
    };
    let (code, said_of_file) = said("x=data");
    assert!(code == 1 && said_of_file.contains("a file has that name: `@data` reads it"), "{said_of_file}");
    folder.write("a.npy.gz", b"");
    let (_, said_of_packed) = said("x=a.npy.gz");
    assert!(said_of_packed.contains("unpack `a.npy.gz` first"), "{said_of_packed}");
    folder.write("a.npy", b"");
    let (_, said_of_member) = said("x=a.npy:y");
    assert!(said_of_member.contains("`a.npy` holds one array"), "{said_of_member}");
    folder.write("data.dat", b"");
    let (_, said_of_ending) = said("x=data.dat");
    assert!(said_of_ending.contains("`@data.dat` reads it"), "{said_of_ending}");
    let (code, said_of_quotient) = said("x=1/2");
    assert!(code == 3 && said_of_quotient.contains("write a quotient as its value"), "{said_of_quotient}");
    let (code, said_of_folder) = said("x=photos");
    assert!(code == 1 && said_of_folder.contains("`photos` is a folder"), "{said_of_folder}");
    let (code, said_of_none) = said("x=nothing");
    assert!(code == 1 && said_of_none.contains("give it a value on the command line"), "{said_of_none}");
    let (code, said_of_dtype) = said("i8=4");
    assert!(
        code == 1 && said_of_dtype.contains("E0202") && said_of_dtype.contains("cannot be bound"),
        "{said_of_dtype}"
    );
    // A name that means something is no file.
    folder.write("pi", b"1\n");
    assert_eq!(folder.arr(&["eval", "x * 2", "x=pi"]).stdout, "6.283185307179586 : f*\n");
}

#[test]
fn what_is_wrong_with_a_file_is_said_at_the_string() {
    let cut = npy("<f8", "(9,)", &[0; 8]);
    let files: [(&str, &[u8], &str); 3] =
        [("cut.npy", &cut, "truncated-file"), ("text.npy", b"1 2", "bad-array-file"), ("x.bin", b"", "unknown-format")];
    for (name, bytes, code) in files {
        let folder = Folder::with(&[(name, bytes), ("s.arr", format!("1 + load(\"{name}\")\nnope").as_bytes())]);
        for command in ["run", "check"] {
            let ran = folder.arr(&[command, "s.arr"]);
            assert_eq!((ran.code, codes(&ran)), (1, vec![code, "unknown-name"]), "{}", ran.said());
            assert!(ran.said().contains("[ s.arr:1:10 ]"), "{}", ran.said());
        }
    }
    let long = npy("|u1", "(1,)", &[7, 8]);
    let folder = Folder::with(&[("x.npy", &long), ("s.arr", b"load(\"x.npy\") + load(\"x.npy\")")]);
    let ran = folder.arr(&["run", "s.arr"]);
    assert_eq!(
        (ran.stdout.as_str(), ran.stderr.as_str()),
        ("[14] : u8[1]\n", "1 warning (trailing-data); -v shows them\n")
    );
    let bound = Folder::with(&[("x.npy", &long), ("s.arr", b"input x: u8[n]\nx")]);
    for command in ["run", "check"] {
        for (folder, data) in [(&folder, &[][..]), (&bound, &["x=x.npy"][..])] {
            let ran = folder.arr(&[&[command, "s.arr", "--deny", "trailing-data"][..], data].concat());
            assert_eq!((ran.code, codes(&ran).first()), (1, Some(&"trailing-data")), "{command}: {}", ran.said());
        }
    }
}

#[test]
fn findings_about_files_weigh_what_the_user_says() {
    let script = b"load(\"t.csv:zip\")\n";
    let silenced = b"load(\"t.csv:zip\")  # arr: allow(lossy-column)\n";
    let table = b"zip,v\n01069,1\n80331,2\n";
    let toml = b"[lints]\nlossy-column = \"deny\"\n";
    let files: [(&str, &[u8]); 3] = [("t.csv", table), ("s.arr", script), ("a.arr", silenced)];
    let folder = Folder::with(&files);
    for command in
        [&["run", "s.arr"][..], &["check", "s.arr"], &["eval", "zip", "zip=t.csv:zip"], &["eval", "zip", "*=t.csv"]]
    {
        let with = |level: &str| folder.arr(&[command, &[level, "lossy-column"]].concat());
        let denied = with("--deny");
        assert_eq!((denied.code, codes(&denied)), (1, vec!["lossy-column"]), "{command:?}");
        let said = |ran: &Ran| format!("{}{}", ran.stdout, ran.stderr);
        let text = said(&denied);
        assert!(text.contains("zeros in front in line 2, column `zip`"), "{text}");
        assert!(text.contains("`codes(\"t.csv:zip\")` keeps them as words"), "{text}");
        let warned = with("--warn");
        assert_eq!((warned.code, said(&warned).contains("lossy-column")), (0, true), "{command:?}");
        let allowed = with("--allow");
        assert_eq!((allowed.code, said(&allowed).contains("lossy-column")), (0, false), "{command:?}");
    }
    assert!(!folder.arr(&["check", "a.arr"]).stdout.contains("lossy-column"));
    // No text names standard input.
    let piped = shell::arr_in(folder.path(), &["eval", "zip", "*=-", "--deny", "lossy-column"], "zip\n01069\n");
    assert_eq!(codes(&piped), ["lossy-column"]);
    assert!(piped.stderr.contains("`codes(\"FILE:zip\")` keeps them as words"), "{}", piped.stderr);
    let head = folder.arr(&["head", "t.csv"]);
    assert!(head.stderr.contains("which `i64` does not keep; `codes(\"t.csv:zip\")` keeps"), "{}", head.stderr);
    let project = Folder::with(&[&files[..], &[("arr.toml", toml)]].concat());
    assert_eq!(codes(&project.arr(&["run", "s.arr"])), ["lossy-column"]);
}

#[test]
fn systems_without_64_bit_types_load_none() {
    let folder = Folder::with(&[("x.npy", &npy("<f8", "(1,)", &[0; 8]))]);
    let ran = folder.arr(&["eval", "load(\"x.npy\")", "--system", "jax32"]);
    assert_eq!(codes(&ran), ["input-dtype"], "{}", ran.stderr);
}

#[test]
fn c20_scripts_read_below_their_folder_only() {
    let outside = Folder::with(&[("secret.npy", &raw()), ("passwd", b"root:x:0:0")]);
    let folder = folder("");
    let path = |name: &str| folder.path().join(name);
    symlink(outside.path().join("secret.npy"), path("link.npy")).expect("links are possible");
    symlink(outside.path(), path("far")).expect("links are possible");
    symlink("/proc/self/mem", path("mem.npy")).expect("links are possible");
    symlink("/dev/zero", path("zero.npy")).expect("links are possible");
    symlink("loop.npy", path("loop.npy")).expect("links are possible");
    symlink("raw.npy", path("near.npy")).expect("links are possible");
    assert!(Command::new("mkfifo").arg(path("pipe.npy")).status().expect("mkfifo runs").success());
    std::fs::create_dir(path("folder.npy")).expect("a folder");
    let secret = outside.path().join("secret.npy").display().to_string();
    let up = format!("../{}/secret.npy", outside.path().file_name().expect("a name").display());
    let cases: &[(&str, &str, i32)] = &[
        (&secret, "file-not-allowed", 1),
        (&up, "file-not-allowed", 1),
        ("../../../../../../etc/passwd", "file-not-allowed", 1),
        ("/etc/passwd", "file-not-allowed", 1),
        ("/no/such/file.npy", "file-not-allowed", 1),
        ("link.npy", "file-not-allowed", 1),
        ("far/secret.npy", "file-not-allowed", 1),
        ("far/passwd", "file-not-allowed", 1),
        ("far/no.npy", "file-not-allowed", 1),
        ("mem.npy", "file-not-allowed", 1),
        ("zero.npy", "file-not-allowed", 1),
        ("/dev/zero", "file-not-allowed", 1),
        ("/proc/self/mem", "file-not-allowed", 1),
        ("/proc/self/environ", "file-not-allowed", 1),
        ("pipe.npy", "file-unreadable", 1),
        ("folder.npy", "file-unreadable", 1),
        ("nul\\0.npy", "file-unreadable", 1),
        ("loop.npy", "file-unreadable", 3),
        ("~/a.npy", "file-unreadable", 3),
        ("$HOME/a.npy", "file-unreadable", 3),
        ("*.npy", "file-unreadable", 3),
        ("", "file-unreadable", 1),
    ];
    for (name, code, exit) in cases {
        folder.write("s.arr", format!("load(\"{name}\")").as_bytes());
        for command in ["run", "check"] {
            let started = Instant::now();
            let ran = folder.arr(&[command, "s.arr"]);
            assert_eq!((codes(&ran), ran.code), (vec![*code], *exit), "{command} {name}: {}", ran.said());
            assert!(started.elapsed() < Duration::from_secs(20), "{name} hangs");
            assert!(!ran.said().contains("root:"), "contents are never repeated: {}", ran.said());
            let advises = ran.said().contains("`--allow-read ");
            assert_eq!(advises, *code == "file-not-allowed", "{name}: {}", ran.said());
        }
    }
    for good in ["near.npy", "./raw.npy", "folder.npy/../raw.npy"] {
        folder.write("s.arr", format!("max(load(\"{good}\"))").as_bytes());
        let ran = folder.arr(&["run", "s.arr"]);
        assert_eq!(ran.stdout, "5 : i16\n", "{good}: {}", ran.stderr);
    }
}

#[test]
fn c20_allow_read_names_more_folders() {
    let (one, two) = (Folder::with(&[("a.npy", &raw())]), Folder::with(&[("b.npy", &raw())]));
    let here = Folder::new();
    let name = |folder: &Folder| folder.path().display().to_string();
    let text = format!("max(load(\"{}/a.npy\") + load(\"{}/b.npy\"))", name(&one), name(&two));
    here.write("s.arr", text.as_bytes());
    let (first, second) = (format!("--allow-read={}", name(&one)), format!("--allow-read={}", name(&two)));
    for args in
        [&["run", "s.arr"][..], &["check", "s.arr"], &["eval", &text], &["check", "--compare", "jax,numpy", "s.arr"]]
    {
        let with = |more: &[&str]| {
            let args: Vec<&str> = args.iter().chain(more).copied().collect();
            here.arr(&args)
        };
        assert_eq!(codes(&with(&[])), ["file-not-allowed"; 2], "{args:?}");
        let ran = with(&[&first]);
        assert_eq!(codes(&ran), ["file-not-allowed"], "{args:?}");
        assert!(ran.said().contains(&format!("`--allow-read {}`", name(&two))), "{}", ran.said());
        let ran = with(&[&first, &second]);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.stderr);
    }
    // What is advised can be pasted: into a shell, and at the prompt.
    here.write("my data/a.npy", &raw());
    here.write("in/s.arr", b"max(load(\"../my data/a.npy\"))");
    let told = here.arr(&["run", "in/s.arr"]).stderr;
    assert!(told.contains("`--allow-read 'in/../my data'` allows it"), "{told}");
    let path = format!("\"{}/a.npy\"", name(&one));
    let told = shell::arr_in(here.path(), &["repl"], format!("load({path})\n:load {path}\nmax(a)\n"));
    assert!(told.stderr.contains(&format!("here `:load {path}` reads it")), "{}", told.stderr);
    assert_eq!(told.stdout, "5 : i16\n", "{}", told.stderr);
    let ran = shell::arr_in(here.path(), &["repl", &first, &second], format!("{text}\n"));
    assert_eq!(ran.stdout, "10 : i16\n", "{}", ran.stderr);
    let ran = here.arr(&["run", "s.arr", "--allow-read", "nowhere"]);
    assert!(ran.code == 3 && ran.stderr.contains("`--allow-read` names this folder"), "{}", ran.stderr);
}

#[test]
fn c24_many_loads_need_few_descriptors() {
    let folder = Folder::new();
    let data = vec![1u8; 70_000];
    let mut script = String::new();
    for index in 0..300 {
        folder.write(&format!("x{index}.npy"), &npy("|u1", "(70000,)", &data));
        let _ = writeln!(script, "let _x{index}: u8[n] = load(\"x{index}.npy\")");
    }
    for index in 0..100_000 {
        let _ = writeln!(script, "let _y{index} = load(\"x{}.npy\")", index % 300);
    }
    script.push_str("max(u8(_x299 + _y0))");
    folder.write("s.arr", script.as_bytes());
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -n 64; exec \"$0\" run s.arr", env!("CARGO_BIN_EXE_arr")]).current_dir(folder.path());
    let output = limited.output().expect("there is a shell");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!((output.status.code(), &*out, &*err), (Some(0), "2 : u8\n", ""));
}

#[test]
fn c13_an_output_over_a_loaded_file_keeps_what_is_read() {
    let data: Vec<u8> = (0..100_000u32).map(|i| (i % 251) as u8).collect();
    let folder =
        Folder::with(&[("x.npy", &npy("|u1", "(100000,)", &data)), ("s.arr", b"output y = u8(load(\"x.npy\") + 1)")]);
    symlink("x.npy", folder.path().join("link.npy")).expect("links are possible");
    for (target, added) in [("x.npy", 1), ("link.npy", 2)] {
        let ran = folder.arr(&["run", "s.arr", "-o", target]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        let bytes = std::fs::read(folder.path().join("x.npy")).expect("it is there");
        let wanted = data.iter().map(|byte| byte + added);
        assert!(bytes[bytes.len() - 100_000..].iter().copied().eq(wanted), "{target}");
    }
    let before = std::fs::read(folder.path().join("x.npy")).expect("it is there");
    folder.write("s.arr", b"output y = load(\"x.npy\") + load(\"gone.npy\")");
    assert_eq!(folder.arr(&["run", "s.arr", "-o", "x.npy"]).code, 3);
    assert!(std::fs::read(folder.path().join("x.npy")).expect("it is there") == before, "a failure leaves it alone");
}

#[test]
fn c10_a_loaded_file_that_shrinks_ends_the_run_and_not_the_process() {
    let folder = Folder::with(&[("x.npy", &npy("|u1", "(1000000,)", &vec![1; 1_000_000]))]);
    let mut child = shell::command(folder.path(), &["repl"]).stdin(Stdio::piped()).spawn().expect("the command starts");
    let mut input = child.stdin.take().expect("standard input is a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
    let mut answer = |text: &str| {
        writeln!(input, "{text}").expect("it reads");
        let mut line = String::new();
        output.read_line(&mut line).expect("it answers");
        line
    };
    assert_eq!(answer("let x = load(\"x.npy\")\n1"), "1 : i*\n");
    let file = std::fs::File::options().write(true).open(folder.path().join("x.npy")).expect("it is there");
    file.set_len(8192).expect("files may shrink");
    assert_eq!(answer("max(x + x)\n2"), "2 : i*\n", "no value comes of it");
    drop(input);
    let ran = child.wait_with_output().expect("it ends");
    let messages = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.code() == Some(1) && messages.contains("truncated-file"), "{messages}");
}
