//! Faults of dtypes and values (E30, E31), as programs show them.

use crate::lab;
use crate::shell::Folder;
use arrlang::promotion::verdict::Mode;
use arrlang::session::{Input, Session};

/// What a command prints; it must succeed.
fn printed(args: &[&str]) -> String {
    let ran = Folder::new().arr(args);
    assert_eq!(ran.code, 0, "arr {args:?}\n{}{}", ran.stdout, ran.stderr);
    ran.stdout
}

#[test]
fn lengths_of_what_an_expression_does_not_use_are_known() {
    let text = printed(&["explain", "x[m:]", "x:f32[n]", "y:f32[m]"]);
    assert!(text.starts_with("x[m:] is f32[") && !text.contains("error"), "{text}");
    assert!(printed(&["eval", "m + 1", "y:f32[m]=f32([1, 2, 3])"]).starts_with("4 : "));
}

/// The values of a text in a system, as they are printed.
fn values(system: &str, text: &str) -> Vec<String> {
    let mut session = lab::session(Mode::All);
    lab::set(&mut session.settings, "system", system);
    let reply = Session::evaluate(&mut session, &Input::new("test.arr", text));
    let shown = reply.values.iter().map(|value| format!("{} : {}", lab::shown(value), value.type_text()));
    match reply.diagnostics.has_errors() {
        true => lab::ids(&reply.diagnostics).iter().map(|id| (*id).to_owned()).collect(),
        false => shown.collect(),
    }
}

/// The type of the last value of a text.
fn dtype(system: &str, text: &str) -> String {
    let values = values(system, text);
    let last = values.last().unwrap_or_else(|| panic!("{text}: no value"));
    last.rsplit(" : ").next().unwrap_or_default().to_owned()
}

/// Three texts in their six orders, with `{0}`, `{1}`, `{2}` for the places.
fn in_every_order(template: &str, parts: [&str; 3]) -> Vec<String> {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let fill = |order: [usize; 3]| {
        (0..3).fold(template.to_owned(), |text, place| text.replace(&format!("{{{place}}}"), parts[order[place]]))
    };
    orders.map(fill).to_vec()
}

#[test]
fn torch_subtracts_no_bool_and_says_what_to_write() {
    for (text, wanted) in [
        ("let mask = [true]\n1 - mask", "to invert a mask write `not mask`; to compute with it write `i64(mask)`"),
        (
            "1 - ([true] or [false])",
            "to invert a mask write `not ([true] or [false])`; to compute with it write `i64([true] or [false])`",
        ),
        ("-([true] and [false])", "for bool write `not ([true] and [false])`"),
        ("-[true]", "for bool write `not [true]`"),
        ("[1u8] - [true]", "to compute with a mask write `u8([true])`"),
        ("[true] - [1u8]", "to compute with a mask write `u8([true])`"),
        ("[true] - [true]", "for bool write `^` (exactly one) or `x and not y`"),
        ("var x = [1.5]\nx -= [true]", "to compute with a mask write `f32([true])`"),
    ] {
        let mut session = lab::session(Mode::All);
        lab::set(&mut session.settings, "system", "torch");
        let reply = Session::evaluate(&mut session, &Input::new("test.arr", text));
        assert_eq!(lab::ids(&reply.diagnostics), ["E0322"], "{text}");
        let mut helps = reply.diagnostics.iter().flat_map(|found| &found.helps);
        assert!(helps.any(|help| help.text == wanted), "{text}");
    }
    assert_eq!(values("torch", "1 - true"), values("jax", "1 - true"));
}

#[test]
fn what_is_refused_is_told_with_code_that_runs() {
    for (system, text, wanted) in [
        ("jax", "clip([1+1j], 0, 2)", "say which real number is meant: `real([1+1j])` or `abs([1+1j])`"),
        ("jax", "var([1u8, 2, 4], dtype=i32)", "leave `dtype=` out, or give a float"),
        ("jax", "mean([1u8, 2, 4], dtype=bool)", "leave `dtype=` out, or give a float"),
        ("jax", "softmax([true])", "to compute with truths write `f32([true])`"),
        ("jax", "bincount([1u8], [true])", "to compute with truths write `f32([true])`"),
        ("torch", "+[true]", "to compute with truths write `f32([true])`"),
        ("torch", "trapezoid([true, false])", "to compute with truths write `f32([true, false])`"),
        (
            "numpy",
            "gradient([1u8, 2], [1c64, 2])",
            "say which real number is meant: `real([1c64, 2])` or `abs([1c64, 2])`",
        ),
    ] {
        let mut session = lab::session(Mode::All);
        lab::set(&mut session.settings, "system", system);
        let reply = Session::evaluate(&mut session, &Input::new("test.arr", text));
        assert_eq!(lab::ids(&reply.diagnostics), ["E0322"], "{text}");
        let mut helps = reply.diagnostics.iter().flat_map(|found| &found.helps);
        assert!(helps.any(|help| help.text == wanted), "{text}");
    }
}

#[test]
fn e30_calls_join_all_their_operands_in_every_order() {
    let calls = [
        "concat([[{0}], [{1}], [{2}]])",
        "stack([{0}, {1}, {2}])",
        "clip([{0}], [{1}], [{2}])",
        "[{0}, {1}, {2}]",
        "fma([{0}], [{1}], [{2}])",
        "[[{0}, {1}], [{2}, {2}]].ravel()[:1]",
    ];
    for (parts, wanted) in [
        (["1i16", "1u16", "1f32"], "f32"),
        (["1i8", "1u8", "1f16"], "f16"),
        (["1i32", "1u16", "1f16"], "f64"),
        (["1i16", "1u16", "1f16"], "f32"),
        (["1u8", "1i8", "1u16"], "i32"),
    ] {
        // `fma` is a function of floats.
        for call in calls.into_iter().filter(|call| wanted.starts_with('f') || !call.starts_with("fma")) {
            for text in in_every_order(call, parts) {
                let found = dtype("numpy", &text);
                assert_eq!(found.split('[').next(), Some(wanted), "{text}: {found}");
            }
        }
    }
}

#[test]
fn e30_arithmetic_of_literals_is_pythons_and_functions_of_them_are_numpys() {
    for text in [
        "2**0.5",
        "pi**2",
        "1e-3**2",
        "7 % 3.5",
        "7 // 2.0",
        "-(2**0.5)",
        "2.5 - 1",
        "real(2.0)",
        "(2.0).imag",
        "imag(7)",
    ] {
        assert_eq!(dtype("numpy", &format!("let x = [1f32]\nx * ({text})")), "f32[1]", "{text}");
    }
    for text in ["square(2)", "maximum(1, 2)", "power(2, 3)", "negative(2)", "sqrt(2)", "absolute(-2)", "add(1, 2)"] {
        assert_eq!(dtype("numpy", &format!("let x = [1f32]\nx * ({text})")), "f64[1]", "{text}");
        assert_eq!(dtype("jax", &format!("let x = [1f32]\nx * ({text})")), "f32[1]", "{text}");
    }
    for system in ["jax", "jax32", "jax-strict", "jax-lax", "numpy", "numpy1", "torch", "tf", "tf-numpy", "rfc"] {
        assert_eq!(dtype(system, "2**0.5"), "f*", "{system}");
        assert_eq!(values(system, "1j*1j == -1"), ["true : bool"], "{system}");
    }
    assert_eq!(values("jax32", "f32(1) * 0 + 0.5"), values("jax32", "f32(1) * 0 + 2.0**-1"));
}

#[test]
fn e30_last_cells_of_numpy() {
    for (text, wanted) in [
        ("[true]**2", "[1] : i8[1]"),
        ("[true]**3", "[1] : i64[1]"),
        ("angle([true])", "[0.] : f64[1]"),
        ("angle([1u8])", "[0.] : f16[1]"),
        ("gcd([true], [4i32])", "[1] : i32[1]"),
        ("lcm([true], 4)", "[4] : i64[1]"),
    ] {
        assert_eq!(values("numpy", text), [wanted], "{text}");
    }
    assert_eq!(values("numpy", "gcd([true], [true])"), ["E0322"]);
    assert_eq!(values("numpy", "concat([bf16([1]), [1i32]])"), ["E0321"]);
}

#[test]
fn e30_whole_powers_are_one_function_of_literals_and_arrays() {
    let bases = "[0j, -0.0 + 0j, 1+1j, -2+0.5j, 1e-200+0j, complex(inf, 0), complex(nan, 1), 1e200+1e200j]";
    let bases = bases.replace("complex(inf, 0)", "c128(inf)").replace("complex(nan, 1)", "c128(nan)");
    for count in [-3, -2, -1, 1, 2, 3, 4, 7] {
        let text = format!(
            "let z = {bases}\nz ** {count}\nz ** stack([{count}, {count}, {count}, {count}, {count}, {count}, {count}, {count}])"
        );
        let found = values("numpy", &text);
        assert_eq!(found[found.len() - 2], found[found.len() - 1], "z ** {count}");
    }
}

#[test]
fn numpy_1_counts_scalars_by_their_values() {
    for (text, wanted) in [
        ("u8([3]) + 300i64", "[303] : u16[1]"),
        ("u8([3]) + 3i64", "[6] : u8[1]"),
        ("u8([3]) + i16(-5)", "[-2] : i16[1]"),
        ("i8([3]) * 200i16", "[600] : i16[1]"),
        ("let k = 300i64\nu8([3]) + k", "[303] : u16[1]"),
        ("u64([3]) + 9223372036854775808u64", "[9223372036854775811] : u64[1]"),
        // Loops are searched in order, and those of signed integers come first.
        ("u8([1]) // 1000", "[0] : i16[1]"),
        ("u8([1]) ** 1000", "[1] : i16[1]"),
        ("u8([1]) & 1000", "[0] : i16[1]"),
        ("u8([1]) % 1099511627776", "[1] : i64[1]"),
        ("u16([1]) // 1000", "[0] : u16[1]"),
        ("u8([1]) + 1000", "[1001] : u16[1]"),
        ("maximum(u8([1]), 1000)", "[1000] : u16[1]"),
    ] {
        assert_eq!(values("numpy1", text), [wanted], "{text}");
    }
    assert_eq!(dtype("numpy1", "f16([3]) + 1e5f64"), "f32[1]");
    assert_eq!(dtype("numpy1", "f32([1]) + 1e300f64"), "f64[1]");
    assert_eq!(dtype("numpy1", "f32([1]) + 1.5f64"), "f32[1]");
}

#[test]
fn lists_of_literals_are_weak_in_the_rfc() {
    assert_eq!(dtype("rfc", "[1, 2] + 1u8"), "u8[2]");
    assert_eq!(dtype("rfc", "output y = [1, 2]"), "i64[2]");
    assert_eq!(dtype("rfc-draft-1", "[1, 2] + 1u8"), "i64[2]");
    assert_eq!(dtype("rfc", "bool([1]) / 2"), "i64[1]");
    assert_eq!(dtype("rfc", "bool([1]) / bool([1])"), "bool[1]");
}

/// Arguments and correctly rounded results in `f64` and in `f32`, from mpmath: where these functions are hardest.
type Exact = (&'static str, &'static [(f64, f64)], &'static [(f64, f64)]);

#[rustfmt::skip]
const EXACT: [Exact; 5] = [
    ("gelu", &[(-37.5, -1.7270073785932332e-306), (-38.25, -7.9548e-319), (-10.0, -7.619853024160526e-23), (-1.375, -0.11627786823308661), (-0.6875, -0.16904514713642976), (0.703125, 0.5336796608695598), (3.125, 3.1222217959402863), (9.5, 9.5)], &[(-10.0, -7.619852977043458e-23), (-1.375, -0.11627786606550217), (-0.6875, -0.16904515027999878), (0.703125, 0.5336796641349792), (3.125, 3.1222217082977295), (9.5, 9.5)]),
    ("erfc", &[(0.5625, 0.42632554338440803), (0.5, 0.4795001221869535), (1.328125, 0.060346646588677694), (6.71875, 2.063973938801337e-21), (26.53125, 4.210514247742139e-308), (-0.5625, 1.573674456615592), (-2.8125, 1.9999303492456073), (0.03125, 0.9647496261326772)], &[(0.5625, 0.4263255298137665), (0.5, 0.4795001149177551), (1.328125, 0.06034664809703827), (6.71875, 2.0639739558589255e-21), (-0.5625, 1.5736744403839111), (-2.8125, 1.9999303817749023), (0.03125, 0.9647496342658997)]),
    ("sigmoid", &[(-745.0, 5e-324), (-708.5, 2.006132305331306e-308), (-87.6875, 8.275659589337122e-39), (-37.25, 6.64554417291507e-17), (-0.6875, 0.334589441253186), (0.34375, 0.5851011542032312), (15.5, 0.9999998144608981)], &[(-87.6875, 8.275659551150787e-39), (-37.25, 6.645543894960403e-17), (-0.6875, 0.3345894515514374), (0.34375, 0.5851011276245117), (15.5, 0.9999998211860657)]),
    ("gamma", &[(-113.5, 1.3201903556226194e-185), (-15.421875, 7.748031298521712e-13), (-0.84375, -7.061817750801284), (0.28125, 3.2017884835210917), (1.6875, 0.9063294778385306), (14.0625, 7328162367.550126), (75.125, 5.670429023872931e+107), (170.0, 4.269068009004705e+304)], &[(-15.421875, 7.748031274727729e-13), (-0.84375, -7.061817646026611), (0.28125, 3.2017884254455566), (1.6875, 0.9063294529914856), (14.0625, 7328162304.0)]),
    ("lgamma", &[(-2.75390625, 0.012289974123715304), (-2.4560546875, 0.0014747851854253259), (-3.14453125, -0.00737237009682417), (-3.955078125, -0.004468202375373073), (-4.0400390625, -0.017996085966662075), (-5.0087890625, -0.06811961854448058), (0.578125, 0.43282274167504986), (-9.5, -12.795895333554363)], &[(-2.75390625, 0.01228997390717268), (-2.4560546875, 0.001474785152822733), (-3.14453125, -0.0073723699897527695), (-3.955078125, -0.004468202590942383), (-4.0400390625, -0.017996085807681084), (-5.0087890625, -0.06811961531639099), (0.578125, 0.43282273411750793), (-9.5, -12.79589557647705)]),
];

#[test]
fn e31_functions_next_to_their_hard_points_are_near_the_exact_value() {
    use arrlang::scalar::{Scalar, eval::eval, prim::Prim};
    use arrlang::types::DType;
    for (name, double, single) in EXACT {
        let prim = Prim::ALL.into_iter().find(|prim| prim.name() == name).expect("a prim");
        let limit = if name == "lgamma" { 3 } else { 1 };
        for &(x, exact) in double {
            let ours = eval(prim, DType::F64, &[Scalar::of(x)]).bits as u64;
            assert!(ours.abs_diff(exact.to_bits()) <= limit, "{name}({x}) = {} but {exact}", f64::from_bits(ours));
        }
        for &(x, exact) in single {
            let ours = eval(prim, DType::F32, &[Scalar::of(x as f32)]).bits as u32;
            let distance = ours.abs_diff((exact as f32).to_bits());
            assert!(distance <= 1, "{name}({x}) = {} but {exact}, in f32", f32::from_bits(ours));
        }
    }
    assert_eq!(values("jax", "gelu(-37.5)"), ["-1.727007378593233e-306 : f*"]);
}

#[test]
fn numbers_that_do_not_fit_are_told_what_to_write() {
    for (text, wanted) in [
        ("2**64", "it is exact as a float: write `f64(2**64)`"),
        ("2**64 + 1", "as a float it is rounded: write `f64(2**64 + 1)`"),
        ("[2i8] ** -1", "make the base a float: `f64([2i8])`"),
        ("0bf16", "its digits are 0 and 1; for a zero of bf16 write `0.0bf16`"),
    ] {
        let (_, prepared) = lab::check(text, Mode::All);
        let mut helps = prepared.diagnostics.iter().flat_map(|found| &found.helps);
        assert!(helps.any(|help| help.text == wanted), "{text}");
    }
}

#[test]
fn promote_and_explain_say_what_becomes_of_literals() {
    for (asked, expression, input, name) in [
        (&["x:f32[n]", "16777217"][..], "x + 16777217", "x:f32[n]", "lossy-literal"),
        (&["f32", "1e-40"], "x + 1e-40", "x:f32", "lossy-literal"),
        (&["x:i8[n]", "1.5"], "x + 1.5", "x:i8[n]", "weak-default"),
        (&["u8", "8", "--op", "<<"], "x << 8", "x:u8", "shift-out-of-range"),
        (&["u8", "-1", "--op", "<"], "x < -1", "x:u8", "constant-comparison"),
    ] {
        let text = printed(&[&["promote"], asked].concat());
        assert!(text.contains(&format!("all   warned: {name}\n")) && !text.contains("every value is kept"), "{text}");
        // No dtype decides how integers compare, so that no step is told of.
        if name != "constant-comparison" {
            let text = printed(&["explain", expression, input]);
            assert!(text.contains(&format!("all   warned: {name}\n")), "{text}");
        }
    }
    assert!(printed(&["promote", "x:i8", "1.5"]).contains("every value is kept"));
    for asked in [["i8", "1000"], ["f16", "1e-8"], ["u8", "-1"], ["0x80", "i8"]] {
        let text = printed(&[&["promote"], &asked[..]].concat());
        assert!(text.contains("does not fit") && !text.contains("every value is kept"), "{text}");
    }
}

#[test]
fn explain_says_what_a_check_says_of_computed_weak_values() {
    for (expression, inputs) in [
        ("y - (s + 1.5)", &["y:f32", "s:i16"][..]),
        ("2 * (y - (s + 1.5))", &["y:f32", "s:i16"]),
        ("where(m, y, s * 2.5)", &["m:bool[n]", "y:f32[n]", "s:i16"]),
    ] {
        let text = printed(&[&["explain", expression], inputs].concat());
        assert!(text.contains("safe  refused: weak-narrowing\n") && !text.contains("keeps every value"), "{text}");
        assert!(text.contains("was computed as f64 and is converted to f32 here"), "{text}");
    }
    let kept = printed(&["explain", "y - (m * 1.5)", "y:f32", "m:bool"]);
    assert!(!kept.contains("weak-narrowing"), "{kept}");
}

/// A product with a `bool` asks for the truth of a number.
#[test]
fn literals_that_count_as_truth_values_need_not_fit() {
    let text = printed(&["explain", "200 * s", "s:bool", "--system", "tf-numpy"]);
    assert!(text.starts_with("200 * s is bool in tf-numpy") && !text.contains("does not fit"), "{text}");
    let text = printed(&["promote", "bool", "200", "--op", "*", "--system", "tf-numpy"]);
    assert!(text.contains("200 counts as true") && text.contains("safe  allowed"), "{text}");
    assert!(printed(&["promote", "u8", "200", "--op", "*", "--system", "tf-numpy"]).contains("every value is kept"));
}

#[test]
fn advice_about_a_name_is_for_the_place() {
    let folder = Folder::new();
    let ran = folder.arr(&["explain", "x*y + 1.0", "y:f32"]);
    assert!(ran.code == 1 && ran.stderr.contains("give it a type on the command line: `x:f32[n]`"), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("x*y + 1.0 has no type"), "{}", ran.stdout);
    let ran = folder.arr(&["eval", "x*y + 1.0", "y=2"]);
    assert!(ran.stderr.contains("give it a value on the command line: `x=1.5`"), "{}", ran.stderr);
}
