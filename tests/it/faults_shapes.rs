//! Faults of arrays that data shapes, case by case (E40 to E50).

use crate::lab;
use crate::shell::{self, Folder};
use arrlang::promotion::verdict::Mode;

/// The code and the message of what is wrong with a text, and the part of it that is underlined.
fn found(text: &str) -> Vec<(&'static str, String, String)> {
    let reply = lab::run(text, Mode::All);
    let shown = |span: arrlang::source::Span| text[span.start as usize..span.end as usize].to_owned();
    let errors = reply.diagnostics.iter().filter(|found| found.is_error());
    errors.map(|it| (it.code.name, it.message.clone(), it.span().map(shown).unwrap_or_default())).collect()
}

/// One error with this code, which says this, here.
fn fails(text: &str, code: &str, says: &str, place: &str) {
    let found = found(text);
    let fits = |it: &(&str, String, String)| it.0 == code && it.1.contains(says) && it.2.contains(place);
    assert!(found.len() == 1 && fits(&found[0]), "{text}: {found:?}");
}

#[test]
fn e40_a_mask_of_the_wrong_length() {
    fails("[1, 2, 3][[true, false]]", "shapes-differ", "a mask of shape [2]", "[true, false]");
    fails("let x = arange(6)\nx[x[1:] > 2]", "shapes-differ", "a mask of shape [5]", "x[1:] > 2");
    // A mask over what another one keeps, where only the data decides.
    fails("let x = arange(6)\nlet y = x[x > 2]\ny[x > 3]", "shapes-differ", "a mask of shape", "x > 3");
}

#[test]
fn a_part_from_the_end_that_may_be_all_is_told_how_to_be_written() {
    let script = |part: &str| format!("input x: f64[n]\nlet p = x[x > 0]\nlet k = p.size\nvar y = x\n{part} = p\ny\n");
    let (session, prepared) = lab::check(&script("y[-k:]"), Mode::All);
    let said = lab::drawn(&prepared.diagnostics, &session.sources);
    let wanted = "where `k` is 0, `y[-k:]` is all of `y`: write `y[len(y) - k:]`";
    assert!(said.contains("update-shape") && said.contains(wanted), "{said}");
    assert_eq!(lab::check(&script("y[len(y) - k:]"), Mode::All).1.diagnostics.error_count(), 0);
}

#[test]
fn e41_a_position_out_of_range_in_a_mapped_file_that_changes() {
    let folder = Folder::new();
    let values: Vec<i64> = (0..4_000_000).map(|at| at % 1000).collect();
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    let header = format!("{{'descr': '<i8', 'fortran_order': False, 'shape': ({},), }}", values.len());
    bytes.extend_from_slice(format!("{header:<117}\n").as_bytes());
    values.iter().for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
    let path = folder.path().join("i.npy");
    std::fs::write(&path, &bytes).expect("the file is written");
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            use std::io::{Seek, Write};
            let mut file = std::fs::File::options().write(true).open(&path).expect("the file opens");
            let mut turn = 0u64;
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                turn += 1;
                let value = if turn.is_multiple_of(2) { 1_000_000_007i64 } else { 1 };
                file.seek(std::io::SeekFrom::Start(128 + 8 * (turn * 7919 % 4_000_000))).expect("it seeks");
                file.write_all(&value.to_le_bytes()).expect("it writes");
            }
        });
        for text in ["sum(arange(1000)[i])", "bincount(i, length=1000)[0]", "segment_count(i, 1000)[0]"] {
            let output = shell::command(folder.path(), &["eval", text, "i=i.npy"]).output().expect("the command runs");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(matches!(output.status.code(), Some(0 | 1)), "{text}: {:?} {said}", output.status);
            assert!(!said.contains("internal") && !said.contains("panicked"), "{said}");
        }
        done.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    std::fs::write(&path, &bytes).expect("the file is written");
    let mut own = bytes.clone();
    own[128 + 8..128 + 16].copy_from_slice(&1000i64.to_le_bytes());
    std::fs::write(&path, &own).expect("the file is written");
    let output =
        shell::command(folder.path(), &["eval", "arange(1000)[i]", "i=i.npy"]).output().expect("the command runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("index-out-of-range") && said.contains("1000"), "{said}");
}

#[test]
fn e42_more_groups_than_memory_holds() {
    for text in ["bincount([281474976710656])", "bincount([9223372036854775807])", "bincount([0, 1 << 62])"] {
        let found = found(text);
        assert!(
            found.len() == 1 && ["out-of-memory", "too-large", "array-too-large"].contains(&found[0].0),
            "{text}: {found:?}"
        );
    }
    let found = found("segment_sum([1.0], [0], 281474976710656)");
    assert!(found.len() == 1 && ["out-of-memory", "too-large", "array-too-large"].contains(&found[0].0), "{found:?}");
}

#[test]
fn e43_a_label_below_zero() {
    fails("bincount([1, -2])", "out-of-range", "the label -2 at [1] is negative", "bincount");
    fails("segment_sum([1.0, 2.0], [0, -1], 3)", "out-of-range", "the label -1 at [1]", "segment_sum");
    fails("segment_max([1.0, 2.0], [0, 3], 3)", "out-of-range", "the label 3 at [1]", "segment_max");
}

#[test]
fn e44_points_of_a_line_that_are_not_in_order() {
    fails("interp([1.5], [2.0, 1.0], [1.0, 2.0])", "out-of-range", "must ascend", "interp");
    fails(
        "let e: f64[0] = zeros(0)\ninterp([1.5], e, e)",
        "out-of-range",
        "needs a point, and `xp` has none",
        "interp",
    );
    fails("interp([1.5], [1.0, nan], [1.0, 2.0])", "out-of-range", "must ascend", "interp");
    fails("histogram([1.5], [2.0, 1.0])[0]", "out-of-range", "must ascend", "histogram");
}

#[test]
fn e45_a_histogram_of_what_is_no_number() {
    fails("histogram([1.0, nan], 2)[0]", "out-of-range", "reach nan", "histogram");
    fails("histogram([1.0, inf], 2)[0]", "out-of-range", "no bins of a finite width", "histogram");
    fails("histogram([-1e308, 1e308], 2)[0]", "out-of-range", "no bins of a finite width", "histogram");
    fails("histogram([1.0], 2, range=(3, 1))[0]", "out-of-range", "ascends", "histogram");
    // Where the range is given, it is defined: what is no number lies in no bin.
    let text = "histogram([1.0, nan, inf, -inf, 2.0], 2, range=(0, 2))[0]";
    assert_eq!(lab::values(text, Mode::All), ["[0. 2.] : f64[2]"]);
}

#[test]
fn e46_the_extreme_of_a_selection_of_nothing() {
    for op in ["max", "min", "argmax", "argmin"] {
        let text = format!("let x = [1.0, 2.0]\n{op}(x[x > 5])");
        fails(&text, "empty-reduction", "nothing", op);
    }
    let text = "let x = [1.0, 2.0]\nsum(x[x > 5])\nmean(x[x > 5])\nmedian(x[x > 5])\nsort(x[x > 5])\nunique(x[x > 5])";
    let values = lab::values(text, Mode::All);
    assert_eq!(values, ["0.0 : f64", "nan : f64", "nan : f64", "[] : f64[0]", "[] : f*[0]"]);
}

#[test]
fn e47_positions_of_lines_that_are_not_there() {
    fails("take_along_axis([[1, 2]], [[2]])", "index-out-of-range", "2", "[[2]]");
    fails("let i = arange(4)\ntake_along_axis([1, 2], i)", "index-out-of-range", "2", "");
    fails("let i = arange(4)\nadd_at([1, 2], i, 1)", "index-out-of-range", "2", "");
    fails("let i = arange(4)\nput_along_axis([1, 2], i, 1)", "index-out-of-range", "2", "");
}

/// Where only data decides a length, the advice is one that can be followed.
#[test]
fn lengths_that_data_decides_have_advice() {
    let counts = "let c = bincount([1, 2], minlength=12)\n";
    for (text, advice) in [
        (format!("{counts}arange(12)[c > 0]"), "`bincount(…, length=12)` has that length"),
        (format!("{counts}c.reshape(3, 4)"), "`bincount(…, length=12)` has that length"),
        (format!("{counts}arange(12) + c"), "`bincount(…, length=12)` has that length"),
        (format!("{counts}where(c > 0, arange(12), 0)"), "`bincount(…, length=12)` has that length"),
        ("let x = [1.0, 2.0]\nrepeat 5 with y = x { y[y > 0.1] }".to_owned(), "carry a mask beside it"),
        ("let x = arange(3)\nlet a = x[x > 0]\nconcat([[0], a[1:]]) + a".to_owned(), "cut the other to the length"),
        ("let x = arange(3)\nx[x > 0] @ x[x > 1]".to_owned(), "`assert len(a) == len(b)`"),
    ] {
        let reply = lab::run(&text, Mode::All);
        let helps: Vec<&str> =
            reply.diagnostics.iter().flat_map(|found| found.helps.iter().map(|help| help.text.as_str())).collect();
        assert!(helps.iter().any(|help| help.contains(advice)), "{text}: {helps:?}");
    }
}

#[test]
fn what_the_names_of_a_declared_shape_are_is_said() {
    let folder = Folder::new();
    for (ty, value, said) in [
        ("f32[n*n]", "[1, 2, 3, 4]", "`n*n` does not say how long its names are"),
        ("f32[n + m]", "[1, 2]", "`m+n` does not say how long its names are"),
        ("f32[2*n]", "[1, 2, 3]", "no length `n` makes `2*n` 3"),
        ("f32[n,n]", "[[1, 2, 3]]", "f32[n,n] is declared, by its names [1, 1]"),
    ] {
        std::fs::write(folder.path().join("a.arr"), format!("input x: {ty}\nx\n")).expect("the file is written");
        let ran = folder.arr(&["run", "a.arr", &format!("x={value}")]);
        assert!(ran.stderr.contains(said), "{ty}: {}", ran.stderr);
    }
}
