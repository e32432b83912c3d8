//! The module that an object is made from: functions are added when they are first asked for.

use super::scalars;
use crate::exec::jit::clif::{self, Called, Link};
use crate::exec::jit::lower::{self, Abilities, VectorBody};
use crate::exec::stepping::Loop;
use cranelift_codegen::ir::{AbiParam, Function, Signature, UserFuncName, types};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::{Context, settings};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{DataDescription, DataId, FuncId, Linkage, Module, default_libcall_names};
use cranelift_object::object::SectionKind;
use cranelift_object::{ObjectBuilder, ObjectModule};
use std::collections::HashMap;

/// The code of a loop in the object.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoopCode {
    /// `(scratch, operands, start, len)`
    pub(super) function: FuncId,
    /// Bytes of scratch that it needs.
    pub(super) scratch: usize,
}

/// An object in the making.
pub(super) struct ObjectCode {
    pub(super) module: ObjectModule,
    loops: HashMap<Loop, LoopCode>,
    calls: HashMap<Called, u32>,
    tables: HashMap<Vec<u8>, u32>,
    /// Functions of other kinds, by their names.
    pub(super) named: HashMap<String, FuncId>,
    verify: bool,
}

fn told(error: impl std::fmt::Display) -> String {
    format!("Cranelift refuses it: {error}")
}

impl ObjectCode {
    /// An empty one.
    pub(super) fn new(isa: OwnedTargetIsa, name: &str) -> Result<ObjectCode, String> {
        let builder = ObjectBuilder::new(isa, name, default_libcall_names()).map_err(told)?;
        let module = ObjectModule::new(builder);
        let verify = cfg!(debug_assertions);
        let (loops, calls, tables, named) = Default::default();
        Ok(ObjectCode { module, loops, calls, tables, named, verify })
    }

    /// The bytes of the file.
    pub(super) fn finish(self) -> Result<Vec<u8>, String> {
        let mut product = self.module.finish();
        // The linker is told that nothing here needs a stack that can be executed.
        product.object.add_section(Vec::new(), b".note.GNU-stack".to_vec(), SectionKind::Other);
        product.emit().map_err(told)
    }

    /// A signature of machine words.
    pub(super) fn signature(&self, params: usize, result: Option<cranelift_codegen::ir::Type>) -> Signature {
        let mut signature = Signature::new(self.module.isa().default_call_conv());
        signature.params.extend(vec![AbiParam::new(types::I64); params]);
        signature.returns.extend(result.map(AbiParam::new));
        signature
    }

    /// Data that nobody writes.
    pub(super) fn data(&mut self, bytes: Vec<u8>) -> Result<u32, String> {
        if let Some(&known) = self.tables.get(&bytes) {
            return Ok(known);
        }
        let id: DataId = self.module.declare_anonymous_data(false, false).map_err(told)?;
        let mut description = DataDescription::new();
        description.set_align(16);
        description.define(bytes.clone().into_boxed_slice());
        self.module.define_data(id, &description).map_err(told)?;
        self.tables.insert(bytes, id.as_u32());
        Ok(id.as_u32())
    }

    /// Compiles a function.
    pub(super) fn define(&mut self, id: FuncId, function: Function) -> Result<(), String> {
        if self.verify {
            let flags = settings::Flags::new(settings::builder());
            cranelift_codegen::verify_function(&function, &flags).map_err(told)?;
        }
        let mut context = Context::for_function(function);
        self.module.define_function(id, &mut context).map_err(told)
    }

    /// The code of a loop.
    ///
    /// # Errors
    /// When something in it has no code outside of this process.
    pub(super) fn loop_code(&mut self, code: &Loop) -> Result<LoopCode, String> {
        if let Some(&known) = self.loops.get(code) {
            return Ok(known);
        }
        let body = lower::lower(code, Abilities::default());
        for called in clif::calls(&body) {
            self.call(&called)?;
        }
        let tables = self.tables_of(&body)?;
        let target = self.module.target_config();
        let link = Link::Module { tables: &tables, calls: &self.calls };
        let (mut function, scratch) = clif::function(code, &body, link, target);
        let signature = self.signature(4, None);
        let id = self.module.declare_anonymous_function(&signature).map_err(told)?;
        function.name = UserFuncName::user(0, id.as_u32());
        self.define(id, function)?;
        let code_of = LoopCode { function: id, scratch };
        self.loops.insert(code.clone(), code_of);
        Ok(code_of)
    }

    fn tables_of(&mut self, body: &VectorBody) -> Result<Vec<u32>, String> {
        let bytes = |(dtype, table): &(crate::types::DType, Vec<u64>)| {
            table.iter().flat_map(|bits| bits.to_le_bytes()[..dtype.size()].to_vec()).collect::<Vec<u8>>()
        };
        let tables: Vec<Vec<u8>> = body.tables.iter().map(bytes).collect();
        tables.into_iter().map(|table| self.data(table)).collect()
    }

    /// The function of a prim that vectors have no instructions for.
    fn call(&mut self, called: &Called) -> Result<(), String> {
        if self.calls.contains_key(called) {
            return Ok(());
        }
        let signature = self.signature(5, None);
        let id = self.module.declare_anonymous_function(&signature).map_err(told)?;
        let function = self.function(id, signature, |b| scalars::write(b, called))?;
        self.define(id, function)?;
        self.calls.insert(called.clone(), id.as_u32());
        Ok(())
    }

    /// A function that something writes.
    pub(super) fn function(
        &self,
        id: FuncId,
        signature: Signature,
        write: impl FnOnce(&mut FunctionBuilder) -> Result<(), String>,
    ) -> Result<Function, String> {
        let mut function = Function::with_name_signature(UserFuncName::user(0, id.as_u32()), signature);
        let mut context = FunctionBuilderContext::new();
        let mut b = FunctionBuilder::new(&mut function, &mut context);
        write(&mut b)?;
        b.seal_all_blocks();
        b.finalize(self.module.target_config());
        Ok(function)
    }

    /// Declares a function that is called by its name from outside.
    pub(super) fn exported(&mut self, name: &str, signature: &Signature) -> Result<FuncId, String> {
        self.module.declare_function(name, Linkage::Export, signature).map_err(told)
    }

    /// Declares a function of this object alone.
    pub(super) fn local(&mut self, signature: &Signature) -> Result<FuncId, String> {
        self.module.declare_anonymous_function(signature).map_err(told)
    }
}
