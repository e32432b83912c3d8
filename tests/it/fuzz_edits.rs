//! Edits of scripts that keep their structure: a dtype for a dtype, an operator for an operator, one expression for
//! another. Shared by the fuzz target `pipeline` and its twin; most of what comes out passes the checker.

use arrlang::diagnostic::Diagnostics;
use arrlang::ops::{self, Form, Notation, Op, Role};
use arrlang::promotion::systems;
use arrlang::source::{Sources, Span};
use arrlang::syntax::ast::{Expr, ExprKind, Operator};
use arrlang::types::DType;
use std::str::FromStr;

/// A small generator of random numbers.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % bound.max(1) as u64) as usize
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// Values for the names that texts use: every dtype, shapes that broadcast.
pub(crate) const ARGUMENTS: [&str; 17] = [
    "x:f32[5]=[1.5, -2, nan, 0, 1e30]",
    "y:f64[5]=[0.5, -inf, 3, -0.0, 7]",
    "i:i32[5]=[-2147483648, -1, 0, 7, 100]",
    "u:u8[3, 5]=9",
    "h:f16[3, 1]=2.5",
    "b:bool[5]=true",
    "z:c64[5]=1",
    "c:c128[3, 1]=[[-0.0], [1e300], [3]]",
    "e:bf16[5]=[1, -3.5, 1e38, nan, -0.0]",
    "j:i8[5]=[-128, -1, 0, 2, 127]",
    "k:i16[3, 5]=[[-32768, 1, 2, 3, 4], [0, 0, 0, 1, 1], [7, 8, 9, -9, 32767]]",
    "l:i64[5]=[-9223372036854775807, -1, 0, 63, 9007199254740993]",
    "m:u16[1, 5]=[[0, 1, 2, 3, 65535]]",
    "n:u32[5]=[0, 1, 31, 32, 4294967295]",
    "o:u64[5]=[0, 1, 63, 64, 18446744073709551615]",
    "r:f64=0.25",
    "s:i32=-3",
];

const LITERALS: [&str; 24] = [
    "0", "1", "2", "-1", "3", "7", "0.5", "-2.5", "true", "1j", "255u8", "1e10", "-0.0", "64", "-128i8", "1.5f16",
    "0.1bf16", "inf", "nan", "pi", "3u64", "1e-8f32", "false", "5i16",
];

const SHAPES: [&str; 6] = ["(2, 3)", "4", "(0, 3)", "(1,)", "(3, 1, 2)", "()"];

const KEYWORDS: [&str; 7] =
    ["axis=0", "axis=-1", "axis=(0, 1)", "keepdims=true", "axis=1, keepdims=true", "dtype=f32", "axis=None"];

/// One edit of `text`.
pub(crate) fn edited(text: &str, random: &mut Random) -> String {
    let mut sources = Sources::new();
    let source = sources.add("seed.arr", text);
    let script = arrlang::syntax::parse(&sources, source, &mut Diagnostics::new());
    if script.exprs.is_empty() {
        return format!("{text}\n{}", fresh(random));
    }
    let edit = Edit { text };
    let expr = &script.exprs[random.below(script.exprs.len())];
    match random.below(12) {
        0 => format!("{text}\n{}", edit.wrapped(expr, random)),
        1 if script.stmts.len() > 1 => edit.with(script.stmts[random.below(script.stmts.len())].span, ""),
        2 => edit.statement(random),
        3 | 4 => edit.with(expr.span, &edit.wrapped(expr, random)),
        5 => {
            let other = edit.at(script.exprs[random.below(script.exprs.len())].span).to_owned();
            edit.with(expr.span, &format!("({other})"))
        }
        6 => edit.with(expr.span, &format!("({})", fresh(random))),
        _ => edit.swapped(expr, random),
    }
}

/// An expression over the known names.
fn fresh(random: &mut Random) -> String {
    let (left, right) = (name(random), name(random));
    match random.below(4) {
        0 => format!("{left} {} {right}", random.of(&infix())),
        1 => call(random, left),
        2 => format!("{}({left}) {} {right}", random.of(&DType::ALL), random.of(&infix())),
        _ => format!("where({left} < {right}, {right}, {})", random.of(&LITERALS)),
    }
}

fn name(random: &mut Random) -> &'static str {
    random.of(&ARGUMENTS).split(':').next().expect("a name stands first")
}

/// The symbols that stand between two operands.
fn infix() -> Vec<&'static str> {
    let symbol = |op: &Op| if let Some(Notation::Infix(symbol)) = op.notation { Some(symbol) } else { None };
    ops::all().filter_map(symbol).collect()
}

/// A call of some builtin with `operand` among its arguments.
fn call(random: &mut Random, operand: &str) -> String {
    // The sign and payload of a NaN are not specified, and these show them.
    let rows: Vec<&Op> = ops::all().filter(|op| op.name != "copysign" && op.name != "bitcast").collect();
    let op = random.of(&rows);
    let mut own = true;
    let args = op.params.iter().filter(|param| param.default.is_none()).map(|param| match param.role {
        Role::Number => random.of(&["2", "0.5"]).to_owned(),
        Role::Shape => random.of(&SHAPES).to_owned(),
        Role::DType => random.of(&DType::ALL).to_string(),
        Role::Condition => format!("{} > 0", name(random)),
        _ if std::mem::take(&mut own) => operand.to_owned(),
        _ => name(random).to_owned(),
    });
    let mut args: Vec<String> = args.collect();
    if matches!(op.form, Form::Fold(_)) && random.below(2) == 0 {
        args.push(random.of(&KEYWORDS).to_owned());
    }
    format!("{}({})", op.name, args.join(", "))
}

/// A text whose tree is known.
struct Edit<'a> {
    text: &'a str,
}

impl Edit<'_> {
    fn at(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// The text with something else in this place.
    fn with(&self, span: Span, new: &str) -> String {
        format!("{}{new}{}", &self.text[..span.start as usize], &self.text[span.end as usize..])
    }

    /// A larger expression around this one.
    fn wrapped(&self, expr: &Expr, random: &mut Random) -> String {
        let own = self.at(expr.span);
        match random.below(7) {
            0 => format!("{}({own})", random.of(&DType::ALL)),
            1 => format!("(({own}) {} {})", random.of(&infix()), name(random)),
            2 => format!("({} {} ({own}))", random.of(&LITERALS), random.of(&infix())),
            3 => format!("saturate({own}, {})", random.of(&DType::ALL)),
            4 => format!("where(({own}) > {}, {own}, {})", random.of(&LITERALS), name(random)),
            5 => format!("[{own}, {}]", random.of(&LITERALS)),
            _ => call(random, own),
        }
    }

    /// A new statement, or another line of settings.
    fn statement(&self, random: &mut Random) -> String {
        let system = random.of(&systems::ALL).name;
        let checked = random.of(&["", ", checked", ", width=32"]);
        match random.below(3) {
            0 if self.text.starts_with("promotion") => {
                let rest = self.text.split_once('\n').map_or("", |(_, rest)| rest);
                format!("promotion {system}{checked}\n{rest}")
            }
            0 => format!("promotion {system}{checked}\n{}", self.text),
            1 => {
                let bound = name(random);
                format!("{}\nlet {bound} = {}\n{bound} + {bound}", self.text, fresh(random))
            }
            _ => format!("{}\n{}", self.text, fresh(random)),
        }
    }

    /// Something of the same sort in the place of this.
    fn swapped(&self, expr: &Expr, random: &mut Random) -> String {
        let operator = |op: &Operator, new: &str| self.with(op.span, &format!(" {new} "));
        match &expr.kind {
            ExprKind::Name(known) if DType::from_str(known).is_ok() => {
                self.with(expr.span, random.of(&DType::ALL).name())
            }
            ExprKind::Name(known) => match ops::find(known) {
                Some(op) => {
                    let alike = |it: &&Op| {
                        let roles = it.params.iter().map(|param| param.role);
                        roles.eq(op.params.iter().map(|param| param.role))
                            && !["bitcast", "copysign"].contains(&it.name)
                    };
                    let alike: Vec<&Op> = ops::all().filter(alike).collect();
                    if alike.is_empty() { self.text.to_owned() } else { self.with(expr.span, random.of(&alike).name) }
                }
                None => self.with(expr.span, name(random)),
            },
            ExprKind::Int | ExprKind::Float | ExprKind::Imaginary | ExprKind::Bool(_) | ExprKind::None => {
                self.with(expr.span, random.of(&LITERALS))
            }
            ExprKind::Prefix(op, _) => operator(op, random.of(&["-", "+", "~", "not"])),
            ExprKind::Infix(op, ..) => operator(op, random.of(&infix())),
            ExprKind::Compare(_, rest) => {
                let (op, _) = rest[random.below(rest.len())];
                operator(&op, random.of(&["<", "<=", "==", "!=", ">", ">="]))
            }
            ExprKind::Tuple(_) => self.with(expr.span, random.of(&SHAPES)),
            ExprKind::Call(..) if random.below(2) == 0 => {
                let own = self.at(expr.span);
                let open = own.strip_suffix(')').unwrap_or(own);
                self.with(expr.span, &format!("{open}, {})", random.of(&KEYWORDS)))
            }
            _ => self.with(expr.span, &self.wrapped(expr, random)),
        }
    }
}
