//! The reason for a common type, with its cost in each mode: the answer of `arr promote`.
//!
//! ```
//! use arrlang::promotion::{Class, explain, systems};
//! use arrlang::types::DType;
//! let operands = [DType::I8.into(), DType::U32.into()];
//! let answer = explain::promote(systems::default(), Class::Arithmetic, &operands);
//! assert_eq!(answer.path, "i8 → i16 → i32 → i64 ← u32");
//! assert_eq!(answer.words, ["widens to 64 bits"]);
//! ```

use super::join::Scalars;
use super::systems::System;
use super::table::compares_exactly;
use super::verdict::{self, Effect, Mode};
use super::{Class, Decision, Operand, Operation, Refusal, result};
use crate::constant::Misfit;
use crate::types::{DType, Elem};
use serde_json::{Value, json};
use std::fmt::Write;

/// What a mode does about something that it reports.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// Nothing.
    Allowed,
    /// A warning.
    Warned,
    /// An error.
    Refused,
}

impl Verdict {
    /// `allowed`, `warned`, `refused`.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Allowed => "allowed",
            Verdict::Warned => "warned",
            Verdict::Refused => "refused",
        }
    }
}

/// Something that a promotion does and that a mode may report, by the name of its finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finding {
    /// `precision-loss`
    pub name: &'static str,
    /// What each mode does about it, in the order of [`Mode::ALL`].
    pub verdicts: [Verdict; 3],
}

const LOSS: [Verdict; 3] = [Verdict::Warned, Verdict::Refused, Verdict::Refused];

/// The finding that reports an effect.
pub fn finding(effect: Effect) -> Finding {
    use Verdict::{Allowed, Refused};
    match effect {
        Effect::Implicit => Finding { name: "implicit-promotion", verdicts: [Allowed, Allowed, Refused] },
        Effect::PrecisionLoss { .. } => Finding { name: "precision-loss", verdicts: LOSS },
        Effect::RangeLoss { .. } => Finding { name: "range-loss", verdicts: LOSS },
        Effect::Widening => Finding { name: "widening", verdicts: [Allowed, Refused, Refused] },
        Effect::KindChange => Finding { name: "kind-change", verdicts: LOSS },
    }
}

/// Integers that are too wide for the float that an operation makes of them.
pub const INEXACT: Finding = Finding { name: "inexact-conversion", verdicts: LOSS };

/// A constant that the dtype it meets does not hold.
pub const MISFIT: Finding = Finding { name: "literal-out-of-range", verdicts: [Verdict::Refused; 3] };

/// What is said where nothing is lost.
const EVERY_VALUE_KEPT: &str = "every value is kept";
const UNCONVERTED: &str = "nothing is converted";

/// What a system says of some operands.
#[derive(Clone, Debug)]
pub struct SystemAnswer {
    /// The system.
    pub system: &'static str,
    /// What was asked about.
    pub operands: Vec<Elem>,
    /// How the operands are written: their types, and the values of literals that are known.
    pub written: Vec<String>,
    /// The system's decision.
    pub decision: Result<Decision, Refusal>,
    /// The dtype of the result, if there is one; a weak result has this dtype where nothing else decides.
    pub dtype: Option<DType>,
    /// How the operands come together: `i8 → i16 ← u8`.
    pub path: String,
    /// What the path costs, or why there is no answer.
    pub words: Vec<String>,
    /// What is reported, by mode.
    pub findings: Vec<Finding>,
    /// What is converted.
    pub converts: ConversionReport,
}

/// What an operation converts, reported or not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ConversionReport {
    /// Every operand has the dtype that is computed in.
    Nothing,
    /// Operands, each of whose values the dtype holds that is computed in.
    Exactly,
    /// Operands of which it does not hold every value.
    Inexactly,
}

/// What a system says of an operation on these operands; weak types are literals.
pub fn promote(system: &'static System, operation: impl Into<Operation>, operands: &[Elem]) -> SystemAnswer {
    let asked: Vec<Operand> = operands.iter().map(|&elem| Operand::array(elem)).collect();
    promote_by(system, operation, &asked, &|elem| system.harden(elem))
}

/// What a system says of an operation on operands whose ranks and values may be known; `harden` says what weak types
/// are where nothing else decides.
pub fn promote_by(
    system: &'static System,
    operation: impl Into<Operation>,
    operands: &[Operand],
    harden: &dyn Fn(Elem) -> DType,
) -> SystemAnswer {
    let operation: Operation = operation.into();
    let joined = result(system, operation, operands).map(|decision| harden(decision.joined));
    let is_held = joined.is_ok_and(|dtype| operands.iter().all(|operand| holds(dtype, operand)));
    let range_loss = finding(Effect::RangeLoss { operand: 0 }).name;
    promote_where(system, operation, operands, harden, &|name| !is_held || name != range_loss)
}

/// Whether a dtype holds an operand: every value of its dtype, or the one that is known.
fn holds(dtype: DType, operand: &Operand) -> bool {
    let of_dtype = |own: DType| verdict::exact(own, dtype) || operand.value.is_some_and(|it| it.fit(dtype).is_ok());
    operand.elem.strong().is_some_and(of_dtype)
}

/// The same of operands whose ranges may be known; `may` says whether these leave a finding possible.
pub fn promote_where(
    system: &'static System,
    operation: impl Into<Operation>,
    operands: &[Operand],
    harden: &dyn Fn(Elem) -> DType,
    may: &dyn Fn(&str) -> bool,
) -> SystemAnswer {
    let operation = operation.into();
    let decision = result(system, operation, operands);
    let written = |it: &Operand| it.value.map_or_else(|| it.elem.to_string(), ToString::to_string);
    let mut answer = SystemAnswer {
        system: system.name,
        operands: operands.iter().map(|operand| operand.elem).collect(),
        written: operands.iter().map(written).collect(),
        decision,
        dtype: decision.ok().map(|decision| harden(decision.result)),
        path: String::new(),
        words: Vec::new(),
        findings: Vec::new(),
        converts: ConversionReport::Nothing,
    };
    match decision {
        Err(refusal) => {
            answer.refuse(refusal, system.name);
            if let Refusal::Unsupported(elem) = refusal
                && system.lattice().is_some_and(|lattice| !lattice.contains(elem))
            {
                answer.words = vec![format!("{} has no {elem}", system.name)];
            }
        }
        Ok(decision) => {
            answer.explain(system, operation, decision, harden, may);
            answer.misfits(system, operation, operands, harden(decision.compute));
            answer.harmless(decision);
        }
    }
    answer
}

impl SystemAnswer {
    /// Makes it a refusal; `who` refuses.
    pub fn refuse(&mut self, refusal: Refusal, who: &str) {
        let why = match refusal {
            Refusal::NoJoin(left, right) if left == right => format!("{who} has no {left}"),
            Refusal::NoJoin(left, right) => format!("{who} has no common type of {left} and {right}"),
            Refusal::Unsupported(elem) => format!("{who} does not have the operation for {elem}"),
        };
        *self = SystemAnswer {
            system: self.system,
            operands: std::mem::take(&mut self.operands),
            written: std::mem::take(&mut self.written),
            decision: Err(refusal),
            dtype: None,
            path: String::new(),
            words: vec![why],
            findings: Vec::new(),
            converts: ConversionReport::Nothing,
        };
    }

    /// A literal that does not fit what it meets is an error in every mode.
    fn misfits(&mut self, system: &System, operation: Operation, operands: &[Operand], dtype: DType) {
        if matches!(operation.class, Class::Equality | Class::Ordering | Class::Shift | Class::Power) {
            return;
        }
        for value in operands.iter().filter(|operand| operand.constant).filter_map(|operand| operand.value) {
            // Where values choose the dtypes, a value that is too small for its dtype becomes 0.
            let is_zero = |misfit: Misfit| misfit == Misfit::Underflow && system.weak.scalars == Scalars::ByValue;
            let misfits = value.fit(dtype).is_err_and(|misfit| !is_zero(misfit));
            // What computes in bool asks for the truth of a number. A selection only moves values.
            if misfits && dtype == DType::Bool && operation.class != Class::Selection {
                self.words.push(format!("{value} counts as true"));
            } else if misfits {
                self.words.push(format!("{value} does not fit {dtype}"));
                self.findings.push(MISFIT);
            }
        }
    }

    fn explain(
        &mut self,
        system: &System,
        operation: Operation,
        decision: Decision,
        harden: &dyn Fn(Elem) -> DType,
        may: &dyn Fn(&str) -> bool,
    ) {
        self.path = path(system, &self.operands, decision, harden);
        if compares_exactly(operation.class, &self.operands) {
            self.words.push("integers compare exactly, whatever their dtypes".to_owned());
            return;
        }
        let mut effects = system.effects(operation, &self.operands, decision.joined, harden);
        let count = effects.len();
        effects.retain(|&effect| may(finding(effect).name));
        let mut is_refuted = effects.len() < count;
        let to = harden(decision.joined);
        for &effect in &effects {
            let word = word(effect, &self.operands, to);
            self.words.extend(word.filter(|word| !self.words.contains(word)));
            let finding = finding(effect);
            if !self.findings.contains(&finding) {
                self.findings.push(finding);
            }
        }
        let own = !float_kind(decision.joined);
        let is_inexact = own && verdict::inexact(&self.operands, decision.compute, harden);
        is_refuted |= is_inexact && !may(INEXACT.name);
        if is_inexact && may(INEXACT.name) {
            self.findings.extend(system.checks.inexact.then_some(INEXACT));
            let float = harden(decision.compute);
            self.words.push(format!("{float} does not hold every value of the integers"));
        }
        let computed = harden(decision.compute);
        let strong = || self.operands.iter().filter_map(|elem| elem.strong());
        self.converts = if strong().all(|dtype| dtype == computed) {
            ConversionReport::Nothing
        } else if is_refuted || strong().all(|dtype| verdict::exact(dtype, computed)) {
            ConversionReport::Exactly
        } else {
            ConversionReport::Inexactly
        };
    }

    /// Says that nothing is lost, where nothing else is said.
    fn harmless(&mut self, decision: Decision) {
        if self.words.is_empty() {
            let same =
                self.converts == ConversionReport::Nothing && self.operands.iter().all(|&elem| elem == decision.joined);
            self.words.push(if same { UNCONVERTED } else { EVERY_VALUE_KEPT }.to_owned());
        }
    }

    /// Adds a finding of a check that is not about the costs of the rules. The text then no longer says that nothing is
    /// lost.
    pub fn add(&mut self, finding: Finding, words: &str) {
        self.words.retain(|word| word != EVERY_VALUE_KEPT && word != UNCONVERTED && word != words);
        self.words.push(words.to_owned());
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    /// What a mode does, and the findings it does it for.
    pub fn verdict(&self, mode: Mode) -> (Verdict, Vec<&'static str>) {
        if self.decision.is_err() {
            return (Verdict::Refused, Vec::new());
        }
        let reported = self.findings.iter().map(|finding| (finding.verdicts[mode as usize], finding.name));
        let reported: Vec<_> = reported.filter(|(verdict, _)| *verdict > Verdict::Allowed).collect();
        let verdict = reported.iter().map(|(verdict, _)| *verdict).max().unwrap_or(Verdict::Allowed);
        (verdict, reported.into_iter().filter(|it| it.0 == verdict).map(|(_, name)| name).collect())
    }

    /// Whether the result is weak; a weak `bool` behaves like a strong one.
    fn is_weak(&self) -> bool {
        self.decision.is_ok_and(|decision| decision.weak) && self.dtype != Some(DType::Bool)
    }

    /// The result as it is printed: `i64`, `f64, weak`, `-`.
    pub fn shown(&self) -> String {
        match self.dtype {
            Some(dtype) if self.is_weak() => format!("{dtype}, weak"),
            Some(dtype) => dtype.to_string(),
            None => "-".to_owned(),
        }
    }

    /// One line beside those of other systems.
    pub fn line(&self) -> String {
        // What stands behind a colon says how much; beside other systems the fact is enough.
        let words: Vec<&str> = self.words.iter().filter_map(|word| word.split(':').next()).collect();
        format!("{:<12}{:<12}{}", self.system, self.shown(), words.join("; ")).trim_end().to_owned()
    }

    /// The operation as it is written: `i8 + u32`, `sqrt(i8)`.
    pub fn call(&self, op: &str) -> String {
        let word = op.chars().all(|c| c.is_alphanumeric() || c == '_') && !matches!(op, "and" | "or" | "not");
        match self.written.as_slice() {
            operands if word => format!("{op}({})", operands.join(", ")),
            [operand] if op == "not" => format!("not {operand}"),
            [operand] => format!("{op}{operand}"),
            operands => operands.join(&format!(" {op} ")),
        }
    }

    /// The whole answer in lines; `op` is how the operation is written.
    pub fn text(&self, op: &str) -> String {
        let mut text = match self.dtype {
            Some(_) => format!("{} is {} in {}\n", self.call(op), self.shown(), self.system),
            None => format!("{} is refused by {}\n", self.call(op), self.system),
        };
        if !self.path.is_empty() {
            let _ = writeln!(text, "  {}", self.path);
        }
        for word in &self.words {
            let _ = writeln!(text, "  {word}");
        }
        if self.decision.is_ok() {
            for mode in Mode::ALL {
                let (verdict, names) = self.verdict(mode);
                let names = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
                let _ = writeln!(text, "  {:<6}{}{names}", mode.name(), verdict.name());
            }
        }
        text
    }

    /// The answer as JSON.
    pub fn json(&self, op: &str) -> Value {
        let modes = Mode::ALL.map(|mode| {
            let (verdict, findings) = self.verdict(mode);
            (mode.name().to_owned(), json!({ "verdict": verdict.name(), "findings": findings }))
        });
        json!({
            "system": self.system,
            "op": op,
            "operands": self.written,
            "result": self.dtype.map(DType::name),
            "weak": self.is_weak(),
            "path": self.path,
            "words": self.words,
            "modes": modes.into_iter().collect::<serde_json::Map<_, _>>(),
        })
    }
}

/// What an effect means for a reader.
fn word(effect: Effect, operands: &[Elem], to: DType) -> Option<String> {
    let float = |dtype: DType| dtype.is_float() || dtype.is_complex();
    match effect {
        Effect::Implicit => None,
        Effect::PrecisionLoss { operand } => Some(match operands[operand].strong() {
            Some(from) if from.is_integer() && float(to) => {
                let bits = to.row().value_bits;
                format!("{to} does not hold every {from}: above 2^{bits} it skips integers")
            }
            _ => format!("{to} does not hold every {}", operands[operand]),
        }),
        Effect::RangeLoss { operand } => {
            let what = match to.part().row().infinities {
                _ if !float(to) => "wrap",
                true => "become infinite",
                false => "become nan",
            };
            Some(format!("large values of {} {what} in {to}", operands[operand]))
        }
        Effect::Widening => Some(format!("widens to {} bits", to.bits())),
        Effect::KindChange if operands.iter().any(|elem| float_kind(*elem)) => {
            Some(format!("a literal makes {to} of the array"))
        }
        Effect::KindChange => Some(format!("integers meet as {to}")),
    }
}

fn float_kind(elem: Elem) -> bool {
    matches!(elem.kind(), crate::types::Kind::Float | crate::types::Kind::Complex)
}

/// `i8 → i16 → i32 → i64 ← u32`: each operand's way up, where the system has one, and what the operation makes of it.
fn path(system: &System, operands: &[Elem], decision: Decision, harden: &dyn Fn(Elem) -> DType) -> String {
    let top = decision.joined;
    let way = |from: Elem| -> Vec<Elem> {
        let from = system.storage_type(from);
        match system.lattice() {
            Some(lattice) if lattice.reaches(from, top) => lattice.path(from, top),
            _ if from == top => vec![top],
            _ => vec![from, top],
        }
    };
    let names = |way: &[Elem]| way.iter().map(|elem| elem.name()).collect::<Vec<_>>();
    let mut path = match operands {
        [] => return String::new(),
        [left, right] => {
            let (left, mut right) = (way(*left), way(*right));
            right.pop();
            right.reverse();
            let right: String = names(&right).iter().map(|name| format!(" ← {name}")).collect();
            names(&left).join(" → ") + &right
        }
        operands => operands.iter().map(|&elem| names(&way(elem)).join(" → ")).collect::<Vec<_>>().join(", "),
    };
    let (joined, made) = (harden(top), harden(decision.result));
    if joined != made || !decision.weak && top.is_weak() {
        let _ = write!(path, ", the result is {made}");
    }
    path
}
