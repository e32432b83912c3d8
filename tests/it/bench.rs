//! `arr bench`, and the table of the peers that the README quotes.

use crate::lab;
use crate::shell::{self, Folder};
use serde_json::Value;
use std::fmt::Write;

/// A folder with a script.
fn folder(script: &str) -> Folder {
    Folder::with(&[("k.arr", script.as_bytes())])
}

/// Measures for no longer than it must.
fn bench(script: &str, args: &[&str]) -> shell::Ran {
    let args: Vec<&str> = [&["bench", "k.arr", "--time", "0"], args].concat();
    folder(script).arr(&args)
}

/// Every number that is measured as `#`.
fn masked(text: &str) -> String {
    let mut masked = String::new();
    for line in text.lines() {
        let measured = ["run ", "element ", "bandwidth ", "copy ", "compile ", "check ", "threads ", "isa "];
        if !measured.iter().any(|label| line.trim_start().starts_with(label)) {
            let _ = writeln!(masked, "{line}");
            continue;
        }
        let words = line.split_whitespace().map(|word| match word.trim_end_matches(',').parse::<f64>() {
            Ok(_) => "#",
            Err(_) => match word {
                "ns" | "µs" | "ms" | "s" => "time",
                "sse" | "avx2" | "avx512" => "level",
                word => word,
            },
        });
        let _ = writeln!(masked, "  {}", words.collect::<Vec<_>>().join(" "));
    }
    masked
}

const AXPBY: &str = "input a: _[n]\ninput b: _[n]\noutput y = 2*a + 3*b\n";

#[test]
fn a_report_names_what_was_run_and_every_number_with_its_unit() {
    let ran = bench(AXPBY, &["a:f32[1000]", "b:f32[1000]", "--threads", "1"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let expected = "k.arr

  a          f32[1000]  random, from 0 to 1
  b          f32[1000]  random, from 0 to 1
  y          f32[1000]  computed

  run # time median of # runs; the fastest # time
  element # time 1,000 elements in each run
  bandwidth # GB/s 12.0 kB read and written
  copy # GB/s what this machine copies; the run reaches # % of it
  compile # time once, in the first run
  check # time once: parsing, reading data, checking
  threads # at most
  isa level vectors of # bits
";
    let found = masked(&ran.stdout).replace("12.0 kB", "# kB").replace("1,000 elements", "# elements");
    assert_eq!(found, expected.replace("12.0 kB", "# kB").replace("1,000 elements", "# elements"), "{}", ran.stdout);
    assert!(ran.stdout.contains("1,000 elements") && ran.stdout.contains("12.0 kB"), "{}", ran.stdout);
}

#[test]
fn json_is_one_object_with_what_scripts_ask_for() {
    let ran = bench(AXPBY, &["a:f32[5000]", "b:f32[5000]", "--json", "--threads", "1"]);
    assert_eq!((ran.code, ran.stderr.as_str(), ran.stdout.lines().count()), (0, "", 1));
    let found: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let keys: Vec<&String> = found.as_object().expect("an object").keys().collect();
    assert_eq!(
        keys,
        [
            "version",
            "script",
            "ns_per_element",
            "compile_us",
            "gb_per_s",
            "copy_gb_per_s",
            "share_of_copy",
            "threads",
            "isa",
            "elements",
            "bytes",
            "runs",
            "run_us",
            "run_us_least",
            "front_us",
            "inputs",
            "outputs"
        ]
    );
    for key in ["ns_per_element", "compile_us", "gb_per_s", "copy_gb_per_s", "run_us", "front_us"] {
        assert!(found[key].as_f64().expect("a number") > 0.0, "{key} of {found}");
    }
    assert_eq!((&found["elements"], &found["bytes"], &found["threads"]), (&5000.into(), &60_000.into(), &1.into()));
    let (each, run) = (found["ns_per_element"].as_f64(), found["run_us"].as_f64());
    let ratio = each.zip(run).map(|(each, run)| each * 5000.0 / (run * 1000.0)).expect("numbers");
    assert!((0.99..1.01).contains(&ratio), "{found}");
    assert_eq!(
        found["inputs"][0],
        serde_json::json!({"name": "a", "dtype": "f32", "shape": [5000], "random": [0.0, 1.0]})
    );
    assert_eq!(found["outputs"], serde_json::json!([{"name": "y", "dtype": "f32", "shape": [5000]}]));
    assert_eq!(bench(AXPBY, &["a:f32[8]", "b:f32[8]", "--format", "json"]).stdout.matches("\"version\":1").count(), 1);
}

/// One size is enough where dimensions have names; ranges and defaults are heeded.
#[test]
fn inputs_without_values_are_filled_within_their_types() {
    let script = "input a: f32[n]\ninput b: i16[n, 2*n] in [-5, 7]\ninput c: f64[3]\ninput d: f32 = 2\n\
                  output low = min(b)\noutput high = max(b)\noutput s = sum(a) * d\noutput t = sum(c)\n";
    let ran = bench(script, &["a:f32[40]", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let found: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let inputs: Vec<String> = found["inputs"].as_array().expect("a list").iter().map(Value::to_string).collect();
    assert_eq!(
        inputs,
        [
            r#"{"name":"a","dtype":"f32","shape":[40],"random":[0.0,1.0]}"#,
            r#"{"name":"b","dtype":"i16","shape":[40,80],"random":[-5.0,7.0]}"#,
            r#"{"name":"c","dtype":"f64","shape":[3],"random":[0.0,1.0]}"#,
        ]
    );
    assert_eq!(found["elements"], 3200);
}

#[test]
fn data_from_files_gives_sizes_to_the_rest() {
    let place = folder("input a: u8[n]\ninput b: f32[n]\na + b\n");
    let written = place.arr(&["eval", "u8(arange(77))", "-o", "a.npy"]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    let ran = place.arr(&["bench", "k.arr", "a=a.npy", "--time", "0"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    for part in ["u8[77]   given", "f32[77]  random, from 0 to 1", "result     f32[77]  computed"] {
        assert!(ran.stdout.contains(part), "{part}\n{}", ran.stdout);
    }
}

#[test]
fn what_is_wrong_is_a_diagnostic_with_a_code() {
    let cases = [
        (AXPBY, vec!["a:f32[9]"], 1, "E0507"),
        ("input a: f32[n]\na\n", vec![], 1, "E0507"),
        ("input a: f32[n]\na\n", vec!["a:f64[9]"], 1, "E0503"),
        ("input a: f32[3]\na\n", vec!["a:f32[9]"], 1, "E0504"),
        ("input a: f32[n]\ninput b: f32[n]\na + b\n", vec!["a:f32[9]", "b:f32[8]"], 1, "E0504"),
        ("input a: f32\na\n", vec!["b=1"], 1, "E0505"),
        ("input a: f32[n]\na +\n", vec!["a:f32[9]"], 1, "E01"),
        ("input a: f32[n]\na\n", vec!["a=missing.npy"], 3, "E0510"),
        ("input a: f32[n]\na\n", vec!["a:f32[4000000000]", "--max-mem", "1G"], 1, "E0518"),
        ("input a: f32[n]\na\n", vec!["a:f32[9000000000000000]"], 1, "E0"),
        ("assert 1 > 2\n1\n", vec![], 1, "E0"),
    ];
    for (script, args, code, wanted) in cases {
        let ran = bench(script, &args);
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "{script}{args:?}\n{}", ran.stderr);
        assert!(ran.stderr.contains(&format!("Error[{wanted}")), "{script}{args:?}\n{}", ran.stderr);
    }
    let nothing = bench("", &[]);
    assert_eq!((nothing.code, nothing.stdout.as_str()), (1, ""));
    assert!(nothing.stderr.contains("`k.arr` computes nothing"), "{}", nothing.stderr);
    let help = bench("input a: f32[n, m]\na\n", &[]).stderr;
    assert!(help.contains("`a:f32[1000, 1000]` fills it with random numbers"), "{help}");
    assert_eq!(folder(AXPBY).arr(&["bench", "none.arr"]).code, 3);
    for args in [["--time", "-1"], ["--time", "long"], ["--seed", "x"]] {
        assert_eq!(bench(AXPBY, &args).code, 2, "{args:?}");
    }
    assert!(bench(AXPBY, &["--seed", "-1"]).stderr.contains("write a number from 0 to 18446744073709551615"));
}

#[test]
fn an_interrupt_ends_a_measurement() {
    let place = folder(AXPBY);
    let args = ["bench", "k.arr", "a:f32[1000]", "b:f32[1000]", "--time", "3000"];
    let mut child = shell::command(place.path(), &args).spawn().expect("the command starts");
    std::thread::sleep(std::time::Duration::from_millis(300));
    let id = child.id().to_string();
    let killed = std::process::Command::new("kill").args(["-INT", &id]).status().expect("kill runs");
    assert!(killed.success());
    assert_eq!(child.wait().expect("the command ends").code(), Some(130));
}

/// Every kernel that the benches measure runs as its head says.
#[test]
fn the_kernels_of_the_benches_run() {
    let mut count = 0;
    for entry in std::fs::read_dir(lab::root("benches/kernels")).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a script");
        assert!(text.starts_with("# "), "{path:?} begins with what it is");
        let inputs: Vec<String> = text
            .lines()
            .filter_map(|line| line.strip_prefix("input "))
            .map(|line| line.replace(": ", ":").replace("g:_[", "g:i64[").replace("_[", "f32[").replace("2*n", "8"))
            .map(|line| line.replace("[n", "[4").replace("[r", "[4").replace("c]", "4]").replace("[k]", "[4]"))
            .map(|line| match line.as_str() {
                "i:i64[m]" => "i:i64[4]=[3, -1, 0, 2]".to_owned(),
                "xp:f32[4]" => "xp:f32[4]=[0, 1, 2.5, 4]".to_owned(),
                _ => line,
            })
            .collect();
        let integers = path.file_stem().is_some_and(|stem| stem.to_string_lossy().starts_with("k15"));
        let inputs: Vec<String> =
            inputs.iter().map(|input| if integers { input.replace("f32", "i32") } else { input.clone() }).collect();
        let mut args = vec!["bench", path.to_str().expect("a path"), "--time", "0", "--json"];
        args.extend(inputs.iter().map(String::as_str));
        let ran = Folder::new().arr(&args);
        assert_eq!(ran.code, 0, "{args:?}\n{}", ran.stderr);
        count += 1;
    }
    assert!(count >= 20);
}

/// `benches/peers/run` writes both; nobody changes one of them by hand. A level's table is quoted as soon as it is
/// there.
#[test]
fn the_readme_quotes_the_tables_of_the_peers() {
    let part = |path: &str, name: &str| {
        let text = std::fs::read_to_string(lab::root(path)).ok()?;
        let (_, rest) = text.split_once(&format!("<!-- {name}: begin -->"))?;
        Some(rest.split_once(&format!("<!-- {name}: end -->"))?.0.to_owned())
    };
    assert!(part("README.md", "peers").is_some(), "the README has the table");
    for (name, results) in [("peers", "results.md"), ("peers-avx2", "results-avx2.md")] {
        let results = part(&format!("benches/peers/{results}"), name);
        assert_eq!(part("README.md", name), results, "benches/peers/run --table writes both");
    }
}
