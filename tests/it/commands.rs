//! The commands about promotion: `promote`, `table`, `lattice`, `laws`, `explain` of an expression, `--compare`, and
//! systems from files.

use crate::lab;
use crate::shell::Folder;
use serde_json::Value;

/// What a command prints; it must succeed.
fn printed(args: &[&str]) -> String {
    let ran = Folder::new().arr(args);
    assert_eq!(ran.code, 0, "arr {args:?}\n{}{}", ran.stdout, ran.stderr);
    ran.stdout
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&printed(args)).expect("JSON")
}

/// The message of a command line that is wrong.
fn usage(args: &[&str]) -> String {
    let ran = Folder::new().arr(args);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "arr {args:?}");
    ran.stderr
}

const OWN: &str = r#"
name = "mine"
edges = ["bool -> i*", "i* -> i8 u8", "i8 -> i16", "u8 -> i16", "i16 -> i32", "i32 -> f*", "f* -> f32", "f32 -> f64"]
defaults = { int = "i32", float = "f32" }
"#;

const BAD: &str = "edges = [\"u8 -> i16 f16\", \"i8 -> i16 f16\"]\n";

#[test]
fn promote_shows_the_way_and_the_verdicts() {
    let text = printed(&["promote", "i8", "u32"]);
    for line in ["i8 + u32 is i64 in jax", "i8 → i16 → i32 → i64 ← u32", "widens to 64 bits", "safe  refused: widening"]
    {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let answers = json(&["promote", "i8", "u32", "--format", "json"]);
    let answer = &answers["answers"][0];
    assert_eq!((&answers["version"], &answer["result"], &answer["weak"]), (&1.into(), &"i64".into(), &false.into()));
    assert_eq!(answer["modes"]["safe"]["verdict"], "refused");
    assert_eq!(answer["modes"]["safe"]["findings"], serde_json::json!(["widening"]));
}

#[test]
fn promote_takes_inputs_with_their_types() {
    assert!(printed(&["promote", "x:i8", "y:f32"]).starts_with("x:i8 + y:f32 is f32 in jax"));
    // Of a scalar PyTorch takes the kind alone.
    let torch = |types: [&str; 2]| printed(&["promote", types[0], types[1], "--system", "torch"]);
    assert!(torch(["x:f32[n]", "y:f64"]).starts_with("x:f32[n] + y:f64 is f32 in torch"));
    assert!(torch(["x:f32[n]", "y:f64[n]"]).starts_with("x:f32[n] + y:f64[n] is f64 in torch"));
    assert!(torch(["f32", "y:f64[3]"]).starts_with("f32 + y:f64[3] is f64 in torch"));
    assert_eq!(Folder::new().arr(&["promote", "x:y", "f32"]).code, 2);
}

#[test]
fn a_literal_is_an_array_of_its_default_dtype_where_numpy_makes_one() {
    for (system, dtype) in [("numpy", "i64"), ("numpy1", "i64"), ("jax", "u8")] {
        let text = printed(&["eval", "dot(u, 2)", "u:u8[2]=[1, 200]", "--system", system]);
        assert!(text.contains(&format!(": {dtype}[2]")), "{text}");
        let text = printed(&["eval", "np.polyval(u, 2)", "u:u8[2]=[1, 2]", "--system", system]);
        assert!(text.contains(&format!("4 : {dtype}")), "{text}");
    }
}

#[test]
fn promote_takes_dtypes_as_other_libraries_call_them() {
    for (other, ours) in [("np.float64", "f64"), ("np.int_", "i64"), ("bool_", "bool"), ("torch.float", "f32")] {
        let text = printed(&["promote", other, ours]);
        assert!(text.starts_with(&format!("{ours} + {ours} is {ours} in jax")), "{text}");
    }
}

#[test]
fn promote_compares_the_systems_of_today() {
    let text = printed(&["promote", "u64", "i64", "--all-systems"]);
    let names: Vec<&str> = text.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["jax", "numpy", "torch", "tf", "tf-numpy", "rfc"]);
    let all = printed(&["promote", "u64", "i64", "--all-systems", "--historical"]);
    assert_eq!(all.lines().count(), 1 + arrlang::promotion::systems::ALL.len());
    assert_eq!(printed(&["promote", "u64", "i64", "--historical"]), all);
    assert!(usage(&["promote", "u64", "i64", "--historical", "--system", "jax"]).contains("cannot be used with"));
}

#[test]
fn promote_says_what_becomes_of_values_and_of_truths() {
    assert!(printed(&["promote", "u64", "i8", "--op", "<"]).starts_with("u64 < i8 is bool in jax\n"));
    assert!(printed(&["promote", "i32", "f8_e4m3"]).contains("large values of i32 become nan in f8_e4m3"));
    assert!(printed(&["promote", "i32", "f16"]).contains("large values of i32 become infinite in f16"));
}

#[test]
fn a_default_width_is_that_of_weak_results() {
    assert!(printed(&["promote", "i*", "f*"]).starts_with("i* + f* is f64, weak in jax"));
    assert!(printed(&["promote", "i*", "f*", "--width", "32"]).starts_with("i* + f* is f32, weak in jax"));
    assert!(usage(&["promote", "i8", "f*", "--width", "32", "--system", "jax32"]).contains("cannot be changed"));
    let beside = printed(&["promote", "i*", "f*", "--width", "32", "--historical"]);
    assert!(beside.contains("jax         f32, weak"), "{beside}");
    let cell = |more: &[&str]| printed(&[&["table", "--format", "csv"], more].concat());
    assert!(cell(&[]).contains("i*,f*,f64,true,"));
    assert!(cell(&["--width", "32"]).contains("i*,f*,f32,true,"));
}

#[test]
fn what_is_converted_is_said() {
    for (system, words) in [
        ("jax", "f32 does not hold every value of the integers"),
        ("numpy", "every value is kept"),
        ("rfc", "f32 does not hold every value of the integers"),
    ] {
        let text = printed(&["promote", "i32", "--op", "sqrt", "--system", system]);
        assert!(text.contains(words) && !text.contains("nothing is converted"), "{text}");
        let answer = json(&["promote", "i32", "--op", "sqrt", "--system", system, "--format", "json"]);
        assert_eq!(answer["answers"][0]["words"], serde_json::json!([words]), "{answer}");
    }
    let wide = printed(&["promote", "i64", "--op", "sqrt", "--system", "rfc"]);
    assert!(wide.contains("does not hold every value of the integers") && wide.contains("none  allowed"), "{wide}");
    assert!(printed(&["promote", "f32", "--op", "sqrt"]).contains("nothing is converted"));
    let text = printed(&["explain", "i8 + u32 * 1.5"]);
    assert!(text.ends_with("What is converted keeps every value.\n"), "{text}");
    let text = printed(&["explain", "sqrt(x)", "x:i64[n]", "--system", "rfc"]);
    assert!(text.ends_with("The system allows every conversion, also of values that the result does not hold.\n"));
}

#[test]
fn promote_takes_constants_and_chains() {
    assert!(printed(&["promote", "u8", "300", "--system", "numpy1"]).starts_with("u8 + 300 is u16 in numpy1"));
    let scalar = printed(&["promote", "x:u8[3]", "300i64", "--system", "numpy1"]);
    assert!(scalar.starts_with("x:u8[3] + 300i64 is u16 in numpy1"), "{scalar}");
    assert!(scalar.contains("every value is kept") && !scalar.contains("range-loss"), "{scalar}");
    assert!(printed(&["promote", "u8", "300"]).contains("300 does not fit u8"));
    assert!(printed(&["promote", "i8", "-1"]).starts_with("i8 + -1 is i8 in jax"));
    let chain = printed(&["promote", "u8", "i8", "f16", "--system", "numpy"]);
    assert!(chain.contains("u8 + i8 is i16 in numpy") && chain.contains("i16 + f16 is f32 in numpy"), "{chain}");
    assert!(printed(&["promote", "i32", "--op", "sqrt"]).contains("sqrt(i32) is f32 in jax"));
    assert!(printed(&["promote", "i32", "f32", "--system", "tf"]).contains("is refused by tf"));
}

#[test]
fn promote_says_what_is_wrong_with_its_arguments() {
    assert!(usage(&["promote", "u8"]).contains("`+` takes 2 types, and one is given"));
    assert!(usage(&["promote", "u8", "float33"]).contains("the types are bool u8"));
    assert!(usage(&["eval", "1.5", "--precision", "-1"]).contains("write a number from 0 to 17"));
    assert!(usage(&["eval", "1.5", "--max-mem", "-1"]).contains("write a number and K, M, G or T"));
    assert!(usage(&["promote", "u8", "u8", "--op", "maximun"]).contains("there is `maximum`"));
    assert!(usage(&["promote", "u8", "u8", "--system", "jaxx"]).contains("did you mean `jax`?"));
}

#[test]
fn tables_have_a_line_for_each_cell() {
    let csv = printed(&["table", "--op", "+", "--format", "csv"]);
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("lhs,rhs,result,weak,mode"));
    assert_eq!(lines.count(), 20 * 20);
    assert!(csv.contains("\nu8,i8,i16,false,all\n"), "{csv}");
    assert!(printed(&["table", "--op", "fma", "--format", "csv"]).starts_with("first,others,result,weak,mode\n"));
    assert!(
        printed(&["table", "--op", "fma"]).starts_with("fma in jax: rows are the first operand, columns all others")
    );
    let csv = printed(&["table", "--op", "neg", "--format", "csv"]);
    assert!(csv.starts_with("arg,result,weak,mode\nbool,-,false,-\nu8,u8,false,none\n"), "{csv}");
    // `and` is asked about as the function, which takes any dtype; a `bool` beside integers is one of them.
    for (op, line) in [
        ("~", "f32,-,false,-"),
        ("and", "u8,u8,bool,false,none"),
        ("<<", "f32,u8,-,false,-"),
        ("gcd", "bool,u8,u8,false,safe"),
        ("gcd", "bool,bool,-,false,-"),
    ] {
        let csv = printed(&["table", "--op", op, "--format", "csv"]);
        assert!(csv.contains(&format!("\n{line}\n")), "{op}\n{csv}");
    }
    for op in ["-", "//", "**", "==", "maximum", "sqrt", "sum"] {
        assert_eq!(Folder::new().arr(&["table", "--op", op, "--format", "csv"]).code, 0, "{op}");
    }
    assert!(usage(&["table", "--op", "arange"]).contains("promotes nothing"));
    assert!(usage(&["table", "+"]).contains("write `arr table --op '+'`"));
    assert!(usage(&["table", "numpy"]).contains("write `arr table --system 'numpy'`"));
    assert!(usage(&["lattice", "numpy"]).contains("write `arr lattice --system 'numpy'`"));
    assert!(usage(&["laws", "numpy"]).contains("write `arr laws --system 'numpy'`"));
}

#[test]
fn tables_are_readable_with_and_without_colours() {
    let plain = printed(&["table", "--system", "rfc"]);
    assert!(plain.contains("\nu8       u8     u8=    u16    u32    u64    i16!"), "{plain}");
    assert!(!plain.contains('\x1b') && plain.contains("in every mode"), "{plain}");
    let coloured = printed(&["--color", "always", "table", "--system", "rfc"]);
    assert!(coloured.contains("\x1b[33mi16!"), "{coloured}");
    let folder = Folder::new();
    let mut narrow = crate::shell::command(folder.path(), &["table"]);
    let output = narrow.env("COLUMNS", "80").output().expect("the command runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("c128*=") && text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let markdown = printed(&["table", "--format", "markdown"]);
    assert!(markdown.contains("| `u8` | u8 | u8 |") && markdown.contains("*i16*"), "{markdown}");
}

#[test]
fn lattices_are_drawn_and_written() {
    let text = printed(&["lattice", "--highlight", "i8,u32"]);
    assert!(
        text.contains("╭─────┴─────╮\n                      u8         [i8]\n                      ├──────────▸┨\n"),
        "{text}"
    );
    let folder = Folder::new();
    let mut narrow = crate::shell::command(folder.path(), &["lattice", "--highlight", "i8,u32"]);
    let output = narrow.env("COLUMNS", "20").output().expect("the command runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("u32     -> u64 => i64") && text.contains("-> u8, i8"), "{text}");
    for (name, beginning) in [("l.svg", "<svg"), ("l.dot", "digraph")] {
        assert_eq!(folder.arr(&["lattice", "-o", name]).code, 0);
        let picture = std::fs::read_to_string(folder.path().join(name)).expect("a picture");
        assert!(picture.starts_with(beginning), "{name}");
    }
    assert_eq!(folder.arr(&["lattice", "-o", "missing/l.svg"]).code, 3);
    assert_eq!(folder.arr(&["lattice", "-o", "l.png"]).code, 2);
    assert!(usage(&["lattice", "--highlight", "i9"]).contains("`i9` is no type of `jax`"));
    let none = folder.arr(&["lattice", "--system", "numpy"]);
    assert_eq!(none.code, 1);
    assert!(none.stderr.contains("28 of 2744 triples"), "{}", none.stderr);
}

#[test]
fn the_picture_of_the_readme_is_current() {
    let folder = Folder::new();
    assert_eq!(folder.arr(&["lattice", "-o", "lattice.svg", "--highlight", "i8,u32"]).code, 0);
    let drawn = std::fs::read_to_string(folder.path().join("lattice.svg")).expect("a picture");
    let kept = std::fs::read_to_string(lab::root("examples/lattice.svg")).expect("the picture");
    assert!(drawn == kept, "arr lattice -o examples/lattice.svg --highlight i8,u32");
}

#[test]
fn laws_are_counted() {
    for (system, count, of) in
        [("jax", 0, 8000), ("numpy", 28, 2744), ("tf-numpy", 0, 8000), ("rfc", 40, 3375), ("clr", 64, 3375)]
    {
        let report = json(&["laws", "--system", system, "--format", "json"]);
        assert_eq!((&report["version"], &report["system"]), (&1.into(), &system.into()));
        let law = &report["associativity"];
        assert_eq!((&law["count"], &law["of"]), (&count.into(), &of.into()), "{system}");
        assert_eq!(law["counterexamples"].as_array().map(Vec::len), Some(count), "{system}");
    }
    let text = printed(&["laws", "--system", "numpy"]);
    assert!(text.contains("(u8 + i8) + f16 = f32, u8 + (i8 + f16) = f16"), "{text}");
}

#[test]
fn dtypes_are_operands_of_an_expression_to_be_explained() {
    let text = printed(&["explain", "i8 + u32 * 1.5", "--system", "torch"]);
    assert!(text.starts_with("i8 + u32 * 1.5 is f32 in torch") && text.contains("└─ u32 * 1.5"), "{text}");
    let text = printed(&["explain", "sqrt(u8) + x", "x:i64[n]"]);
    assert!(text.contains("First step that loses: `sqrt(u8) + x`"), "{text}");
    for nothing in ["", "  ", "# nothing"] {
        assert!(usage(&["explain", nothing]).contains("there is no expression to explain"));
    }
    let beside = printed(&["explain", "i8 + u8", "--compare", "numpy,tf"]);
    assert!(beside.contains("i16"), "{beside}");
    assert!(printed(&["explain", "f32(x) + zeros(3, f32)", "x:i8"]).starts_with("f32(x) + zeros(3, f32) is f32[3]"));
}

#[test]
fn expressions_are_explained_part_by_part() {
    let text = printed(&["explain", "x*y + 1.0", "x:f32[n]", "y:i64[n]"]);
    for line in [
        "x*y + 1.0 is f32[n] in jax",
        "├─ x*y",
        "f32 ← bf16 ← f* ← i64",
        "First step that loses: `x*y`",
        "safe  refused: precision-loss",
        "Instead: `x*f32(y)` keeps f32 and says that rounding is meant",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let widened = printed(&["explain", "a + b", "a:i8", "b:u8"]);
    assert!(widened.contains("First step that widens: `a + b`") && widened.contains("i16(a) + i16(b)   is i16"));
    let nothing = printed(&["explain", "a + b", "a:f32", "b:f32"]);
    assert!(nothing.contains("Nothing is converted, widened or lost."), "{nothing}");
    let wraps = printed(&["explain", "a + b", "a:u8", "b:u8"]);
    assert!(wraps.contains("Nothing is converted or widened.\nNot every value fits: `a + b` can reach 510"), "{wraps}");
    let silent = printed(&["explain", "x + zeros(3)", "x:f32[3]"]);
    assert!(
        silent.contains("comes from `zeros(3)`, its default dtype")
            && silent.contains("zeros(3, dtype=f32)   is f32[3]")
    );
    assert!(silent.contains("  safe  warned: f64-appears"), "{silent}");
    let allowed = printed(&["explain", "a + b", "a:i8", "b:i16"]);
    assert!(allowed.contains("mode `none` would refuse"), "{allowed}");
    // As a check of the same, `explain` knows ranges.
    let small = printed(&["explain", "clip(i, 0, 100) * f", "i:i32[n]", "f:f32[n]"]);
    assert!(small.contains("mode `none` would refuse") && !small.contains("precision-loss"), "{small}");
    let root = printed(&["explain", "sqrt(clip(i, 0, 100))", "i:i32[n]"]);
    assert!(root.contains("What is converted keeps every value."), "{root}");
}

#[test]
fn explained_expressions_have_a_json_form() {
    let json = json(&["explain", "x*y + 1.0", "x:f32[n]", "y:i64[n]", "--format", "json"]);
    let tree = &json["trees"][0];
    assert_eq!((&json["version"], &tree["type"], &tree["dtype"]), (&1.into(), &"f32[n]".into(), &"f32".into()));
    assert_eq!(tree["operands"][0]["text"], "x*y");
    assert_eq!(tree["operands"][0]["steps"][0]["path"], "f32 ← bf16 ← f* ← i64");
    let first = &json["first"];
    assert_eq!((&first["text"], &first["start"], &first["end"]), (&"x*y".into(), &0.into(), &3.into()));
    assert_eq!(first["edit"]["help"], "`x*f32(y)` keeps f32 and says that rounding is meant");
    assert_eq!((&first["edit"]["text"], &first["edit"]["type"]), (&"x*f32(y) + 1.0".into(), &"f32[n]".into()));
    assert!(first["edit"]["edits"].as_array().is_some_and(|edits| edits.len() == 2), "{first}");
    assert_eq!(first["edit"]["keeps_values"], false, "what only says what happens is no safe fix: {first}");
}

#[test]
fn tuples_have_the_types_of_their_parts() {
    let text = printed(&["explain", "topk(x,2)", "x:f32[n]"]);
    assert!(text.starts_with("topk(x,2) is (f32[2], i32[2]) in jax\n") && !text.contains("error"), "{text}");
    let tree = json(&["explain", "(topk(x, 2), x)", "x:f32[n]", "--format", "json"])["trees"][0].clone();
    assert_eq!((&tree["type"], &tree["dtype"]), (&"((f32[2], i32[2]), f32[n])".into(), &Value::Null));
    assert_eq!(tree["items"][0]["items"][1]["dtype"], "i32");
    assert_eq!(tree["items"][1]["type"], "f32[n]");
    assert!(tree["operands"][1]["items"].is_null(), "{tree}");
    let typed = printed(&["eval", "topk(x, 2)", "x:f32[3]=1", "--emit", "typed"]);
    assert!(typed.starts_with("topk(x, 2)   (f32[2], i32[2])"), "{typed}");
}

#[test]
fn parts_of_tuples_are_compared() {
    let folder = Folder::with(&[
        ("call.arr", b"input x: i32[n]\ntopk(x,2)\n"),
        ("names.arr", b"input x: i32[n]\nlet (a, b) = topk(x,2)\nb\n"),
    ]);
    for (file, column) in [("call.arr", 1), ("names.arr", 14)] {
        let ran = folder.arr(&["check", "--compare", "jax,numpy", file]);
        assert!(ran.stdout.contains("(i32, i32)  (i32, i64)"), "{}", ran.stdout);
        let ran = folder.arr(&["check", "--compare", "jax,numpy", "--format", "json", file]);
        let all: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        let first = &all["differences"][0];
        assert_eq!((&first["line"], &first["column"]), (&2.into(), &column.into()), "{all}");
        assert_eq!(first["dtypes"], serde_json::json!({ "jax": "(i32, i32)", "numpy": "(i32, i64)" }));
    }
    folder.write("wrong.arr", b"input s: str\nlet a = 1\na + 1\n");
    let wrong = folder.arr(&["check", "--compare", "jax,numpy", "wrong.arr"]);
    assert_eq!((wrong.code, wrong.stdout.as_str()), (1, ""), "{}", wrong.stderr);
}

#[test]
fn shared_options_are_taken_by_every_command() {
    let folder = Folder::with(&[("s.arr", b"input x: f32[n]\noutput y = x + 1\n"), ("t.csv", b"a\n1\n")]);
    let shared = [["--system", "numpy"], ["--mode", "safe"], ["--width", "32"], ["--threads", "2"]];
    let commands: [&[&str]; 11] = [
        &["check", "s.arr"],
        &["explain", "1 + 2"],
        &["promote", "i8", "u8"],
        &["table"],
        &["laws"],
        &["signature", "s.arr"],
        &["lattice"],
        &["build", "s.arr", "--emit", "ir"],
        &["fmt", "s.arr"],
        &["doc", "sum"],
        &["head", "t.csv"],
    ];
    for command in commands {
        for option in shared {
            // The rules of NumPy are no lattice.
            let option = if command[0] == "lattice" && option[0] == "--system" { ["--system", "jax"] } else { option };
            let ran = folder.arr(&[command, &option].concat());
            assert_eq!(ran.code, 0, "{command:?} {option:?}: {}", ran.stderr);
            let wrong = folder.arr(&[command, &[option[0], "no such value"]].concat());
            assert_eq!(wrong.code, 2, "{command:?} {option:?}: {}", wrong.stderr);
        }
    }
    let help = folder.arr(&["fmt", "--help"]).stdout;
    assert!(!help.contains("--threads") && !help.contains("--system"), "{help}");
}

#[test]
fn names_are_pages_and_everything_else_is_an_expression() {
    assert!(printed(&["explain", "precision-loss"]).contains("E0301"));
    assert!(usage(&["explain", "precison-loss"]).contains("there is `precision-loss`"));
    assert!(usage(&["explain", "E9999"]).contains("no code"));
    assert!(printed(&["explain", "1 + 2"]).starts_with("1 + 2 is i* in jax"));
    let unknown = Folder::new().arr(&["explain", "z + 1"]);
    assert_eq!(unknown.code, 1);
    assert!(unknown.stderr.contains("E0201"), "{}", unknown.stderr);
}

#[test]
fn expressions_are_compared_side_by_side() {
    let text = printed(&["explain", "a + b", "a:i32", "b:f32", "--compare", "jax,numpy,tf"]);
    let row = text.lines().find(|line| line.starts_with("a + b")).expect("a line");
    assert_eq!(row.split_whitespace().skip(3).collect::<Vec<_>>(), ["f32", "f64", "refused"], "{text}");
    assert!(text.contains("tf: i32 and f32 have no common dtype"), "{text}");
    let all = json(&["explain", "a + b", "a:i32", "b:f32", "--compare", "jax,numpy", "--format", "json"]);
    assert_eq!(all["parts"][0]["dtypes"], serde_json::json!({ "jax": "f32", "numpy": "f64" }));
}

#[test]
fn check_shows_where_systems_differ() {
    let script = "input a: i32[n]\ninput b: f32[n]\nlet c = a * b\nc + a\nb + b\n";
    let folder = Folder::with(&[("s.arr", script.as_bytes()), ("wrong.arr", b"nope + 1\n")]);
    let ran = folder.arr(&["check", "--compare", "jax,numpy", "s.arr"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let rows: Vec<Vec<&str>> = ran.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["s.arr", "jax", "numpy"]);
    assert_eq!(rows[1], ["3:9", "a", "*", "b", "f32", "f64"]);
    assert_eq!(rows[2], ["4:1", "c", "+", "a", "f32", "f64"]);
    assert_eq!(rows.len(), 3, "{}", ran.stdout);
    let ran = folder.arr(&["check", "--compare", "jax,numpy", "--format", "json", "s.arr"]);
    let all: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let first = &all["differences"][0];
    assert_eq!((&first["line"], &first["column"], &first["text"]), (&3.into(), &9.into(), &"a * b".into()));
    assert_eq!(first["span"], serde_json::json!({ "start": 40, "end": 45 }));
    assert_eq!(first["dtypes"]["numpy"], "f64");
    let same = folder.arr(&["check", "--compare", "jax,jax", "s.arr"]);
    assert!(same.stdout.contains("the same dtype"), "{}", same.stdout);
    assert_eq!(folder.arr(&["check", "--compare", "jax,numpy", "wrong.arr"]).code, 1);
    // An expression with an error has no known dtype.
    folder.write("part.arr", b"input a: f32[n]\na + 1\nnope\n");
    let part = folder.arr(&["check", "--compare", "jax,numpy", "part.arr"]);
    assert!(part.code == 1 && part.stdout.is_empty() && part.stderr.contains("E0201"), "{}", part.stdout);
}

#[test]
fn a_system_of_ones_own_is_a_file() {
    let folder = Folder::with(&[("my.toml", OWN.as_bytes()), ("bad.toml", BAD.as_bytes())]);
    let shown = |args: &[&str]| {
        let ran = folder.arr(args);
        assert_eq!(ran.code, 0, "arr {args:?}\n{}", ran.stderr);
        ran.stdout
    };
    assert!(shown(&["promote", "i8", "u8", "--system", "my.toml"]).contains("is i16 in mine"));
    assert_eq!(shown(&["eval", "1 + 2.5", "--system", "my.toml"]), "3.5 : f*\n");
    assert_eq!(shown(&["eval", "x + y", "x:i8=1", "y:u8=2", "--system", "my.toml"]), "3 : i16\n");
    assert!(shown(&["laws", "--system", "my.toml"]).contains("mine keeps every law"));
    assert!(shown(&["table", "--system", "my.toml"]).contains("+ in mine"));
    assert!(shown(&["lattice", "--system", "my.toml"]).contains("i16"));
    assert!(shown(&["explain", "x + y", "x:i8", "y:u8", "--compare", "jax,my.toml"]).contains("mine"));
    for args in [["laws", "--system", "bad.toml"], ["table", "--system", "bad.toml"]] {
        let ran = folder.arr(&args);
        assert_eq!(ran.code, 1);
        assert!(ran.stderr.contains("E0522") && ran.stderr.contains("bad.toml:1:"), "{}", ran.stderr);
        assert!(ran.stderr.contains("u8 and i8 have no common type"), "{}", ran.stderr);
    }
    assert_eq!(folder.arr(&["laws", "--system", "none.toml"]).code, 3);
}

#[test]
fn scripts_name_systems_beside_themselves() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("sub")).expect("a folder");
    folder.write("sub/my.toml", OWN.as_bytes());
    folder.write("sub/bad.toml", BAD.as_bytes());
    folder.write("sub/s.arr", b"promotion \"my.toml\"\ni8(1) + u8(2)\n");
    folder.write("sub/b.arr", b"promotion \"bad.toml\"\ni8(1) + u8(2)\n");
    let ran = folder.arr(&["run", "sub/s.arr"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "3 : i16\n"), "{}", ran.stderr);
    assert_eq!(folder.arr(&["check", "sub/s.arr"]).code, 0);
    let bad = folder.arr(&["check", "sub/b.arr"]);
    assert_eq!(bad.code, 1);
    assert!(bad.stdout.contains("sub/bad.toml:1:"), "{}", bad.said());
    // The command line wins.
    assert_eq!(folder.arr(&["run", "sub/b.arr", "--system", "jax"]).stdout, "3 : i16\n");
}

#[test]
fn systems_say_where_they_come_from_and_how_they_differ() {
    for system in arrlang::promotion::systems::ALL.iter() {
        let page = printed(&["doc", system.name]);
        assert!(page.contains(system.about.source), "{page}");
        assert!(
            system.about.differs.len() <= 3 && system.about.differs.iter().all(|line| page.contains(line)),
            "{page}"
        );
    }
}

#[test]
fn a_script_that_shows_nothing_is_told() {
    let folder = Folder::new();
    let ran = crate::shell::arr_in(folder.path(), &["run", "-"], "let x = mean([1, 2])\n");
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("note: there is nothing to compute"), "{}", ran.stderr);
    let ran = crate::shell::arr_in(folder.path(), &["run", "-"], "assert 1 < 2\n");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    for text in ["let x = 1", "fn f(x) = x", ";", "#"] {
        let ran = folder.arr(&["eval", text]);
        assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{text}: {}", ran.stderr);
        assert_eq!(ran.stderr.matches("note: there is nothing to compute").count(), 1, "{text}: {}", ran.stderr);
    }
    assert_eq!(folder.arr(&["eval", "assert 1 < 2"]).stderr, "");
}

#[test]
fn a_transposed_product_is_advised_in_the_operands_own_words() {
    let ran = Folder::with(&[("a.arr", b"let a = ones((2, 3))\nlet b = ones((2, 3))\na @ b\n")]).arr(&["run", "a.arr"]);
    assert!(ran.stderr.contains("`a @ b.T`"), "{}", ran.stderr);
}
