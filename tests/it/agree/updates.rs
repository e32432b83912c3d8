//! Chains of stores in regions of an array, most of whose elements are stored again before anybody reads them.

use super::data::{self, Random};
use super::{agrees, named};
use arrlang::exec::machine::{Level, hold};
use arrlang::types::DType;
use std::fmt::Write;

/// A slice of `count` places of an axis.
fn slice(random: &mut Random, len: usize, count: usize) -> String {
    let reach = if count > 1 { (len - 1) / (count - 1) } else { 1 };
    let step = if random.below(3) > 0 { 1 } else { 1 + random.below(reach) };
    let first = random.below(len - step * (count - 1));
    let last = first + step * (count - 1);
    let back = first.checked_sub(1).map_or(String::new(), |end| end.to_string());
    match random.below(4) {
        0 => format!("{last}:{back}:-{step}"),
        _ if step == 1 => format!("{first}:{}", last + 1),
        _ => format!("{first}:{}:{step}", last + 1),
    }
}

/// How many places of an axis are stored: often all, or all but the ends.
fn count(random: &mut Random, len: usize) -> usize {
    match random.below(4) {
        0 => len,
        1 => len.saturating_sub(2).max(1),
        2 => 1,
        _ => 1 + random.below(len),
    }
}

/// A program that stores again and again, and gives the array, a part of it, or what it was in between.
fn chain(random: &mut Random, (n, m): (usize, usize)) -> String {
    let begin = ["x", "x * 2", "x + z"][random.below(3)];
    let mut text = format!("var y = {begin}\n");
    for number in 0..=random.below(6) {
        let (rows, columns) = (count(random, n), count(random, m));
        let place = |random: &mut Random| format!("{}, {}", slice(random, n, rows), slice(random, m, columns));
        let (to, from) = (place(random), place(random));
        let value = match random.below(5) {
            0 => "1".to_owned(),
            1 => format!("x[{from}]"),
            2 => format!("y[{from}] + z[{}]", place(random)),
            _ => format!("y[{from}]"),
        };
        let _ = writeln!(text, "y[{to}] = {value}");
        if random.below(6) == 0 {
            let _ = writeln!(text, "let before{number} = y\noutput b{number} = before{number}[{}]", place(random));
        }
    }
    let (rows, columns) = (count(random, n), count(random, m));
    text + &match random.below(4) {
        0 => format!("output r = y[{}, {}]\n", slice(random, n, rows), slice(random, m, columns)),
        1 => "output r = sum(y[1:-1])\noutput t = y.T\n".to_owned(),
        _ => "output r = y\n".to_owned(),
    }
}

/// What nobody reads in the end is the base of two arrays, and begins with nothing.
#[test]
fn bases_of_which_nothing_is_read_agree() {
    for text in [
        "let b = concat([arange(0)*2.0, cumsum(arange(1001)*0.5)])\nvar y = b\ny[10:900] = arange(890)*3.0\nvar w = b\n\
         w[20:800] = arange(780)*5.0\noutput r = sum(y[20:500]**2) + sum(w[30:600]**2)\n",
        "let s = cumsum(arange(1000)*0.5)\noutput r = sum(concat([cumsum(arange(300)*2.0), s[5:800]])[:200]**2)\n",
    ] {
        assert!(agrees(text, &[]), "{text}");
    }
}

#[test]
fn chains_of_stores_agree() {
    let mut random = Random::new(1127);
    let mut taken = 0;
    for (turn, level) in [Level::Sse, Level::Avx2, Level::Avx512].into_iter().cycle().enumerate().take(600) {
        hold(level);
        let dtype = DType::ALL[turn % DType::ALL.len()];
        let sizes = [(4, 5), (1, 7), (9, 3), (40, 41), (101, 70), (130, 9)][random.below(6)];
        let shape = [sizes.0, sizes.1];
        let inputs = ["x", "z"].map(|name| named(name, data::laid_out(&mut random, dtype, &shape)));
        let text = chain(&mut random, sizes);
        taken += usize::from(agrees(&text, &inputs));
    }
    hold(Level::Avx512);
    assert!(taken > 400, "only {taken} were programs");
}
