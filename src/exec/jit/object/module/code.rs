//! The code of loops, with the folds or prims that these call: written once, in each kind of code that is asked for.

use super::{FoldKey, ObjectCode, distance};
use crate::exec::jit::clif::{self, CalledPrim, ConstantTable, Link};
use crate::exec::jit::isa::GENERATOR;
use crate::exec::jit::lower::{self, TargetAbilities, VectorBody};
use crate::exec::jit::object::refusal::BuildRefusal;
use crate::exec::jit::object::shared::LoopCode;
use crate::exec::jit::object::{choice, scalars};
use crate::exec::jit::{Listing, x86};
use crate::exec::stepping::Loop;
use crate::panics::catch_failure;
use crate::scalar::prim::Prim;
use crate::types::DType;
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::ir::UserFuncName;
use cranelift_module::{Module, ModuleReloc, ModuleRelocTarget};

impl ObjectCode {
    /// The code of a loop.
    ///
    /// # Errors
    /// When something in it has no code outside of this process.
    pub(in super::super) fn loop_code(&mut self, code: &Loop) -> Result<LoopCode, BuildRefusal> {
        let made = self.in_each(|object| object.own_loop_code(code).map(Some))?;
        Ok(made.expect("every loop has code"))
    }

    fn own_loop_code(&mut self, code: &Loop) -> Result<LoopCode, BuildRefusal> {
        let key = (self.kinds.current, code.clone());
        if let Some(&known) = self.made.loops.get(&key) {
            return Ok(known);
        }
        let made = match self.wide(code)? {
            Some(wide) => wide,
            None => self.narrow(code)?,
        };
        self.made.loops.insert(key, made);
        Ok(made)
    }

    /// The code of a loop on wide vectors, as a run has it. `None` if wide vectors do not take the loop.
    fn wide(&mut self, code: &Loop) -> Result<Option<LoopCode>, BuildRefusal> {
        let listed = self.listing.is_some();
        let Some(level) = self.kinds.one().level else { return Ok(None) };
        let Ok(Some(linked)) = catch_failure(GENERATOR, || Ok(x86::compile_linked(code, level, listed))) else {
            return Ok(None);
        };
        self.link(linked).map(Some)
    }

    /// The code of a fold on wide vectors. The last input and the output of the loop are 32 accumulators, which begin
    /// with `neutral`: it leaves each value as it is. The code takes multiples of 32 elements. If it `ends` in one
    /// total, it takes any number up to a block, and row after row.
    pub(in super::super) fn fold_code(
        &mut self,
        code: &Loop,
        neutral: u64,
        ends: bool,
    ) -> Result<Option<LoopCode>, BuildRefusal> {
        self.in_each(|object| object.own_fold_code(code, neutral, ends))
    }

    fn own_fold_code(&mut self, code: &Loop, neutral: u64, ends: bool) -> Result<Option<LoopCode>, BuildRefusal> {
        let Some(level) = self.kinds.one().level else { return Ok(None) };
        let key = FoldKey { variant: self.kinds.current, code: code.clone(), neutral, ends_in_total: ends };
        if let Some(&known) = self.made.folds.get(&key) {
            return Ok(known);
        }
        let listed = self.listing.is_some();
        let linked =
            catch_failure(GENERATOR, || Ok(x86::linked_fold(code, neutral, ends, level, listed))).ok().flatten();
        let made = linked.map(|linked| self.link(linked)).transpose()?;
        self.made.folds.insert(key, made);
        Ok(made)
    }

    /// The code of a fold of rows on wide vectors, and how many columns there must be.
    pub(in super::super) fn column_code(
        &mut self,
        code: &Loop,
        neutral: u64,
    ) -> Result<Option<(LoopCode, i64)>, BuildRefusal> {
        // If several kinds of code are written, there must be enough columns for each.
        let most = std::cell::Cell::new(0);
        let made = self.in_each(|object| {
            let Some((code, width)) = object.own_column_code(code, neutral)? else { return Ok(None) };
            most.set(most.get().max(width));
            Ok(Some(code))
        })?;
        Ok(made.map(|code| (code, most.get())))
    }

    fn own_column_code(&mut self, code: &Loop, neutral: u64) -> Result<Option<(LoopCode, i64)>, BuildRefusal> {
        let Some(level) = self.kinds.one().level else { return Ok(None) };
        let listed = self.listing.is_some();
        let linked = catch_failure(GENERATOR, || Ok(x86::linked_columns(code, neutral, level, listed))).ok().flatten();
        let link = |(linked, width): (x86::LinkedLoop, usize)| Ok((self.link(linked)?, width as i64));
        linked.map(link).transpose()
    }

    /// Adds machine code.
    fn link(&mut self, linked: x86::LinkedLoop) -> Result<LoopCode, BuildRefusal> {
        let (mut relocs, mut text) = (Vec::new(), linked.text);
        for (at, (prim, operands, result)) in linked.calls {
            let number = self.call(&CalledPrim { prim, operands, result })?;
            relocs.push(distance(at, Reloc::X86CallPCRel4, number));
            text = text.replacen(x86::CALL_ELSEWHERE, &format!("call u0:{number}"), 1);
        }
        for x86::LinkedConstant { at, rest, bytes, offset } in linked.constants {
            let name = ModuleRelocTarget::user(1, self.data(bytes)?);
            let addend = offset as i64 - rest as i64 - 4;
            relocs.push(ModuleReloc { offset: at as u32, kind: Reloc::X86PCRel4, name, addend });
        }
        let signature = self.signature(6, None);
        let id = self.local(&signature)?;
        self.add(id, x86::ALIGNMENT as u64, linked.bytes, relocs)?;
        self.describe(id, || "a loop on wide vectors".to_owned());
        self.list(id, |form| match form {
            Listing::Asm => text,
            Listing::Body | Listing::Clif => "; it is written without Cranelift: `--emit asm` shows it".to_owned(),
        });
        Ok(LoopCode { function: id, scratch: linked.scratch, is_wide: true, has_rows: linked.has_rows })
    }

    /// The code of a loop on vectors of 128 bits.
    fn narrow(&mut self, code: &Loop) -> Result<LoopCode, BuildRefusal> {
        let body = lower::lower(code, TargetAbilities::default());
        for called in clif::calls(&body) {
            self.call(&called)?;
        }
        let tables = self.tables_of(&body)?;
        let target = self.module.target_config();
        let small = self.text.is_some();
        let link = Link::Module { tables: &tables, calls: &self.made.calls, small, constants: None };
        let (mut function, mut scratch) = clif::function(code, &body, link, target);
        if let Some(bytes) = clif::many_constants(&function).filter(|_| small) {
            let table = ConstantTable::new(self.data(bytes.clone())?, &bytes);
            let link = Link::Module { tables: &tables, calls: &self.made.calls, small, constants: Some(&table) };
            (function, scratch) = clif::function(code, &body, link, target);
        }
        let signature = self.signature(4, None);
        let id = self.local(&signature)?;
        function.name = UserFuncName::user(0, id.as_u32());
        self.describe(id, || "a loop on vectors of 128 bits".to_owned());
        self.define(id, function)?;
        Ok(LoopCode { function: id, scratch, is_wide: false, has_rows: false })
    }

    fn tables_of(&mut self, body: &VectorBody) -> Result<Vec<u32>, BuildRefusal> {
        let bytes = |(dtype, table): &(DType, Vec<u64>)| {
            table.iter().flat_map(|bits| bits.to_le_bytes()[..dtype.size()].to_vec()).collect::<Vec<u8>>()
        };
        let tables: Vec<Vec<u8>> = body.tables.iter().map(bytes).collect();
        tables.into_iter().map(|table| self.data(table)).collect()
    }

    /// The function of a prim that vectors have no instructions for.
    fn call(&mut self, called: &CalledPrim) -> Result<u32, BuildRefusal> {
        if let Some(&known) = self.made.calls.get(called) {
            return Ok(known);
        }
        let signature = self.signature(5, None);
        let CalledPrim { prim, operands, result } = called;
        let is_x86 = self.text.is_some();
        // A cosine is a sine from another quarter turn on. The number of quarter turns stands in the place of a second
        // operand.
        let sine = match *prim == Prim::Cos && is_x86 {
            true => Some(self.call(&CalledPrim { prim: Prim::Sin, ..called.clone() })?),
            false => None,
        };
        let id = self.local(&signature)?;
        self.describe(id, || {
            let operands: Vec<String> = operands.iter().map(ToString::to_string).collect();
            format!("{}({}) as {result}, element by element", prim.name(), operands.join(", "))
        });
        let (first, second) = (choice::set_quarter_turns(0), choice::set_quarter_turns(1));
        if let Some(sine) = sine {
            let to =
                ModuleReloc { addend: first.len() as i64 - 4, ..distance(second.len() + 1, Reloc::X86PCRel4, sine) };
            self.in_variant(0, |object| object.add(id, 1, choice::then_jump(second), vec![to]))?;
        } else {
            let table = scalars::table(called).map(|bytes| self.data(bytes)).transpose()?;
            let is_turned = is_x86 && *prim == Prim::Sin;
            let function = self.function(id, signature, |b| scalars::write(b, called, table, is_turned))?;
            let before = if is_turned { first } else { Vec::new() };
            self.in_variant(0, |object| object.define_behind(id, &before, function))?;
        }
        self.made.calls.insert(called.clone(), id.as_u32());
        Ok(id.as_u32())
    }
}
