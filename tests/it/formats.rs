//! `arr check --format`: what services and editors read, and how it goes where it belongs.

use crate::shell::{Folder, Ran};
use serde_json::Value;
use std::time::{Duration, Instant};

/// One finding with help and labels, one mistake, text beyond ASCII before them.
const SCRIPT: &str = "input counts: i32[n]\ninput gain: f32[n]\n\nlet é = counts * gain\né + totl\n";

fn folder() -> Folder {
    let folder = Folder::with(&[("b.arr", b"let total = 1\ntotl + total\n")]);
    std::fs::create_dir(folder.path().join("sub dir")).expect("the folder is writable");
    folder.write("sub dir/a.arr", SCRIPT.as_bytes());
    folder
}

fn sarif(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {}", ran.stdout))
}

#[test]
fn github_reads_one_command_a_finding() {
    let ran = folder().arr(&["check", "--format", "github", "."]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{}", ran.stdout);
    let first =
        "::error file=./b.arr,line=2,col=1,endLine=2,endColumn=5,title=E0201 unknown-name::`totl` is not defined";
    assert!(lines[0].starts_with(&format!("{first}%0AHelp: ")), "{}", lines[0]);
    let second = "::warning file=./sub dir/a.arr,line=4,col=16,endLine=4,endColumn=17,title=E0301 precision-loss::";
    assert!(lines[1].starts_with(second), "{}", lines[1]);
}

#[test]
fn sarif_has_rules_places_fixes_and_fingerprints() {
    let folder = folder();
    let ran = folder.arr(&["check", "--format", "sarif", "."]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    assert_eq!(folder.arr(&["check", "--format", "sarif", "."]).stdout, ran.stdout, "the same bytes again");
    assert!(!ran.stdout.contains(folder.path().to_str().expect("a name")), "nothing of the machine");
    let log = sarif(&ran);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    assert_eq!(run["invocations"][0]["exitCode"], 1);
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    assert!(run["originalUriBaseIds"]["%SRCROOT%"].is_object());
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let ids: Vec<&Value> = rules.iter().map(|rule| &rule["id"]).collect();
    assert_eq!(ids, ["E0201", "E0301"]);
    assert_eq!(rules[1]["name"], "precision-loss");
    assert_eq!(rules[1]["defaultConfiguration"]["level"], "warning");
    assert!(rules[1]["help"]["text"].as_str().expect("a page").contains("This raises it"));
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), 3);
    for result in results {
        assert_eq!(rules[result["ruleIndex"].as_u64().expect("an index") as usize]["id"], result["ruleId"]);
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uriBaseId"], "%SRCROOT%");
        let region = &place["region"];
        let at = |key: &str| region[key].as_u64().unwrap_or_else(|| panic!("{key} in {region}"));
        assert!(at("startLine") >= 1 && at("startColumn") >= 1);
        assert!((at("endLine"), at("endColumn")) > (at("startLine"), at("startColumn")));
    }
    let loss = &results[1];
    assert_eq!(loss["level"], "warning");
    assert_eq!(loss["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "sub%20dir/a.arr");
    let region = &loss["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["startLine"], &region["startColumn"]), (&4.into(), &16.into()), "é is one column");
    assert!(loss["relatedLocations"].as_array().expect("labels").len() >= 3, "both operands and their inputs");
    assert_eq!(loss["fixes"][0]["properties"]["keepsValues"], false);
    assert!(loss["fixes"][1].is_null(), "a cast that writes the loss down is no fix");
    let change = &loss["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(change["insertedContent"]["text"], "f64(");
    assert_eq!(change["deletedRegion"]["startColumn"], change["deletedRegion"]["endColumn"], "an insertion");
}

#[test]
fn fingerprints_follow_their_lines() {
    let prints = |script: &str| {
        let folder = Folder::with(&[("a.arr", script.as_bytes())]);
        let log = sarif(&folder.arr(&["check", "--format", "sarif", "a.arr"]));
        let results = log["runs"][0]["results"].as_array().expect("results").clone();
        results.iter().map(|it| it["partialFingerprints"]["arrFinding/v1"].to_string()).collect::<Vec<_>>()
    };
    let before = prints("let total = 1\n1u8 << 8\n1u8 << 8\nx0 + 1\ntotal\n");
    let after = prints("# one\n\nlet total = 1\n  \n  1u8 << 8\n1u8 << 8\n\n\nx0  + 1\ntotal\n");
    assert_eq!(before, after);
    assert_eq!(before.len(), 3);
    assert!(before[0] != before[1] && before[1] != before[2] && before[0] != before[2], "{before:?}");
}

#[test]
fn several_formats_go_to_their_places() {
    let folder = folder();
    let ran = folder.arr(&[
        "check",
        ".",
        "--format",
        "sarif=out.sarif",
        "--format",
        "json=out.json",
        "--format",
        "github",
        "--format",
        "text",
    ]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.starts_with("::error file="), "{}", ran.stdout);
    assert!(ran.stderr.ends_with("2 errors, 1 warning\n"), "{}", ran.stderr);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("it was written");
    assert_eq!(read("out.sarif"), folder.arr(&["check", ".", "--format", "sarif"]).stdout);
    assert_eq!(read("out.json"), folder.arr(&["check", ".", "--format", "json"]).stdout);
    assert_eq!(folder.arr(&["check", ".", "--format", "json=-"]).stdout, read("out.json"));
    assert!(!folder.path().join("-").exists());
    folder.arr(&["check", ".", "--format", "text=out.txt"]);
    assert!(read("out.txt").starts_with("Error[E0201 unknown-name]"));
    for wrong in [
        &["--format", "json", "--format", "github"][..],
        &["--format", "xml"],
        &["--format", "json="],
        &["--format", "json=x", "--format", "sarif=x"],
        &["--format", "sarif", "--compare", "jax,numpy"],
        &["--format", "github", "--statistics"],
        &["--diff", "--format", "json"],
    ] {
        let ran = folder.arr(&[&["check", "."], wrong].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{wrong:?}: {}", ran.stderr);
    }
    assert_eq!(folder.arr(&["check", ".", "--format", "json=missing/x.json"]).code, 3);
}

#[test]
fn statistics_count_each_code() {
    let folder = folder();
    folder.write("c.arr", b"input a: i16[n]\ninput b: f16[n]\ninput c: i32[n]\nlet d = a * b\nlet e = c * b\nd + e\n");
    let ran = folder.arr(&["check", ".", "--statistics"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines.len() >= 2, "{}", ran.stdout);
    assert!(lines.iter().any(|line| line.contains("E0301  precision-loss") && line.contains("with --unsafe-fixes]")));
    let unknown = lines.iter().find(|line| line.contains("E0201  unknown-name")).expect("it is counted");
    assert!(unknown.starts_with("2  ") && unknown.ends_with("[1 with --unsafe-fixes]"), "{unknown}");
    let counts: Vec<usize> = lines
        .iter()
        .map(|line| line.split_whitespace().next().and_then(|it| it.parse().ok()).expect("a count"))
        .collect();
    assert!(counts.is_sorted_by(|a, b| a >= b), "{counts:?}");
    let data: Value = serde_json::from_str(&folder.arr(&["check", ".", "--statistics", "--format", "json"]).stdout)
        .expect("it is JSON");
    let rows = data["statistics"].as_array().expect("rows");
    assert_eq!(rows.iter().map(|row| row["count"].as_u64().expect("a count") as usize).collect::<Vec<_>>(), counts);
    assert_eq!(Folder::with(&[("a.arr", b"1")]).arr(&["check", "a.arr", "--statistics"]).stdout, "");
    // No comparison mends a `let` without a name.
    let ran = Folder::with(&[("a.arr", b"let = 3\n")]).arr(&["check", "a.arr", "--statistics"]);
    assert!(ran.stdout.starts_with("1  E0101") && !ran.stdout.contains("fixable"), "{}", ran.stdout);
}

#[test]
fn many_files_and_many_findings_are_checked_in_time() {
    let folder = Folder::new();
    let lines = (0..96).map(|at| format!("let x{at} = counts * {at} + gain\n"));
    let script = format!("input counts: i32[n]\ninput gain: f32[n]\n{}output y = x3\n", lines.collect::<String>());
    for at in 0..1000 {
        folder.write(&format!("{at:03}.arr"), script.as_bytes());
    }
    let begun = Instant::now();
    let ran = folder.arr(&["check", "."]);
    let took = begun.elapsed();
    println!("1000 files of 99 lines: {took:?}");
    assert_eq!(ran.code, 0);
    assert!(ran.stdout.ends_with(" warnings\n") && ran.stdout.contains("\n… and "), "the rest is counted");
    assert!(ran.stdout.lines().count() < 3000, "{}", ran.stdout.lines().count());
    // The aim is one second; a busy machine may take many times as long.
    assert!(took < Duration::from_secs(40), "{took:?}");
}

#[test]
fn reports_are_in_the_order_of_the_text() {
    let lines = |script: &str| {
        let folder = Folder::with(&[("a.arr", script.as_bytes())]);
        let concise = folder.arr(&["check", "--format", "concise", "a.arr"]).stdout;
        let told: Value =
            serde_json::from_str(&folder.arr(&["check", "--format", "json", "a.arr"]).stdout).expect("JSON");
        let of_json: Vec<u64> =
            told["diagnostics"].as_array().expect("a list").iter().filter_map(|it| it["line"].as_u64()).collect();
        let of_text: Vec<u64> =
            concise.lines().filter_map(|line| line.strip_prefix("a.arr:")?.split(':').next()?.parse().ok()).collect();
        assert_eq!(of_json, of_text, "{concise}");
        let drawn = folder.arr(&["check", "a.arr"]).stdout;
        let heads: Vec<u64> =
            drawn.lines().filter_map(|line| line.split("[ a.arr:").nth(1)?.split(':').next()?.parse().ok()).collect();
        assert_eq!(heads, of_text, "{drawn}");
        of_text
    };
    assert_eq!(lines("let a = 1e400\nlet b = 0b2\n")[..2], [1, 2]);
    let mixed = lines("unknown1\n1 && true\nunknown2\nlet c = 0b2\n1u8 << 8\n");
    assert!(mixed.is_sorted() && mixed.len() >= 4, "{mixed:?}");
}

#[test]
fn findings_have_a_lint_and_errors_have_none() {
    let folder = Folder::with(&[("a.arr", b"1u8 << 8\nnope\n")]);
    let told: Value = serde_json::from_str(&folder.arr(&["check", "--format", "json", "a.arr"]).stdout).expect("JSON");
    let both = |at: usize| (told["diagnostics"][at]["name"].clone(), told["diagnostics"][at]["lint"].clone());
    assert_eq!(both(0), ("shift-out-of-range".into(), "shift-out-of-range".into()));
    assert_eq!(both(1), ("unknown-name".into(), Value::Null));
}

#[test]
fn a_file_that_is_wrong_as_a_whole_is_named() {
    let folder = Folder::with(&[("bad.arr", b"\xff\xfe")]);
    for (name, code) in [("bad.arr", "E0122"), ("missing.arr", "E0510")] {
        let ran = |format: &str| folder.arr(&["check", "--format", format, name]);
        let told: Value = serde_json::from_str(&ran("json").stdout).expect("JSON");
        let found = &told["diagnostics"][0];
        assert_eq!((&found["code"], &found["file"], &found["line"]), (&code.into(), &name.into(), &Value::Null));
        let github = ran("github").stdout;
        assert!(github.starts_with(&format!("::error file={name},title={code} ")), "{github}");
        let place = &sarif(&ran("sarif"))["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], name);
        assert!(place["region"].is_null(), "{place}");
    }
}

#[test]
fn programs_are_told_the_names_that_files_have() {
    let long = format!("{}/{}/l.arr", "d".repeat(150), "e".repeat(150));
    for name in ["n\nl.arr", "t\tl.arr", long.as_str()] {
        let folder = Folder::new();
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("folders are made");
        std::fs::write(path, "nope\n").expect("it is written");
        let ran = |format: &str| folder.arr(&["check", "--format", format, name]);
        let told: Value = serde_json::from_str(&ran("json").stdout).expect("JSON");
        assert_eq!(told["diagnostics"][0]["file"], name);
        let coded = name.replace('\n', "%0A");
        let github = ran("github").stdout;
        assert!(github.starts_with(&format!("::error file={coded},line=1,")), "{github}");
        let place = &sarif(&ran("sarif"))["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], coded.replace('\t', "%09"));
        let text = ran("text").stdout;
        assert!(!text.contains(name) && text.contains("l.arr:1:1"), "{text}");
    }
}
