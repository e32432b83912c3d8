//! Laws: statements about every program of a kind, tried on random ones.

use crate::lab;
use arrlang::diagnostic::Outcome;
use arrlang::promotion::verdict::Mode;
use arrlang::promotion::{Class, Operand, result, systems};
use arrlang::session::{Input, Session};
use arrlang::types::{DType, Elem};
use proptest::prelude::*;

/// The element type that operands meet as, under the default system; floats of one byte meet no other floats.
fn meet(elems: &[Elem]) -> Option<Elem> {
    let operands: Vec<Operand> = elems.iter().map(|&elem| Operand::array(elem)).collect();
    result(systems::default(), Class::Selection, &operands).ok().map(|decision| decision.result)
}

#[test]
fn promotion_is_idempotent_symmetric_and_order_free() {
    let small = |elem: Elem| elem.strong().is_some_and(|dtype| dtype.is_float() && dtype.size() == 1);
    for a in Elem::all() {
        assert_eq!(meet(&[a, a]), Some(a));
        for b in Elem::all() {
            assert_eq!(meet(&[a, b]), meet(&[b, a]), "{a} {b}");
            assert!(meet(&[a, b]).is_some() || small(a) || small(b), "{a} {b}");
            for c in Elem::all() {
                let all = meet(&[a, b, c]);
                assert_eq!(meet(&[a, b]).and_then(|both| meet(&[both, c])), all, "{a} {b} {c}");
                assert_eq!(meet(&[b, c]).and_then(|both| meet(&[a, both])), all, "{a} {b} {c}");
            }
        }
    }
}

#[test]
fn promotion_is_an_upper_bound() {
    for a in Elem::all() {
        for b in Elem::all() {
            let joined = meet(&[a, b]);
            assert!(joined.is_none_or(|joined| meet(&[a, joined]) == Some(joined)), "{a} {b}");
        }
    }
}

#[test]
fn a_stricter_mode_that_answers_gives_the_same_answer() {
    let mut answered = [0; 3];
    for op in ["+", "*", "/", "//", "<", "=="] {
        for a in DType::ALL {
            for b in DType::ALL {
                let text = format!("input a: {a}[n] = 5\ninput b: {b}[n] = 3\na {op} b").replace("[n]", "[2]");
                let text = if a == DType::Bool { text.replace("= 5", "= true") } else { text };
                let text = if b == DType::Bool { text.replace("= 3", "= true") } else { text };
                let replies = Mode::ALL.map(|mode| lab::run(&text, mode));
                let values = replies
                    .each_ref()
                    .map(|reply| reply.values.first().map(|value| (lab::shown(value), value.type_text())));
                for (count, value) in answered.iter_mut().zip(&values) {
                    *count += usize::from(value.is_some());
                }
                for (looser, stricter) in [(0, 1), (1, 2)] {
                    assert!(values[stricter].is_none() || values[stricter] == values[looser], "{text}\n{values:?}");
                }
            }
        }
    }
    assert!(answered[0] > answered[1] && answered[1] > answered[2] && answered[2] > 0, "{answered:?}");
}

/// A constant expression with the value that exact arithmetic gives it; nothing where it divides by zero.
#[derive(Clone, Debug)]
struct Exact {
    text: String,
    value: Option<i128>,
}

fn exact() -> impl Strategy<Value = Exact> {
    let leaf = (-1000i64..1000).prop_map(|n| Exact { text: format!("({n})"), value: Some(i128::from(n)) });
    leaf.prop_recursive(5, 24, 2, |inner| {
        (inner.clone(), inner, 0..5usize).prop_map(|(a, b, op)| {
            let symbol = ["+", "-", "*", "//", "%"][op];
            let value = a.value.zip(b.value).and_then(|(x, y)| match op {
                0 => x.checked_add(y),
                1 => x.checked_sub(y),
                2 => x.checked_mul(y),
                _ if y == 0 => None,
                3 => Some(x.div_euclid(y) - i128::from(y < 0 && x.rem_euclid(y) != 0)),
                _ => Some(x - y * (x.div_euclid(y) - i128::from(y < 0 && x.rem_euclid(y) != 0))),
            });
            Exact { text: format!("({} {symbol} {})", a.text, b.text), value }
        })
    })
}

fn floats() -> impl Strategy<Value = f64> {
    prop_oneof![any::<f64>(), (-1000i32..1000).prop_map(|n| f64::from(n) / 8.0), Just(f64::INFINITY), Just(-0.0)]
}

fn small_program() -> impl Strategy<Value = String> {
    let expression = prop_oneof![
        Just("x + 1".to_owned()),
        Just("x * y".to_owned()),
        Just("sum([x, y])".to_owned()),
        Just("nope".to_owned()),
        Just("x +".to_owned()),
        Just("1i8 + 1000".to_owned()),
        Just("[1, 2] + [1, 2, 3]".to_owned()),
        (-9i32..9).prop_map(|n| n.to_string()),
        (0u8..9).prop_map(|n| format!("{n}u8")),
    ];
    let names = prop_oneof![Just("x"), Just("y"), Just("z")];
    let statement = (names, expression, any::<bool>())
        .prop_map(|(name, value, bind)| if bind { format!("let {name} = {value}") } else { value });
    prop::collection::vec(statement, 1..4).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn constants_are_exact(program in exact()) {
        let reply = lab::run(&program.text, Mode::All);
        match program.value {
            None => prop_assert!(reply.outcome == Outcome::Refused || reply.values.len() == 1),
            Some(value) if i64::try_from(value).is_ok() => {
                prop_assert_eq!(reply.values.first().map(lab::shown), Some(value.to_string()), "{}", program.text);
            }
            Some(_) => prop_assert_eq!(lab::ids(&reply.diagnostics), ["E0331"]),
        }
    }

    #[test]
    fn a_printed_scalar_reads_back_as_itself(value in floats()) {
        prop_assume!(!value.is_nan());
        let first = lab::values(&format!("f64({value:e})"), Mode::All);
        let text = first[0].trim_end_matches(" : f64");
        prop_assert_eq!(text.parse::<f64>().expect("a number").to_bits(), value.to_bits());
        let again = lab::run(&format!("f64({text})"), Mode::All);
        prop_assert_eq!(again.values[0].array.to_vec::<f64>()[0].to_bits(), value.to_bits());
    }

    #[test]
    fn a_printed_narrow_scalar_reads_back_as_itself(value in any::<f32>()) {
        prop_assume!(value.is_finite());
        let reply = lab::run(&format!("{value:e}f32"), Mode::All);
        prop_assert_eq!(reply.values[0].array.to_vec::<f32>()[0].to_bits(), value.to_bits());
        let text = lab::shown(&reply.values[0]);
        let again = lab::run(&format!("{text}f32"), Mode::All);
        prop_assert_eq!(again.values[0].array.to_vec::<f32>()[0].to_bits(), value.to_bits());
    }

    #[test]
    fn a_printed_array_reads_back_as_itself(rows in prop::collection::vec(any::<[i64; 3]>(), 1..5)) {
        let literal = format!("{rows:?}");
        let printed = lab::values(&literal, Mode::All);
        let (text, ty) = printed[0].rsplit_once(" : ").expect("a type");
        let again = lab::run(&text.replace(' ', ", "), Mode::All);
        prop_assert_eq!(ty, format!("i*[{}, 3]", rows.len()));
        prop_assert_eq!(again.values[0].array.to_vec::<i64>(), rows.concat());
    }

    #[test]
    fn an_input_that_fails_leaves_no_trace(texts in prop::collection::vec(small_program(), 1..8)) {
        let (mut all, mut good) = (Session::default(), Session::default());
        for text in &texts {
            let reply = all.evaluate(&Input::new("input", text));
            if reply.outcome.is_done() {
                good.evaluate(&Input::new("input", text));
            } else {
                prop_assert!(reply.values.is_empty());
            }
        }
        for name in ["x", "y", "z"] {
            let [a, b] = [&mut all, &mut good].map(|session| session.evaluate(&Input::new("input", name)));
            prop_assert_eq!(a.values.first().map(lab::shown), b.values.first().map(lab::shown));
            prop_assert_eq!(lab::ids(&a.diagnostics), lab::ids(&b.diagnostics));
        }
    }

    #[test]
    fn any_text_gets_an_answer(text in "[a-z0-9 +*/()\\[\\]{}=,.:;\\n\"#<>&|!-]{0,60}") {
        let reply = lab::run(&text, Mode::All);
        prop_assert_eq!(!reply.outcome.is_done(), reply.diagnostics.has_errors());
    }
}
