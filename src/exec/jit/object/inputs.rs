//! The beginning of every function of a script. It takes the inputs and the lengths, and finds what is wrong with them.

use super::asserted::AssertedLength;
use super::driver::code;
use super::form::{LinearForm, Unknown, Unknowns};
use super::params::{LengthParams, Parameters};
use super::refusal::BuildRefusal;
use super::staged::{ArrayOf, StagedProgram};
use super::unmade::UnmadeLengths;
use super::writer::CodeWriter;
use crate::ir::{NodeId, NodeKind, Program, ProgramOutput, View};
use crate::types::affine::Affine;
use crate::types::parts::SaidLength;
use crate::types::{DType, Dim};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, StackSlot, Value, types};

/// The bits of an address. An array has less than 2 to this bytes.
const ADDRESS_BITS: i64 = 46;

/// The most pairs of arrays that have code of their own, each pair.
const MAX_UNROLLED_PAIRS: usize = 64;
/// Bytes of a range in a table: two addresses.
const RANGE: usize = 16;

/// The bytes of an array, length by length.
pub(super) struct ByteProduct {
    pub(super) bytes: Value,
    /// Not 0 if there are too many, or a length is negative.
    pub(super) over: Option<Value>,
}

impl ByteProduct {
    /// The product for one element.
    pub(super) fn new(w: &mut CodeWriter, size: i64) -> ByteProduct {
        ByteProduct { bytes: w.int(size), over: None }
    }

    pub(super) fn times(&mut self, w: &mut CodeWriter, len: Value) {
        let before = self.bytes;
        self.bytes = w.mul(before, len);
        // A negative length is large as a number without a sign.
        let large = w.b.ins().bor(self.bytes, len);
        let large = w.b.ins().ushr_imm_u(large, ADDRESS_BITS);
        self.over = Some(match self.over {
            // An element has few bytes: their product with a length that is not too large is exact.
            None => large,
            Some(over) => {
                let beyond = w.b.ins().umulhi(before, len);
                let large = w.b.ins().bor(large, beyond);
                w.b.ins().bor(over, large)
            }
        });
    }
}

/// What the functions of a script are made from.
pub(super) struct ScriptFunctions<'s> {
    pub(super) program: &'s Program,
    /// The inputs that the caller gives.
    pub(super) inputs: Vec<InputOf>,
    pub(super) unknowns: Unknowns,
    /// What must hold of lengths, although perhaps no array is made with them.
    pub(super) unmade: UnmadeLengths,
    /// Folds that may be of nothing.
    pub(super) started: &'s [NodeId],
    /// What it asserts of the lengths of inputs.
    pub(super) asserted: Vec<AssertedLength>,
    pub(super) staged: StagedProgram,
    /// The text of each failure.
    pub(super) failures: Vec<(i64, String)>,
}

/// An input as a function takes it.
#[derive(Clone, Debug)]
pub(super) struct InputOf {
    pub(super) name: String,
    /// Its number in the program.
    pub(super) number: usize,
    pub(super) dtype: DType,
    pub(super) shape: Vec<Dim>,
}

/// Writes what the functions have in common: inputs, unknowns, and what is wrong with them.
pub(super) struct EntryWriter<'e, 'w, 'f> {
    pub(super) w: &'e mut CodeWriter<'w, 'f>,
    pub(super) script: &'e ScriptFunctions<'e>,
    fail: Block,
    pub(super) unknowns: Vec<Value>,
}

impl<'e, 'w, 'f> EntryWriter<'e, 'w, 'f> {
    /// Finds the unknowns, and checks that all is as the script says. No length of an input is below 0, or too large.
    pub(super) fn new(
        w: &'e mut CodeWriter<'w, 'f>,
        script: &'e ScriptFunctions<'e>,
        fail: Block,
        params: &Parameters,
    ) -> Result<Self, BuildRefusal> {
        let lengths = LengthParams::new(w, params, script.inputs.iter().map(|of| of.shape.len()));
        let mut entry = EntryWriter { w, script, fail, unknowns: Vec::new() };
        entry.check_asserted(&lengths);
        entry.find_unknowns(&lengths)?;
        entry.check_shapes(&lengths);
        entry.check_program();
        Ok(entry)
    }

    /// A writer for which the unknowns are found already.
    pub(super) fn known(
        w: &'e mut CodeWriter<'w, 'f>,
        script: &'e ScriptFunctions<'e>,
        fail: Block,
        unknowns: Vec<Value>,
    ) -> Self {
        EntryWriter { w, script, fail, unknowns }
    }

    pub(super) fn fail_if(&mut self, condition: Value, code: i64) {
        let next = self.w.b.create_block();
        let code = self.w.int(code);
        self.w.b.ins().brif(condition, self.fail, &[BlockArg::from(code)], next, &[]);
        self.w.b.switch_to_block(next);
    }

    /// Checks what the script asserts of lengths, in its order. What is known before an assertion, and is none itself,
    /// is what the types of the inputs and the operations before it say.
    fn check_asserted(&mut self, lengths: &LengthParams) {
        for of in &self.script.asserted {
            let (input, axis) = of.place;
            let size = lengths.of(self.w, input, axis);
            let rest = self.w.plus(size, -of.besides);
            let length = self.whole_quotient(rest, of.times, code::SHAPE);
            self.check_said(length, of.before, code::SHAPE);
            self.check_said(length, of.said, of.code);
        }
    }

    /// Checks what is said of a length.
    fn check_said(&mut self, length: Value, said: SaidLength, code: i64) {
        let above = self.w.plus(length, -said.least);
        let less = self.w.is(above, IntCC::SignedLessThan, 0);
        self.fail_if(less, code);
        if let Some(most) = said.most {
            let more = self.w.is(length, IntCC::SignedGreaterThan, most);
            self.fail_if(more, code);
        }
        self.whole_quotient(above, said.step, code);
    }

    /// A quotient of which nothing may be left over.
    fn whole_quotient(&mut self, dividend: Value, divisor: i64, code: i64) -> Value {
        if divisor == 1 {
            return dividend;
        }
        let quotient = self.quotient(dividend, divisor);
        let whole = self.w.times(quotient, divisor);
        let differs = self.w.b.ins().icmp(IntCC::NotEqual, whole, dividend);
        self.fail_if(differs, code);
        quotient
    }

    /// The value of each unknown: a name is the length of an axis, the others are computed.
    fn find_unknowns(&mut self, lengths: &LengthParams) -> Result<(), BuildRefusal> {
        for unknown in &self.script.unknowns.all {
            let value = match unknown {
                Unknown::Name(name) => self.length(name, lengths)?,
                Unknown::Quotient(dividend, divisor) => {
                    let dividend = self.size(dividend);
                    self.quotient(dividend, *divisor)
                }
                Unknown::Least(left, right) => {
                    let (left, right) = (self.size(left), self.size(right));
                    self.w.least(left, right)
                }
                Unknown::Product(_) => unreachable!("products are taken apart"),
            };
            self.unknowns.push(value);
        }
        Ok(())
    }

    fn quotient(&mut self, dividend: Value, divisor: i64) -> Value {
        let by = self.w.int(divisor);
        let quotient = self.w.b.ins().sdiv(dividend, by);
        let product = self.w.mul(quotient, by);
        let above = self.w.b.ins().icmp(IntCC::SignedGreaterThan, product, dividend);
        let below = self.w.plus(quotient, -1);
        self.w.b.ins().select(above, below, quotient)
    }

    /// A length by its name: that of the first axis that has just this length, else computed from an axis whose length
    /// is a multiple of it plus a constant.
    fn length(&mut self, name: &str, lengths: &LengthParams) -> Result<Value, BuildRefusal> {
        let wanted = Affine::name(name);
        for (input, of) in self.script.inputs.iter().enumerate() {
            if let Some(axis) = of.shape.iter().position(|dim| dim.form().as_ref() == Some(&wanted)) {
                return Ok(lengths.of(self.w, input, axis));
            }
        }
        for (input, of) in self.script.inputs.iter().enumerate() {
            for (axis, dim) in of.shape.iter().enumerate() {
                if let Some(Affine { terms, constant }) = dim.form()
                    && let [(Unknown::Name(known), factor @ 1..)] = terms.as_slice()
                    && known == name
                {
                    let size = lengths.of(self.w, input, axis);
                    let rest = self.w.plus(size, -constant);
                    let found = self.quotient(rest, *factor);
                    // Of `n + 3` an axis is no less than 3.
                    let negative = self.w.is(found, IntCC::SignedLessThan, 0);
                    self.fail_if(negative, code::SHAPE);
                    return Ok(found);
                }
            }
        }
        Err(BuildRefusal::UnknownLength(name.to_owned()))
    }

    fn size(&mut self, size: &Affine) -> Value {
        let form = self.script.unknowns.form(size);
        self.form(&form)
    }

    fn form(&mut self, form: &LinearForm) -> Value {
        form.write(self.w, &self.unknowns)
    }

    pub(super) fn dim(&mut self, dim: &Dim) -> Value {
        let size = dim.form().unwrap_or_else(|| Affine::constant(i64::MAX));
        self.size(&size)
    }

    /// Checks that every input has the lengths that the script says.
    fn check_shapes(&mut self, lengths: &LengthParams) {
        for (input, of) in self.script.inputs.iter().enumerate() {
            for (axis, dim) in of.shape.iter().enumerate() {
                let size = lengths.of(self.w, input, axis);
                let wanted = self.dim(dim);
                let differs = self.w.b.ins().icmp(IntCC::NotEqual, size, wanted);
                self.fail_if(differs, code::SHAPE);
            }
        }
    }

    /// Checks that no length inside is negative, that slices lie in what they slice, and that there is a window
    /// wherever windows are taken; also in steps of loops.
    fn check_program(&mut self) {
        let mut seen: Vec<Dim> = Vec::new();
        self.check_nodes(self.script.program, &mut seen);
        let UnmadeLengths { lengths, slices, folded } = &self.script.unmade;
        lengths.iter().for_each(|dim| self.check_length(dim, &mut seen));
        slices.iter().for_each(|slice| self.check_slice((&slice.start, slice.step), &slice.len, &slice.whole));
        self.check_folds(self.script.program, folded);
    }

    /// Checks that there is something wherever the smallest or largest is taken, also where nothing is to be stored. A
    /// fold that starts with a value needs nothing.
    fn check_folds(&mut self, program: &Program, folded: &[Dim]) {
        let is_open = |dim: &Dim| dim.known().is_none() && !dim.is_at_least(1);
        let mut all: Vec<&Dim> = Vec::new();
        for (index, _) in program.needed_nodes().into_iter().enumerate().filter(|(_, needed)| *needed) {
            let NodeKind::Fold { fold, arg, axes, .. } = &program.nodes[index].kind else { continue };
            if fold.has_identity() || self.script.started.contains(&NodeId(index as u32)) {
                continue;
            }
            let shape = &program.node(*arg).shape;
            all.extend(axes.iter().map(|&axis| &shape[axis as usize]).filter(|&dim| is_open(dim)));
        }
        all.extend(folded);
        for (at, &dim) in all.iter().enumerate() {
            if !all[..at].contains(&dim) {
                let size = self.dim(dim);
                let none = self.w.is(size, IntCC::Equal, 0);
                self.fail_if(none, code::EMPTY);
            }
        }
    }

    /// Checks once that a length is not negative.
    fn check_length(&mut self, dim: &Dim, seen: &mut Vec<Dim>) {
        if dim.known().is_none() && !seen.contains(dim) {
            seen.push(dim.clone());
            let size = self.dim(dim);
            let negative = self.w.is(size, IntCC::SignedLessThan, 0);
            self.fail_if(negative, code::SHAPE);
        }
    }

    fn check_nodes(&mut self, program: &Program, seen: &mut Vec<Dim>) {
        let needed = program.needed_nodes();
        let nodes: Vec<usize> = (0..program.nodes.len()).filter(|&index| needed[index]).collect();
        for &index in &nodes {
            program.nodes[index].shape.iter().for_each(|dim| self.check_length(dim, seen));
        }
        for &index in &nodes {
            let node = &program.nodes[index];
            if let NodeKind::View { view: View::Windows(axis), .. } = node.kind {
                // A window has at least one element, and there is at least one place for it.
                let counts = [Some(&node.shape[axis as usize]), node.shape.last()];
                for dim in counts.into_iter().flatten().filter(|dim| dim.known().is_none() && !dim.is_at_least(1)) {
                    let count = self.dim(dim);
                    let none = self.w.is(count, IntCC::SignedLessThan, 1);
                    self.fail_if(none, code::SHAPE);
                }
            }
            let (region, inner, outer) = if let NodeKind::View { view: View::Slice(region), arg } = &node.kind {
                (region, &node.shape, &program.node(*arg).shape)
            } else if let NodeKind::Update { region, value, base } = &node.kind {
                (region, &program.node(*value).shape, &program.node(*base).shape)
            } else {
                continue;
            };
            for ((slice, len), whole) in region.iter().zip(inner).zip(outer) {
                if len == whole && slice.step == 1 && slice.start.known() == Some(0) {
                    continue;
                }
                self.check_slice((&slice.start, slice.step), len, whole);
            }
        }
        for of in program.loops() {
            self.check_nodes(&of.step, seen);
            of.condition.iter().for_each(|condition| self.check_nodes(condition, seen));
        }
    }

    fn check_slice(&mut self, (start, step): (&Dim, i64), len: &Dim, whole: &Dim) {
        let (first, len, whole) = (self.dim(start), self.dim(len), self.dim(whole));
        let steps = self.w.plus(len, -1);
        let reach = self.w.times(steps, step);
        let last = self.w.add(first, reach);
        let mut outside = self.w.int(0);
        outside = self.w.b.ins().ireduce(types::I8, outside);
        for position in [first, last] {
            // A position below 0 is large as a number without a sign.
            let out = self.w.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, position, whole);
            outside = self.w.b.ins().bor(outside, out);
        }
        let some = self.w.is(len, IntCC::SignedGreaterThan, 0);
        let bad = self.w.b.ins().band(outside, some);
        self.fail_if(bad, code::SHAPE);
    }

    /// The bytes of an array of a kind, if memory can hold them.
    pub(super) fn bytes_of_kind(&mut self, kind: &ArrayOf) -> Value {
        let sizes: Vec<Value> = kind.shape.iter().map(|dim| self.dim(dim)).collect();
        self.bytes_of(kind.dtype, &sizes)
    }

    fn bytes_of(&mut self, dtype: DType, sizes: &[Value]) -> Value {
        let mut product = ByteProduct::new(self.w, dtype.size() as i64);
        sizes.iter().for_each(|&size| product.times(self.w, size));
        if let Some(over) = product.over {
            self.fail_if(over, code::SIZE);
        }
        product.bytes
    }

    /// The bytes of an array whose sizes are of a plan, rounded up to whole cache lines.
    pub(super) fn padded_of(&mut self, dtype: DType, sizes: &[LinearForm], unknowns: &Unknowns) -> Value {
        let own = unknowns.all.iter().map(|unknown| self.value(unknown));
        let own: Vec<Value> = own.collect();
        let sizes: Vec<Value> = sizes.iter().map(|size| size.write(self.w, &own)).collect();
        let bytes = self.bytes_of(dtype, &sizes);
        self.pad(bytes)
    }

    fn value(&self, unknown: &Unknown) -> Value {
        let at = self.script.unknowns.all.iter().position(|known| known == unknown);
        self.unknowns[at.expect("the unknowns of a plan are those of the script")]
    }

    pub(super) fn pad(&mut self, bytes: Value) -> Value {
        let more = self.w.plus(bytes, 63);
        self.w.b.ins().band_imm_s(more, -64)
    }

    /// Checks that every output has the lengths that it must have, and shares no byte with an input or another output.
    /// `input` gives the first byte of an input, and the byte behind its last.
    pub(super) fn outputs(&mut self, params: &Parameters, input: &dyn Fn(&mut CodeWriter, usize) -> (Value, Value)) {
        let script = self.script;
        let (inputs, all) = (script.inputs.len(), &script.program.outputs);
        if all.len() * (inputs + all.len()) > MAX_UNROLLED_PAIRS {
            // A table on the stack, so that no range lives for long.
            let slot = self.w.stack(RANGE * (inputs + all.len()));
            for number in 0..inputs {
                let range = input(self.w, number);
                self.keep(slot, number, range);
            }
            for (number, of) in all.iter().enumerate() {
                let param = params.get(self.w, number);
                let range = self.output(of, param);
                self.keep(slot, inputs + number, range);
            }
            return self.all_apart(slot, inputs, inputs + all.len());
        }
        let mut own = Vec::new();
        for (number, of) in all.iter().enumerate() {
            let param = params.get(self.w, number);
            own.push(self.output(of, param));
        }
        let mut others: Vec<(Value, Value)> = (0..inputs).map(|number| input(self.w, number)).collect();
        for range in own {
            for &other in &others {
                self.apart(range, other);
            }
            others.push(range);
        }
    }

    /// Where an output begins and ends that has the lengths that it must.
    fn output(&mut self, of: &ProgramOutput, output: Value) -> (Value, Value) {
        let data = self.w.load(output, 0);
        let shape = self.w.load(output, 8);
        let node = self.script.program.node(of.node);
        let wanted: Vec<Value> = node.shape.iter().map(|dim| self.dim(dim)).collect();
        for (axis, &wanted) in wanted.iter().enumerate() {
            let given = self.w.load(shape, 8 * axis as i32);
            let differs = self.w.b.ins().icmp(IntCC::NotEqual, given, wanted);
            self.fail_if(differs, code::SHAPE);
        }
        let bytes = self.bytes_of(node.dtype, &wanted);
        let end = self.w.add(data, bytes);
        // Nothing is behind where one without elements begins.
        let any = self.w.is(bytes, IntCC::SignedGreaterThan, 0);
        let never = self.w.int(-1);
        (self.w.b.ins().select(any, data, never), end)
    }

    /// Checks that two ranges share no byte.
    fn apart(&mut self, (data, end): (Value, Value), (low, high): (Value, Value)) {
        let before = self.w.b.ins().icmp(IntCC::UnsignedLessThan, data, high);
        let after = self.w.b.ins().icmp(IntCC::UnsignedLessThan, low, end);
        let both = self.w.b.ins().band(before, after);
        self.fail_if(both, code::ALIAS);
    }

    /// Puts a range into a table.
    fn keep(&mut self, table: StackSlot, number: usize, (low, high): (Value, Value)) {
        let table = self.w.stack_address(table);
        self.w.store(low, table, (RANGE * number) as i32);
        self.w.store(high, table, (RANGE * number + RANGE / 2) as i32);
    }

    /// Checks that the ranges of a table from number `first` on share no byte with those before them, by two loops.
    fn all_apart(&mut self, table: StackSlot, first: usize, count: usize) {
        let table = self.w.stack_address(table);
        let (first, end, zero) = (self.w.int(first as i64), self.w.int(count as i64), self.w.int(0));
        let own = self.w.begin_loop(first, end);
        let range = self.range(table, own.at);
        let other = self.w.begin_loop(zero, own.at);
        let before = self.range(table, other.at);
        self.apart(range, before);
        let next = self.w.plus(other.at, 1);
        self.w.end_loop(other, next);
        let next = self.w.plus(own.at, 1);
        self.w.end_loop(own, next);
    }

    /// A range of a table.
    fn range(&mut self, table: Value, number: Value) -> (Value, Value) {
        let distance = self.w.times(number, RANGE as i64);
        let place = self.w.add(table, distance);
        (self.w.load(place, 0), self.w.load(place, RANGE as i32 / 2))
    }
}
