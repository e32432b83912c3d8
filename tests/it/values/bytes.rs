//! Floats of one byte against what `ml_dtypes` gives, on every engine: all their values, all pairs of them, all `f16`,
//! and what lies next to the middle of two neighbours.

use crate::agree::{Verify, program, run};
use crate::oracle;
use arrlang::array::Array;
use arrlang::check::Settings;
use arrlang::exec::Engine;
use arrlang::promotion::{Class, Operand, join::Join, result, systems};
use arrlang::scalar::Scalar;
use arrlang::types::{DType, Elem};
use std::collections::BTreeMap;

/// The words below each heading: `f8_e4m3 values`.
fn facts() -> BTreeMap<(DType, String), Vec<String>> {
    let mut facts: BTreeMap<_, Vec<String>> = BTreeMap::new();
    let mut at = None;
    for line in oracle::read("values/bytes.txt").lines().filter(|line| !line.starts_with('#')) {
        match line.split_once(' ') {
            Some((dtype, what)) if dtype.starts_with("f8_") => {
                at = Some((dtype.parse().expect("a dtype"), what.to_owned()));
            }
            _ => {
                let words = line.split(' ').map(str::to_owned);
                facts.entry(at.clone().expect("a heading")).or_default().extend(words);
            }
        }
    }
    assert_eq!(facts.len(), 22, "two dtypes");
    facts
}

fn array(dtype: DType, bits: impl ExactSizeIterator<Item = u128>) -> Array {
    let len = bits.len();
    Array::from_scalars(dtype, &[len], bits.map(|bits| Scalar { dtype, bits }))
}

/// What a program gives on every engine, whose results have the same bits.
fn made(text: &str, inputs: &[(&str, &Array)]) -> Vec<Scalar> {
    let inputs: Vec<(String, Array)> =
        inputs.iter().map(|(name, array)| ((*name).to_owned(), (*array).clone())).collect();
    let program = program(text, &inputs, &Settings::default()).unwrap_or_else(|| panic!("{text}"));
    let [reference, blocks, jit] = [Engine::Reference, Engine::Blocks, Engine::Jit].map(|engine| {
        let results = run(&program, engine, Verify::Yes).expect("it runs");
        results[0].scalars().collect::<Vec<Scalar>>()
    });
    for (at, meaning) in reference.iter().enumerate() {
        assert!(
            meaning.same(blocks[at]) && meaning.same(jit[at]),
            "{text} [{at}]: {meaning:?} {:?} {:?}",
            blocks[at],
            jit[at]
        );
    }
    jit
}

/// The byte of a result, every NaN as the same.
fn byte(scalar: Scalar) -> u8 {
    if scalar.dtype.is_float() && scalar.to_f64().is_nan() { 0x7f } else { scalar.bits as u8 }
}

fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

fn hex(text: &str) -> u128 {
    u128::from_str_radix(text, 16).expect("hexadecimal digits")
}

fn every(dtype: DType) -> Array {
    array(dtype, (0..256u16).map(u128::from))
}

#[test]
fn every_float_of_a_byte_has_the_value_that_ml_dtypes_says() {
    for ((dtype, _), words) in facts().iter().filter(|((_, what), _)| what == "values") {
        for wide in ["f32(x)", "f64(x)", "f16(x)", "bf16(x)"] {
            let values = made(wide, &[("x", &every(*dtype))]);
            for (at, (value, word)) in values.iter().zip(words).enumerate() {
                let wanted = f32::from_bits(hex(word) as u32);
                let number = value.to_f64();
                assert!(
                    number.is_nan() && wanted.is_nan() || number.to_bits() == f64::from(wanted).to_bits(),
                    "{dtype} {at:x}"
                );
            }
        }
        // There and back nothing changes, whatever it goes through.
        for way in ["f32", "f64", "f16", "bf16"] {
            let same = made(&format!("{dtype}({way}(x))"), &[("x", &every(*dtype))]);
            assert!(same.iter().zip(every(*dtype).scalars()).all(|(new, old)| new.same(old)), "{dtype} by {way}");
        }
        let truth = made("bool(x)", &[("x", &every(*dtype))]);
        assert!(truth.iter().enumerate().all(|(at, scalar)| (scalar.bits == 1) == (at & 0x7f != 0)));
        for to in ["u8", "i8", "i32", "u64", "i64"] {
            made(&format!("{to}(x)"), &[("x", &every(*dtype))]);
        }
    }
}

#[test]
fn all_halves_become_the_float_of_a_byte_that_ml_dtypes_says() {
    let halves = array(DType::F16, (0..=u16::MAX).map(u128::from).collect::<Vec<_>>().into_iter());
    for ((dtype, _), runs) in facts().iter().filter(|((_, what), _)| what == "of-f16") {
        let bytes: Vec<u8> = made(&format!("{dtype}(x)"), &[("x", &halves)]).into_iter().map(byte).collect();
        let mut wanted = vec![0u8; 1 << 16];
        for run in runs {
            let (start, value) = run.split_once(':').expect("a run");
            wanted[hex(start) as usize..].fill(hex(value) as u8);
        }
        assert_eq!(bytes.iter().zip(&wanted).position(|(ours, theirs)| ours != theirs), None, "{dtype}");
    }
}

#[test]
fn numbers_of_other_dtypes_are_rounded_once() {
    for ((dtype, what), pairs) in facts().iter().filter(|((_, what), _)| what.starts_with("of-") && what != "of-f16") {
        let from: DType = what["of-".len()..].parse().expect("a dtype");
        let bits = pairs.iter().map(|pair| {
            let number = pair.split_once(':').expect("a pair").0;
            match from {
                DType::F64 => hex(number),
                _ => number.parse::<i128>().expect("an integer") as u128 & (u128::MAX >> (128 - from.bits())),
            }
        });
        let ours = made(&format!("{dtype}(x)"), &[("x", &array(from, bits.collect::<Vec<_>>().into_iter()))]);
        for (pair, scalar) in pairs.iter().zip(ours) {
            let wanted = hex(pair.split_once(':').expect("a pair").1) as u8;
            assert_eq!(byte(scalar), wanted, "{dtype} of {from} {pair}");
        }
    }
}

#[test]
fn all_pairs_give_what_ml_dtypes_gives() {
    for dtype in [DType::F8E4m3, DType::F8E5m2] {
        let left = array(dtype, (0..=u16::MAX).map(|at| u128::from(at >> 8)).collect::<Vec<_>>().into_iter());
        let right = array(dtype, (0..=u16::MAX).map(|at| u128::from(at & 0xff)).collect::<Vec<_>>().into_iter());
        let facts = facts();
        for (name, sign) in
            [("add", "+"), ("subtract", "-"), ("multiply", "*"), ("divide", "/"), ("less", "<"), ("equal", "==")]
        {
            let ours = made(&format!("a {sign} b"), &[("a", &left), ("b", &right)]);
            let bytes: Vec<u8> = ours.into_iter().map(byte).collect();
            for (at, (row, wanted)) in bytes.chunks(256).zip(&facts[&(dtype, name.to_owned())]).enumerate() {
                assert_eq!(format!("{:016x}", digest(row)), *wanted, "{dtype}: {at:02x} {sign} …");
            }
        }
    }
}

#[test]
fn floats_of_a_byte_meet_as_the_systems_say() {
    for line in oracle::read("bytes-promotion.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let name = words.next().expect("a system");
        let own: Elem = words.next().and_then(|word| word.parse().ok()).expect("a dtype");
        let (name, class) = match name.strip_suffix("-result-type") {
            Some(name) => (name, Class::Selection),
            None => (name, Class::Arithmetic),
        };
        let system = systems::find(name).expect("a system");
        for cell in words {
            let (other, wanted) = cell.split_once('=').expect("a cell");
            let operands = [own, other.parse().expect("a type")].map(Operand::array);
            let ours = match system.join {
                // What it holds it does not compute in.
                Join::Chain(_) => system.join(&operands).ok().map(|node| node.elem),
                _ => result(system, class, &operands).ok().map(|decision| decision.result),
            };
            let ours = ours.map_or("-".to_owned(), |elem| system.harden(elem).to_string());
            assert_eq!(ours, wanted, "{name}: {own} {cell}");
        }
    }
}
