//! Software pipelining of a long body: the second half of a round runs beside the first half of the next.
//!
//! Most steps of a function wait for the one before. A processor finds other work only so far ahead, and past a long
//! body it does not see: `log1p(exp(-abs(x)))` took a quarter longer than its two functions in loops of their own. Cut
//! where half of the waiting is done, each half has the other to fill its gaps.
//!
//! ```text
//! first(0)    first(1) beside second(0)    first(2) beside second(1)    …    second(n)
//! ```
//!
//! What the second half needs of the first lies in rows of scratch from one round to the next, except what is loaded or
//! compared: that is done again.

use super::rows;
use super::steps::{Instruction, InstructionBody, InstructionForm, PipelineHalf, Reg, RegClass, RowSetup};

/// Bodies that wait for less, in steps, are as fast whole.
const MIN_PIPELINED_DEPTH: usize = 28;
/// Where more values are kept than this, one chain of steps is several, which have work for each other as it is.
const MAX_KEPT_VALUES: usize = 3;

/// The second half of a round and the first half of the next, each of some chunks. Either runs alone too, before the
/// first round and after the last.
pub(super) struct PipelinedRound {
    pub(super) both: InstructionBody,
    /// Rows of scratch for what is kept.
    pub(super) kept: usize,
}

/// Where a body is cut.
struct Cut {
    /// Which steps the second half has.
    late: Vec<bool>,
    /// The registers that the second half needs of the first.
    kept: Vec<Reg>,
}

/// A pipelined body with `copies` chunks interleaved; `None` if it calls functions, or if it waits too little.
pub(super) fn pipeline(body: &InstructionBody, copies: usize) -> Option<PipelinedRound> {
    if !body.calls.is_empty() {
        return None;
    }
    let depths = depths(body);
    let depth = depths.iter().copied().max().filter(|&depth| depth >= MIN_PIPELINED_DEPTH)?;
    let mut makers = vec![None; body.classes.len()];
    for (at, step) in body.steps.iter().enumerate() {
        step.result.into_iter().for_each(|reg| makers[reg.0 as usize] = Some(at));
    }
    // Somewhere around the middle, where least is kept.
    let places = depth * 2 / 5..=depth * 3 / 5;
    let cut = places.map(|place| cut(body, &makers, &depths, place)).min_by_key(|cut| cut.kept.len())?;
    (cut.kept.len() <= MAX_KEPT_VALUES).then(|| CutRounds::new(body, makers, cut, copies).pipeline())
}

/// How long everything waits at least, in steps, until each step's result is there.
fn depths(body: &InstructionBody) -> Vec<usize> {
    let mut ready = vec![0; body.classes.len()];
    let depth = |step: &Instruction| {
        let begin = step.operands().map(|reg| ready[reg.0 as usize]).max().unwrap_or(0);
        let own = if rows::FDIV.contains(&step.row) || rows::FSQRT.contains(&step.row) { 4 } else { 1 };
        step.result.into_iter().for_each(|reg| ready[reg.0 as usize] = begin + own);
        begin + own
    };
    body.steps.iter().map(depth).collect()
}

/// Cuts a body behind a depth.
fn cut(body: &InstructionBody, makers: &[Option<usize>], depths: &[usize], depth: usize) -> Cut {
    let steps = || body.steps.iter().enumerate();
    let mut late: Vec<bool> = steps().map(|(at, step)| depths[at] > depth || step.result.is_none()).collect();
    let (mut wanted, mut is_wanted) = (Vec::new(), vec![false; body.classes.len()]);
    for (at, step) in steps().rev() {
        if !late[at] {
            continue;
        }
        for (reg, made) in step.operands().filter_map(|reg| Some((reg, makers[reg.0 as usize]?))) {
            let is_load = matches!(body.steps[made].form, InstructionForm::Load { .. });
            match is_load || body.classes[reg.0 as usize] == RegClass::Mask {
                true => late[made] = true,
                false if !std::mem::replace(&mut is_wanted[reg.0 as usize], true) => wanted.push((reg, made)),
                false => {}
            }
        }
    }
    let kept = wanted.into_iter().filter(|&(_, made)| !late[made]).map(|(reg, _)| reg).collect();
    Cut { late, kept }
}

/// A cut body and the chunks of a round.
struct CutRounds<'b> {
    body: &'b InstructionBody,
    makers: Vec<Option<usize>>,
    first: Vec<Instruction>,
    second: Vec<Instruction>,
    kept: Vec<Reg>,
    copies: usize,
}

impl<'b> CutRounds<'b> {
    fn new(body: &'b InstructionBody, makers: Vec<Option<usize>>, cut: Cut, copies: usize) -> CutRounds<'b> {
        let Cut { late, kept } = cut;
        let mut needed = vec![false; body.classes.len()];
        kept.iter().for_each(|reg| needed[reg.0 as usize] = true);
        let mut first = Vec::new();
        for step in body.steps.iter().rev() {
            if step.result.is_some_and(|reg| needed[reg.0 as usize]) {
                step.operands().for_each(|reg| needed[reg.0 as usize] = true);
                first.push(*step);
            }
        }
        first.reverse();
        let second = body.steps.iter().zip(late).filter(|(_, late)| *late).map(|(step, _)| *step).collect();
        CutRounds { body, makers, first, second, kept, copies }
    }

    fn pipeline(&self) -> PipelinedRound {
        let both = InstructionBody {
            steps: self.both(),
            classes: self.body.classes.repeat(2 * self.copies),
            fixed: self.body.fixed.clone(),
            once: RowSetup::default(),
            chunk: self.body.chunk * self.copies,
            target: self.body.target,
            calls: self.body.calls.clone(),
            tables: self.body.tables.clone(),
            reserved: self.body.reserved,
            compact: self.body.compact,
        };
        PipelinedRound { both, kept: self.copies * self.kept.len() }
    }

    /// A register of the first half of a chunk, or of the second half, which come after the first halves of all; what
    /// is fixed is the same everywhere.
    fn moved(&self, reg: Reg, set: usize) -> Reg {
        match self.makers[reg.0 as usize] {
            Some(_) => Reg(reg.0 + (set * self.body.classes.len()) as u32),
            None => reg,
        }
    }

    /// The first half of a round.
    fn first(&self) -> Vec<Instruction> {
        let of = |step: &Instruction, copy: usize| step.rename(|reg| self.moved(reg, copy), copy);
        self.first.iter().flat_map(|step| (0..self.copies).map(move |copy| of(step, copy))).collect()
    }

    /// The second half of a round. Everything is loaded before something is stored.
    fn second(&self) -> Vec<Instruction> {
        let mut recalled = vec![false; self.copies * self.kept.len()];
        let mut steps = Vec::new();
        let is_store = |step: &&Instruction| matches!(step.form, InstructionForm::Store { .. });
        let (stores, others): (Vec<&Instruction>, Vec<&Instruction>) = self.second.iter().partition(is_store);
        for step in others.into_iter().chain(stores) {
            for copy in 0..self.copies {
                let set = self.copies + copy;
                for (index, &reg) in self.kept.iter().enumerate() {
                    let row = copy * self.kept.len() + index;
                    if step.operands().any(|operand| operand == reg) && !std::mem::replace(&mut recalled[row], true) {
                        let result = Some(self.moved(reg, set));
                        steps.push(Instruction { result, ..self.transfer(InstructionForm::Recall(row)) });
                    }
                }
                steps.push(Instruction { half: PipelineHalf::Second, ..step.rename(|reg| self.moved(reg, set), copy) });
            }
        }
        steps
    }

    /// Keeps a value in its row.
    fn keep(&self, row: usize) -> Instruction {
        let kept = self.kept.len();
        Instruction {
            last: Some(self.moved(self.kept[row % kept], row / kept)),
            ..self.transfer(InstructionForm::Keep(row))
        }
    }

    /// The second half of a round beside the first half of the next.
    fn both(&self) -> Vec<Instruction> {
        let (first, second) = (self.first(), self.second());
        let mut keeps: Vec<Option<Instruction>> =
            (0..self.copies * self.kept.len()).map(|row| Some(self.keep(row))).collect();
        let (mut steps, mut known) = (Vec::new(), vec![false; self.body.classes.len() * self.copies]);
        let mut first = first.iter();
        let mut recalled = vec![false; keeps.len()];
        for (at, step) in second.iter().enumerate() {
            let share = self.first.len() * self.copies * (at + 1) / second.len();
            let beside = share - self.first.len() * self.copies * at / second.len();
            for step in std::iter::once(step).chain(first.by_ref().take(beside)) {
                steps.push(*step);
                match (step.form, step.result) {
                    (InstructionForm::Recall(row), _) => recalled[row] = true,
                    (_, Some(reg)) if (reg.0 as usize) < known.len() => known[reg.0 as usize] = true,
                    _ => continue,
                }
                // A value is kept as soon as it is there and the one before was recalled.
                for (row, keep) in keeps.iter_mut().enumerate() {
                    let is_there = |step: &Instruction| step.last.is_some_and(|reg| known[reg.0 as usize]);
                    steps.extend(keep.take_if(|step| recalled[row] && is_there(step)));
                }
            }
        }
        debug_assert!(first.next().is_none() && keeps.iter().all(Option::is_none));
        steps
    }

    /// A step to or from a row of scratch.
    fn transfer(&self, form: InstructionForm) -> Instruction {
        let target = self.body.target;
        let (row, half) = if let InstructionForm::Keep(_) = form {
            (target.storing(8), PipelineHalf::First)
        } else {
            (target.moving(8), PipelineHalf::Second)
        };
        Instruction { half, ..Instruction::blank(row, target.whole(), form) }
    }
}
