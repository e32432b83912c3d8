//! Register allocation, by a scan of one body.
//!
//! The body is straight-line code, so one walk over it suffices: a register is free again where its value is last used.
//! A value that does not change keeps a register if there is one, and lies in memory otherwise. When registers run out,
//! the value whose next use is furthest away is spilled.

use super::assembler::{InstructionRow, VectorBits};
use super::operands::with_constant_last;
use super::rows;
use super::steps::{
    Allocation, Instruction, InstructionBody, InstructionForm, PipelineHalf, PreloadedValue, Reg, RegClass,
};
use smallvec::SmallVec;

/// An instruction with its registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedInstruction {
    pub(super) row: InstructionRow,
    pub(super) length: VectorBits,
    pub(super) form: InstructionForm,
    pub(super) result: u8,
    pub(super) first: Option<u8>,
    pub(super) last: Allocation,
    pub(super) mask: Option<(u8, bool)>,
    pub(super) immediate: Option<u8>,
    pub(super) half: PipelineHalf,
    /// Of a call, what must survive it.
    pub(super) live: RegisterSet,
}

/// Registers, a bit for each.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct RegisterSet {
    pub(super) vectors: u32,
    pub(super) masks: u8,
}

/// A body with its registers.
#[derive(Clone, Debug)]
pub(super) struct AllocatedBody {
    pub(super) steps: Vec<PlacedInstruction>,
    /// What is done once for each row, before them.
    pub(super) once: Vec<PlacedInstruction>,
    /// Where each of the body's fixed values is.
    pub(super) fixed: Vec<Allocation>,
    /// Rows of scratch.
    pub(super) slots: usize,
    /// The first of those that keep something from round to round.
    pub(super) kept: usize,
    /// Vector registers that fixed values and the steps may use.
    usable: u8,
}

impl AllocatedBody {
    /// A vector register, among the first `count`, that is not `other` and holds no fixed value: it is free between two
    /// rounds.
    pub(super) fn without_fixed(&self, count: usize, other: u8) -> Option<u8> {
        let is_free = |register: &u8| *register != other && !self.fixed.contains(&Allocation::Register(*register));
        (0..count as u8).find(is_free)
    }
}

/// The first mask register is no mask. The next three are for the last elements, which whole rounds do not have.
const MASKS: std::ops::Range<u8> = 4..8;
const ALL_MASKS: std::ops::Range<u8> = 1..8;

const NO_NEXT_USE: u32 = u32::MAX;

/// The registers that fixed values always leave: an instruction has at most three operands in registers, and a result.
/// What is made before the loop, and a body beside the one whose values were counted, need no more than that.
const MIN_FREE_REGISTERS: usize = 4;

struct Allocator<'b> {
    body: &'b InstructionBody,
    homes: Vec<Option<Allocation>>,
    is_fixed: Vec<bool>,
    uses: Vec<RegisterUses>,
    registers: FreeRegisters,
    scratch: ScratchSlots,
    steps: Vec<PlacedInstruction>,
}

/// Registers that are free, or could be given up.
struct FreeRegisters {
    vectors: Vec<u8>,
    masks: Vec<u8>,
    /// Who has a vector or mask register and could give it up.
    holders: Vec<Reg>,
    /// The vector registers of fixed values.
    constants: u32,
}

/// Rows of scratch for values that have no register.
struct ScratchSlots {
    count: usize,
    free: Vec<usize>,
    /// Those that are free after the step at hand, which reads them.
    ended: Vec<usize>,
}

/// Gives registers.
pub(super) fn allocate(body: &InstructionBody) -> AllocatedBody {
    let uses = uses(body);
    let known = fixed_values(body, peak(body, &uses));
    let placed = place(body, uses.clone(), known.clone(), MASKS);
    if !known.lacks_passing(body, &placed) {
        return placed;
    }
    let known = fixed_values(body, body.target.vectors());
    place(body, uses, known, MASKS)
}

impl AllocatedBody {
    /// Whether values that went to memory would pass through registers of fixed values, none being left for that.
    fn lacks_passing(&self, body: &InstructionBody, placed: &AllocatedBody) -> bool {
        usize::from(self.usable) == body.target.vectors() && placed.slots > self.slots
    }
}

/// Gives registers to a body of whole rounds, and to the plain one the same for fixed values; `None` when there are too
/// few for values to stay where they are. Besides, `kept` rows of scratch keep something from round to round.
pub(super) fn allocate_both(
    rounds: &InstructionBody,
    kept: usize,
    plain: &InstructionBody,
) -> Option<[AllocatedBody; 2]> {
    let many = uses(rounds);
    let peak = peak(rounds, &many);
    if peak > rounds.target.vectors() - rounds.target.passing().len() {
        return None;
    }
    let mut known = fixed_values(rounds, peak);
    known.kept = known.slots;
    known.slots += kept;
    let slots = known.slots;
    let first = place(rounds, many, known.clone(), ALL_MASKS);
    let second = place(plain, uses(plain), known.clone(), MASKS);
    (first.slots == slots && !known.lacks_passing(plain, &second)).then_some([first, second])
}

/// The places where a register without a number is used, the last one first.
type RegisterUses = SmallVec<[u32; 6]>;

/// The uses of each register of a body.
fn uses(body: &InstructionBody) -> Vec<RegisterUses> {
    let mut uses = vec![RegisterUses::new(); body.classes.len()];
    for (at, step) in body.steps.iter().enumerate().rev() {
        step.operands().for_each(|reg| {
            if uses[reg.0 as usize].last() != Some(&(at as u32)) {
                uses[reg.0 as usize].push(at as u32);
            }
        });
    }
    uses
}

/// Whether an instruction takes longer to read its last operand from memory than a load of its own takes. A Zen 3 starts
/// a permutation in five quarters of a cycle, and in two cycles where memory has what is permuted.
fn is_slow_in_memory(step: &Instruction, body: &InstructionBody) -> bool {
    step.row == rows::PERMUTE[0] && !body.target.has_masks()
}

/// What each fixed value costs in an iteration if it lies in memory: a whole vector is loaded in twice the time of one
/// lane, and where an instruction wants a register there is one more.
fn worth(body: &InstructionBody) -> Vec<usize> {
    let mut worth = vec![0; body.fixed.len()];
    let mut numbers = vec![None; body.classes.len()];
    body.fixed.iter().enumerate().for_each(|(number, (reg, _))| numbers[reg.0 as usize] = Some(number));
    for step in &body.steps {
        let operands = [(step.tied, false), (step.first, true), (step.last, is_slow_in_memory(step, body))];
        for (reg, needs_register) in operands {
            if let Some(number) = reg.and_then(|reg| numbers[reg.0 as usize]) {
                let one_lane = step.row.lane.is_some_and(|bytes| body.fixed[number].1.is_each(bytes));
                worth[number] += if one_lane { 1 } else { 2 } + usize::from(needs_register);
            }
        }
    }
    worth
}

/// Where the fixed values are: those that are used most keep a register, from the top, where the body's own are last.
fn fixed_values(body: &InstructionBody, peak: usize) -> AllocatedBody {
    let (count, vectors) = (body.fixed.len(), body.target.vectors());
    let peak = peak.max(MIN_FREE_REGISTERS) + body.reserved;
    let roomy = peak + count <= vectors;
    let usable = if roomy { vectors } else { vectors - body.target.passing().len() };
    let keep = if roomy { count } else { usable.saturating_sub(peak) };
    let mut by_use: Vec<usize> = (0..count).collect();
    let worth = worth(body);
    by_use.sort_by_key(|&number| std::cmp::Reverse(worth[number]));
    let (mut fixed, mut slots) = (vec![Allocation::Register(0); count], 0);
    for (rank, &number) in by_use.iter().enumerate() {
        fixed[number] = match body.fixed[number].1 {
            _ if rank < keep => Allocation::Register((usable - 1 - rank) as u8),
            PreloadedValue::Constant(_) => Allocation::Pool(number),
            PreloadedValue::Repeat { .. } | PreloadedValue::Made => {
                slots += 1;
                Allocation::Slot(slots - 1)
            }
        };
    }
    AllocatedBody { steps: Vec::new(), once: Vec::new(), fixed, slots, kept: slots, usable: usable as u8 }
}

/// Gives registers to a body's own values beside its fixed ones, and before the loop to what makes some of these.
fn place(
    body: &InstructionBody,
    uses: Vec<RegisterUses>,
    known: AllocatedBody,
    masks: std::ops::Range<u8>,
) -> AllocatedBody {
    let once = match body.once.steps.as_slice() {
        [] => AllocatedBody { steps: Vec::new(), ..known.clone() },
        steps => {
            let before = InstructionBody {
                steps: steps.to_vec(),
                classes: body.classes.clone(),
                chunk: body.chunk,
                target: body.target,
                reserved: body.reserved,
                ..InstructionBody::default()
            };
            place_steps(&before, self::uses(&before), known.clone(), MASKS)
        }
    };
    let placed = place_steps(body, uses, known, masks);
    AllocatedBody { once: once.steps, slots: placed.slots.max(once.slots), ..placed }
}

fn place_steps(
    body: &InstructionBody,
    uses: Vec<RegisterUses>,
    known: AllocatedBody,
    masks: std::ops::Range<u8>,
) -> AllocatedBody {
    let (mut homes, mut is_fixed) = (vec![None; body.classes.len()], vec![false; body.classes.len()]);
    for ((reg, _), home) in body.fixed.iter().zip(&known.fixed) {
        homes[reg.0 as usize] = Some(*home);
        is_fixed[reg.0 as usize] = true;
    }
    let free = |number: &u8| !known.fixed.contains(&Allocation::Register(*number));
    let registers =
        known.fixed.iter().filter_map(|home| if let Allocation::Register(number) = home { Some(number) } else { None });
    let constants = registers.fold((1 << body.reserved) - 1, |all, number| all | 1 << number);
    let mut allocator = Allocator {
        body,
        homes,
        is_fixed,
        uses,
        registers: FreeRegisters {
            vectors: (body.reserved as u8..known.usable).filter(free).rev().collect(),
            masks: masks.rev().collect(),
            holders: Vec::new(),
            constants,
        },
        scratch: ScratchSlots { count: known.slots, free: Vec::new(), ended: Vec::new() },
        steps: Vec::new(),
    };
    for at in 0..body.steps.len() {
        allocator.step(at);
    }
    AllocatedBody { steps: allocator.steps, slots: allocator.scratch.count, ..known }
}

/// The most vectors that are alive at once, without the fixed ones.
fn peak(body: &InstructionBody, uses: &[RegisterUses]) -> usize {
    let mut counted: Vec<bool> = body.classes.iter().map(|class| *class == RegClass::Vector).collect();
    body.fixed.iter().for_each(|(reg, _)| counted[reg.0 as usize] = false);
    let counts = |reg: Reg| counted[reg.0 as usize];
    let (mut alive, mut peak) = (0usize, 0);
    for (at, step) in body.steps.iter().enumerate() {
        alive += usize::from(step.result.is_some_and(counts));
        peak = peak.max(alive);
        let mut ended: Vec<Reg> =
            step.operands().filter(|&reg| counts(reg) && uses[reg.0 as usize][0] == at as u32).collect();
        ended.dedup();
        alive = alive.saturating_sub(ended.len());
        // What nobody uses is gone at once.
        alive = alive
            .saturating_sub(usize::from(step.result.is_some_and(|reg| counts(reg) && uses[reg.0 as usize].is_empty())));
    }
    peak + 1
}

impl Allocator<'_> {
    fn slot(&mut self) -> usize {
        let scratch = &mut self.scratch;
        scratch.free.pop().unwrap_or_else(|| {
            scratch.count += 1;
            scratch.count - 1
        })
    }

    fn home(&self, reg: Reg) -> Allocation {
        self.homes[reg.0 as usize].expect("operands come first")
    }

    fn is_mask(&self, reg: Reg) -> bool {
        self.body.classes[reg.0 as usize] == RegClass::Mask
    }

    fn step(&mut self, at: usize) {
        let step = with_constant_last(&self.body.steps[at], self.body, |reg| self.home(reg));
        let mut passing = self.body.target.passing().into_iter();
        // What an instruction reads first, or writes elsewhere, must be in a register.
        let first = step.first.map(|reg| self.in_register(reg, at, &mut passing));
        let mut last = step.last.map_or(Allocation::Register(0), |reg| self.home(reg));
        let last_is_register = match step.form {
            _ if is_slow_in_memory(&step, self.body) => true,
            InstructionForm::ResultLast
            | InstructionForm::Store { .. }
            | InstructionForm::Keep(_)
            | InstructionForm::Masks
            | InstructionForm::Preload(_)
            | InstructionForm::Rows { .. } => true,
            // With a VEX prefix they take no operand in memory.
            InstructionForm::Digit(_) => !self.body.target.has_masks(),
            InstructionForm::Plain
            | InstructionForm::Load { .. }
            | InstructionForm::Recall(_)
            | InstructionForm::Fetch(_)
            | InstructionForm::Call(_) => false,
        };
        if let (Some(reg), true) = (step.last, last_is_register) {
            last = Allocation::Register(self.in_register(reg, at, &mut passing));
        }
        let mask = step.mask.map(|(reg, zeroing)| (self.in_register(reg, at, &mut passing), zeroing));
        let live = if matches!(step.form, InstructionForm::Call(_)) { self.live() } else { RegisterSet::default() };
        let result = self.result(at, &step);
        self.steps.push(PlacedInstruction {
            row: step.row,
            length: step.length,
            form: step.form,
            result,
            first,
            last,
            mask,
            immediate: step.immediate,
            half: step.half,
            live,
        });
        if let Some(reg) = step.result
            && self.uses[reg.0 as usize].is_empty()
        {
            self.release(reg);
        }
        self.scratch.free.append(&mut self.scratch.ended);
    }

    /// Registers with values.
    fn live(&self) -> RegisterSet {
        let mut live = RegisterSet { vectors: self.registers.constants, masks: 0 };
        for &reg in &self.registers.holders {
            match self.is_mask(reg) {
                true => live.masks |= 1 << self.number(reg),
                false => live.vectors |= 1 << self.number(reg),
            }
        }
        live
    }

    /// The register of a step's result, which holds what it should hold before; operands that end here are let go of.
    fn result(&mut self, at: usize, step: &Instruction) -> u8 {
        let reused = step.tied.filter(|&reg| {
            let others = [step.first, step.last].into_iter().flatten().all(|other| other != reg);
            others && self.ends(reg, at) && self.registers.holders.contains(&reg)
        });
        if let (Some(tied), Some(result)) = (reused, step.result) {
            let home = self.home(tied);
            self.end_operands(at, step, Some(tied));
            self.uses[tied.0 as usize].pop();
            self.registers.holders.retain(|&holder| holder != tied);
            self.homes[result.0 as usize] = Some(home);
            self.registers.holders.push(result);
            return self.number(result);
        }
        // What is copied into the result's register must not overwrite the other operands.
        if step.tied.is_none() {
            self.end_operands(at, step, None);
        }
        let Some(result) = step.result else { return 0 };
        let number = self.free_register(at, result);
        self.homes[result.0 as usize] = Some(Allocation::Register(number));
        self.registers.holders.push(result);
        if let Some(tied) = step.tied {
            let last = self.home(tied);
            self.pass(number, last, step.half);
            self.end_operands(at, step, None);
        }
        number
    }

    /// Copies a vector to a register.
    fn pass(&mut self, result: u8, last: Allocation, half: PipelineHalf) {
        let (row, length) = (self.body.target.moving(8), self.body.target.whole());
        self.moved((row, length, InstructionForm::Plain), result, last, half);
    }

    fn moved(
        &mut self,
        (row, length, form): (InstructionRow, VectorBits, InstructionForm),
        result: u8,
        last: Allocation,
        half: PipelineHalf,
    ) {
        let (first, mask, immediate, live) = (None, None, None, RegisterSet::default());
        self.steps.push(PlacedInstruction { row, length, form, result, first, last, mask, immediate, half, live });
    }

    fn ends(&self, reg: Reg, at: usize) -> bool {
        self.uses[reg.0 as usize].first() == Some(&(at as u32))
    }

    fn end_operands(&mut self, at: usize, step: &Instruction, but: Option<Reg>) {
        for reg in step.operands().filter(|&reg| Some(reg) != but) {
            let uses = &mut self.uses[reg.0 as usize];
            if uses.last() == Some(&(at as u32)) {
                uses.pop();
                if uses.is_empty() && !self.is_fixed[reg.0 as usize] {
                    self.release(reg);
                }
            }
        }
    }

    fn release(&mut self, reg: Reg) {
        match self.homes[reg.0 as usize].take() {
            Some(Allocation::Register(number)) if self.is_mask(reg) => self.registers.masks.push(number),
            Some(Allocation::Register(number)) => self.registers.vectors.push(number),
            Some(Allocation::Slot(slot)) => self.scratch.ended.push(slot),
            Some(Allocation::Pool(_)) | None => {}
        }
        self.registers.holders.retain(|&holder| holder != reg);
    }

    fn number(&self, reg: Reg) -> u8 {
        match self.home(reg) {
            Allocation::Register(number) => number,
            home @ (Allocation::Slot(_) | Allocation::Pool(_)) => unreachable!("{home:?} is no register"),
        }
    }

    fn in_register(&mut self, reg: Reg, at: usize, passing: &mut impl Iterator<Item = u8>) -> u8 {
        match self.home(reg) {
            Allocation::Register(number) => number,
            Allocation::Slot(slot) if self.is_mask(reg) => {
                let number = self.free_register(at, reg);
                let half = self.body.steps[at].half;
                self.moved(
                    (rows::KLOAD, VectorBits::Xmm, InstructionForm::Masks),
                    number,
                    Allocation::Slot(slot),
                    half,
                );
                self.scratch.ended.push(slot);
                self.homes[reg.0 as usize] = Some(Allocation::Register(number));
                self.registers.holders.push(reg);
                number
            }
            last @ (Allocation::Slot(_) | Allocation::Pool(_)) => {
                let result = passing.next().expect("an instruction passes on at most two operands");
                self.pass(result, last, self.body.steps[at].half);
                result
            }
        }
    }

    /// A register for a value; if there is none, whoever is used last gives up its own.
    fn free_register(&mut self, at: usize, wanted: Reg) -> u8 {
        let (step, is_mask) = (self.body.steps[at], self.is_mask(wanted));
        if let Some(number) = if is_mask { self.registers.masks.pop() } else { self.registers.vectors.pop() } {
            return number;
        }
        let could = |reg: &Reg| self.is_mask(*reg) == is_mask && step.operands().all(|busy| busy != *reg);
        let next_use = |reg: &Reg| {
            self.uses[reg.0 as usize].iter().rev().find(|&&place| place > at as u32).copied().unwrap_or(NO_NEXT_USE)
        };
        let furthest = self.registers.holders.iter().copied().filter(could).max_by_key(next_use);
        let furthest = furthest.expect("more values are alive than an instruction has operands");
        let number = self.number(furthest);
        let slot = self.slot();
        let (target, place) = (self.body.target, Allocation::Slot(slot));
        match is_mask {
            true => self.moved((rows::KSTORE, VectorBits::Xmm, InstructionForm::Masks), number, place, step.half),
            false => self.moved((target.storing(8), target.whole(), InstructionForm::Plain), number, place, step.half),
        }
        self.homes[furthest.0 as usize] = Some(place);
        self.registers.holders.retain(|&holder| holder != furthest);
        number
    }
}
