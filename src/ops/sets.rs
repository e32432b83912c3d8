//! Sets: different elements, and which of them are elsewhere too.
//!
//! A line in ascending order has equal elements side by side: a mask of the first of each makes the set.

use super::expand::Expand;
use super::lines::{LineArrangement, LineCall, Lines, ResultDType};
use super::options::option;
use super::order::{among, flag};
use super::{ANY, Form, Op, Param, operand, row};
use crate::ir::routine::{Routine, Scatter};
use crate::ir::{Fold, NodeId};
use crate::promotion::Class;
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim, Kind};

const X: Param = operand("x");
const REAL: &[Kind] = &[Kind::Bool, Kind::Unsigned, Kind::Signed, Kind::Float];
const SET: &[Param] = &[X, operand("y")];

const fn unique_row(
    name: &'static str,
    params: &'static [Param],
    results: &'static [ResultDType],
    expand: fn(&mut Expand, &mut LineCall) -> Vec<NodeId>,
) -> Op {
    let lines = Lines::new(LineArrangement::Whole, expand).giving(results).counting(1);
    Op { domain: ANY, ..row(name, params, Class::Reduction, Form::Lines(lines)) }
}

/// The row of an operation that looks for elements that are in both operands.
const fn common(op: Op) -> Op {
    let Form::Lines(lines) = op.form else { return op };
    Op { form: Form::Lines(lines.of_equals()), ..op }
}

const fn set(name: &'static str, class: Class, expand: fn(&mut Expand, &mut LineCall) -> Vec<NodeId>) -> Op {
    let lines = Lines::new(LineArrangement::Whole, expand).counting(4);
    Op { domain: REAL, ..row(name, SET, class, Form::Lines(lines)) }
}

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "the different elements in ascending order",
        special: "With flags a tuple: the elements, where each occurs first, which of them each element of x is, how often \
                  each occurs; how many there are is a dimension that only data decides; all nan count as one, and so \
                  do -0 and 0; with `equal_nan=false` each nan counts. With `axis` the different parts there, such as rows: by \
                  their first elements, then the next; a part with nan equals none",
        examples: &[
            ("unique([3, 1, 3])", "[1, 3]"),
            ("unique([3, 1, 3], return_inverse=true)[1]", "[1, 0, 1]"),
            ("unique([3, 1, 3], return_counts=true)[1]", "[1, 2]"),
            ("unique([[2, 1], [1, 3], [2, 1]], axis=0)", "[[1, 3], [2, 1]]"),
        ],
        ..unique_row(
            "unique",
            &[
                X,
                flag("return_index", "false"),
                flag("return_inverse", "false"),
                flag("return_counts", "false"),
                option("axis", "None"),
                flag("equal_nan", "true"),
            ],
            &[ResultDType::Decided, ResultDType::Count],
            |e, asked| {
                let unique = Unique::of_line(e, asked, asked.options.flags[3]);
                let mut results = vec![unique.values];
                if asked.options.flags[0] {
                    results.push(unique.index(e));
                }
                if asked.options.flags[1] {
                    results.push(unique.inverse(e));
                }
                if asked.options.flags[2] {
                    results.push(unique.counts(e));
                }
                results
            },
        )
    },
    Op {
        summary: "the different elements in ascending order",
        special: "As unique",
        examples: &[("unique_values([3, 1, 3])", "[1, 3]")],
        ..unique_row("unique_values", &[X], &[ResultDType::Decided], |e, asked| vec![Unique::of(e, asked).values])
    },
    Op {
        summary: "the different elements, and how often each occurs",
        special: "As unique",
        examples: &[("unique_counts([3, 1, 3])[1]", "[1, 2]")],
        ..unique_row("unique_counts", &[X], &[ResultDType::Decided, ResultDType::Count], |e, asked| {
            let unique = Unique::of(e, asked);
            vec![unique.values, unique.counts(e)]
        })
    },
    Op {
        summary: "the different elements, and which of them each element is",
        special: "As unique",
        examples: &[("unique_inverse([3, 1, 3])[1]", "[1, 0, 1]")],
        ..unique_row("unique_inverse", &[X], &[ResultDType::Decided, ResultDType::Count], |e, asked| {
            let unique = Unique::of(e, asked);
            vec![unique.values, unique.inverse(e)]
        })
    },
    Op {
        summary: "the different elements, where each occurs first, which of them each element is, how often each occurs",
        special: "As unique",
        examples: &[("unique_all([3, 1, 3])[1]", "[1, 0]")],
        ..unique_row("unique_all", &[X], &[ResultDType::Decided, ResultDType::Count], |e, asked| {
            let unique = Unique::of(e, asked);
            vec![unique.values, unique.index(e), unique.inverse(e), unique.counts(e)]
        })
    },
    Op {
        summary: "the different elements of x that are among y, in ascending order",
        special: "Nan is among nothing",
        examples: &[("intersect1d([3, 1, 3, 2], [2, 3])", "[2, 3]")],
        ..common(set("intersect1d", Class::Selection, |e, asked| {
            let (x, y) = (asked.operands.args[0], asked.operands.args[1]);
            let values = different(e, asked, x);
            let mask = among(e, values, y);
            vec![kept(e, asked, values, mask)]
        }))
    },
    Op {
        summary: "the different elements of x and y, in ascending order",
        examples: &[("union1d([3, 1], [2, 3])", "[1, 2, 3]")],
        domain: ANY,
        ..set("union1d", Class::Selection, |e, asked| {
            let both = e.0.concat(&asked.operands.args.clone(), 0);
            vec![different(e, asked, both)]
        })
    },
    Op {
        summary: "the different elements of x that are not among y, in ascending order",
        special: "In the dtype of x; nan is among nothing",
        examples: &[("setdiff1d([3, 1, 3, 2], [2])", "[1, 3]")],
        domain: REAL,
        ..row(
            "setdiff1d",
            SET,
            Class::Selection,
            Form::Lines(
                Lines::new(LineArrangement::Whole, |e, asked| {
                    let (x, y) = (asked.operands.whole[0].1, asked.operands.args[1]);
                    let values = different(e, asked, x);
                    let wide = e.convert(values, e.dtype(y));
                    let mask = among(e, wide, y);
                    let mask = e.not(mask);
                    vec![kept(e, asked, values, mask)]
                })
                .giving(&[ResultDType::Own])
                .counting(2)
                .of_equals(),
            ),
        )
    },
    Op {
        summary: "the different elements that are in one of x and y alone, in ascending order",
        special: "Nan is among nothing, so that it stays, once for each",
        examples: &[("setxor1d([3, 1], [2, 3])", "[1, 2]")],
        ..set("setxor1d", Class::Selection, |e, asked| {
            let (x, y) = (asked.operands.args[0], asked.operands.args[1]);
            let (left, right) = (different(e, asked, x), different(e, asked, y));
            let (in_right, in_left) = (among(e, left, right), among(e, right, left));
            let (left_only, right_only) = (e.not(in_right), e.not(in_left));
            let (left, right) = (kept(e, asked, left, left_only), kept(e, asked, right, right_only));
            let both = e.0.concat(&[left, right], 0);
            vec![e.routine(Routine::Sort, &[both], None)]
        })
    },
];

/// The different elements of a line, and what tells more about them.
struct Unique {
    x: NodeId,
    shape: Vec<Dim>,
    /// In the order of the elements, the first of each.
    firsts: NodeId,
    values: NodeId,
    count: Dim,
    equal_nan: bool,
}

impl Unique {
    fn of(e: &mut Expand, asked: &mut LineCall) -> Unique {
        Unique::of_line(e, asked, true)
    }

    /// All nan are one, or each is another.
    fn of_line(e: &mut Expand, asked: &mut LineCall, equal_nan: bool) -> Unique {
        let x = asked.operands.args[0];
        let line = e.routine(Routine::Sort, &[x], None);
        let mut firsts = firsts(e, line);
        if !equal_nan {
            let nan = e.is_nan(line);
            firsts = e.prim(Prim::Or, &[firsts, nan]);
        }
        let count = asked.count(e, firsts);
        let values = e.routine(Routine::Compress, &[line, firsts], Some(count.clone()));
        Unique { x, shape: asked.operands.whole[0].0.clone(), firsts, values, count, equal_nan }
    }

    /// Where each occurs first.
    fn index(&self, e: &mut Expand) -> NodeId {
        let order = e.order(self.x);
        e.routine(Routine::Compress, &[order, self.firsts], Some(self.count.clone()))
    }

    /// The place of each element among the different ones.
    fn inverse(&self, e: &mut Expand) -> NodeId {
        let place = if e.dtype(self.x).is_complex() || !self.equal_nan {
            let order = e.order(self.x);
            let ones = e.convert(self.firsts, DType::I64);
            let running = e.0.scan(Fold::Sum, ones, 0);
            let one = e.whole(1);
            let nth = e.prim(Prim::Sub, &[running, one]);
            e.routine(Routine::Scatter(Scatter::Set), &[order, order, nth], None)
        } else {
            e.routine(Routine::SearchLeft, &[self.values, self.x], None)
        };
        e.view(place, crate::ir::View::Reshape, self.shape.clone())
    }

    /// How often each occurs: from its first place to the next one's.
    fn counts(&self, e: &mut Expand) -> NodeId {
        let starts = e.routine(Routine::Positions, &[self.firsts], Some(self.count.clone()));
        let (nth, one) = (e.0.iota(0, vec![self.count.clone()]), e.whole(1));
        let (count, len) = (e.dim(&self.count), e.line(self.x));
        let len = e.dim(&len);
        let last = e.prim(Prim::Sub, &[count, one]);
        let next = e.prim(Prim::Add, &[nth, one]);
        let there = e.prim(Prim::Min, &[next, last]);
        let after = e.at(starts, there);
        let inside = e.prim(Prim::Le, &[next, last]);
        let after = e.select(inside, after, len);
        e.prim(Prim::Sub, &[after, starts])
    }
}

/// The different elements of a line.
fn different(e: &mut Expand, asked: &mut LineCall, x: NodeId) -> NodeId {
    let line = e.routine(Routine::Sort, &[x], None);
    let firsts = firsts(e, line);
    kept(e, asked, line, firsts)
}

/// Whether each element of a line in order is the first of its equals. All nan are equals.
fn firsts(e: &mut Expand, line: NodeId) -> NodeId {
    let firsts = e.routine(Routine::Firsts, &[line], None);
    if !e.dtype(line).is_complex() {
        return firsts;
    }
    // A complex number is nan in one part, or in both, and the other part may be anything. They are the last in order:
    // the first of them stays.
    let nan = e.is_nan(line);
    let nan = e.convert(nan, DType::I64);
    let nth = e.0.scan(Fold::Sum, nan, 0);
    let one = e.whole(1);
    let few = e.prim(Prim::Le, &[nth, one]);
    e.prim(Prim::And, &[firsts, few])
}

fn kept(e: &mut Expand, asked: &mut LineCall, line: NodeId, mask: NodeId) -> NodeId {
    let count = asked.count(e, mask);
    e.routine(Routine::Compress, &[line, mask], Some(count))
}
