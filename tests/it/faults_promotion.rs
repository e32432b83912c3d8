//! Faults of dtypes and values (E30, E31), as programs show them.

use crate::lab;
use arrlang::promotion::verdict::Mode;
use arrlang::session::{Input, Session};

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
        (["1u8", "1.5", "1f16"], "f16"),
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
    assert_eq!(values("jax32", "f64(1) * 0 + 0.5"), values("jax32", "f64(1) * 0 + 2.0**-1"));
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
