//! The module that an object is made from: functions are added when they are first asked for.

mod code;

use super::choice;
use super::listing::{ListingText, with_names};
use super::refusal::BuildRefusal;
use super::shared::{LoopCode, SharedLoops};
use super::target::Variant;
use super::text::{CompiledFunction, TextSection};
use crate::exec::built::SECTION;
use crate::exec::jit::Listing;
use crate::exec::jit::clif::CalledPrim;
use crate::exec::stepping::Loop;
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{AbiParam, FuncRef, Function, Signature, UserFuncName, types};
use cranelift_codegen::{Context, settings};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{
    DataDescription, DataId, FuncId, FuncOrDataId, Linkage, Module, ModuleReloc, ModuleRelocTarget,
    default_libcall_names,
};
use cranelift_object::object::write::Symbol;
use cranelift_object::object::{FileFlags, SectionKind, SymbolFlags, elf};
use cranelift_object::{ObjectBuilder, ObjectModule};
use std::collections::HashMap;

/// An object in the making.
pub(super) struct ObjectCode {
    pub(super) module: ObjectModule,
    kinds: CodeKinds,
    made: MadeCode,
    loader: LoaderNames,
    /// On x86-64, all functions.
    text: Option<TextSection>,
    /// The code as text, if that is wanted.
    listing: Option<ListingText>,
    verify: bool,
}

/// The kinds of code that an object has.
struct CodeKinds {
    /// The lowest level first.
    all: Vec<Variant>,
    /// The one that is written.
    current: usize,
    /// The loops of several kinds, while something is written for all of them at once. `current` is one of these kinds.
    shared: Option<SharedLoops>,
}

impl CodeKinds {
    /// The kind that is written.
    fn one(&self) -> &Variant {
        &self.all[self.current]
    }
}

/// The code of a fold.
#[derive(PartialEq, Eq, Hash)]
struct FoldKey {
    /// The kind of code.
    variant: usize,
    code: Loop,
    /// The bits of the value that changes none.
    neutral: u64,
    ends_in_total: bool,
}

/// What was made already.
#[derive(Default)]
struct MadeCode {
    /// By the kind of code.
    loops: HashMap<(usize, Loop), LoopCode>,
    folds: HashMap<FoldKey, Option<LoopCode>>,
    calls: HashMap<CalledPrim, u32>,
    tables: HashMap<Vec<u8>, u32>,
    /// Functions of other sorts, by the kind of code and their names.
    named: HashMap<(usize, String), FuncId>,
}

/// What the loader decides.
#[derive(Default)]
struct LoaderNames {
    /// Functions whose names it binds.
    chosen: Vec<FuncId>,
    /// The function that runs where the processor has no level.
    nowhere: Option<FuncId>,
}

/// Four bytes of machine code that wait for the distance to a function.
fn distance(at: usize, kind: Reloc, function: u32) -> ModuleReloc {
    ModuleReloc { offset: at as u32, kind, name: ModuleRelocTarget::user(0, function), addend: -4 }
}

/// The address of data of this object needs no table: a `mov` from the table becomes a `lea`.
fn nearer(bytes: &mut [u8], reloc: &mut ModuleReloc) {
    let is_data = matches!(reloc.name, ModuleRelocTarget::User { namespace: 1, .. });
    let code = (reloc.offset as usize).checked_sub(2).map(|at| &mut bytes[at]);
    if let (Reloc::X86GOTPCRel4, true, Some(code @ 0x8b)) = (reloc.kind, is_data, code) {
        (*code, reloc.kind) = (0x8d, Reloc::X86PCRel4);
    }
}

fn told(error: impl std::fmt::Display) -> BuildRefusal {
    BuildRefusal::Failed(format!("Cranelift refuses it: {error}"))
}

impl ObjectCode {
    /// An empty object, whose code is kept as text too if that is wanted.
    pub(super) fn new(variants: Vec<Variant>, name: &str, listed: Option<Listing>) -> Result<ObjectCode, BuildRefusal> {
        let builder = ObjectBuilder::new(variants[0].isa.clone(), name, default_libcall_names()).map_err(told)?;
        let module = ObjectModule::new(builder);
        let verify = cfg!(debug_assertions);
        let text = variants[0].level.map(|_| TextSection::default());
        Ok(ObjectCode {
            module,
            kinds: CodeKinds { all: variants, current: 0, shared: None },
            made: MadeCode::default(),
            loader: LoaderNames::default(),
            text,
            listing: listed.map(ListingText::new),
            verify,
        })
    }

    /// The code as text.
    pub(super) fn listing(&self) -> String {
        let name = |of: &Variant| of.level.map_or_else(String::new, |level| level.to_string());
        let names: Vec<String> = self.kinds.all.iter().map(name).collect();
        self.listing.as_ref().map_or_else(String::new, |text| text.finish(&names))
    }

    /// Adds a function to the text.
    fn list(&mut self, id: FuncId, code: impl FnOnce(Listing) -> String) {
        if let Some(text) = &mut self.listing {
            let code = code(text.form);
            let names = self.module.declarations();
            let name = (!TextSection::is_nameless(id)).then(|| names.get_function_decl(id).name.clone()).flatten();
            text.add(self.kinds.current, id, name, code);
        }
    }

    /// Says in the text what a function without a name is.
    fn describe(&mut self, id: FuncId, kind: impl FnOnce() -> String) {
        if let Some(text) = &mut self.listing {
            text.describe(id, kind());
        }
    }

    /// The bytes of the file, with a text that says what it holds, and a name for the types of each function.
    pub(super) fn finish(mut self, stamp: &str, types: &[(String, String)]) -> Result<Vec<u8>, BuildRefusal> {
        let mut begins = Vec::new();
        for (begin, CompiledFunction { id, alignment, bytes, relocs, .. }) in
            self.text.take().map_or_else(|| Ok(Vec::new()), TextSection::finish)?
        {
            self.module.define_function_bytes(id, alignment, &bytes, &relocs).map_err(told)?;
            begins.push((id, begin));
        }
        let of_types = |(function, name): &(String, String)| match self.module.get_name(&format!("{function}_error")) {
            Some(FuncOrDataId::Func(id)) => Some((id, name.clone())),
            _ => None,
        };
        let types: Vec<(FuncId, String)> = types.iter().filter_map(of_types).collect();
        let mut product = self.module.finish();
        for (id, name) in types {
            let of = product.object.symbol(product.function_symbol(id));
            let symbol = Symbol {
                name: name.into_bytes(),
                value: of.value,
                size: 0,
                kind: of.kind,
                scope: of.scope,
                weak: false,
                section: of.section,
                flags: SymbolFlags::None,
            };
            product.object.add_symbol(symbol);
        }
        for (id, begin) in begins {
            let symbol = product.function_symbol(id);
            if product.object.symbol(symbol).value != begin {
                return Err(BuildRefusal::Failed("a function is not where the others look for it".to_owned()));
            }
        }
        for &function in &self.loader.chosen {
            let symbol = product.function_symbol(function);
            let st_info = elf::STB_GLOBAL << 4 | elf::STT_GNU_IFUNC;
            product.object.symbol_mut(symbol).flags = SymbolFlags::Elf { st_info, st_other: elf::STV_DEFAULT };
        }
        if !self.loader.chosen.is_empty() {
            product.object.flags = FileFlags::Elf { os_abi: elf::ELFOSABI_GNU, abi_version: 0, e_flags: 0 };
        }
        let section = product.object.add_section(Vec::new(), SECTION.as_bytes().to_vec(), SectionKind::ReadOnlyData);
        product.object.append_section_data(section, format!("{stamp}\0").as_bytes(), 1);
        product.emit().map_err(told)
    }

    /// How many kinds of code there are.
    pub(super) fn variants(&self) -> usize {
        self.kinds.all.len()
    }

    /// Writes something in one kind of code. Everything else is written in the first kind.
    pub(super) fn in_variant<T>(&mut self, variant: usize, write: impl FnOnce(&mut ObjectCode) -> T) -> T {
        let before = (std::mem::replace(&mut self.kinds.current, variant), self.kinds.shared.take());
        let written = write(self);
        (self.kinds.current, self.kinds.shared) = before;
        written
    }

    /// Writes something once for several kinds of code. Returns the loops that each kind has for it.
    ///
    /// # Errors
    /// When it must be written for each.
    pub(super) fn in_variants(
        &mut self,
        loops: SharedLoops,
        write: impl FnOnce(&mut ObjectCode) -> Result<(), BuildRefusal>,
    ) -> Result<SharedLoops, BuildRefusal> {
        self.in_variant(loops.variants()[0], |object| {
            object.kinds.shared = Some(loops);
            write(object)?;
            Ok(object.kinds.shared.take().expect("only what is inside has others"))
        })
    }

    /// Makes a loop in each kind of code that is being written. Returns these loops as one.
    fn in_each(
        &mut self,
        make: impl Fn(&mut ObjectCode) -> Result<Option<LoopCode>, BuildRefusal>,
    ) -> Result<Option<LoopCode>, BuildRefusal> {
        let Some(shared) = &self.kinds.shared else { return make(self) };
        let variants = shared.variants().to_vec();
        let each = variants.into_iter().map(|variant| self.in_variant(variant, &make));
        let each = each.collect::<Result<Vec<Option<LoopCode>>, BuildRefusal>>()?;
        self.kinds.shared.as_mut().expect("it is there").one_of(each)
    }

    /// A function that was made before, by its name.
    pub(super) fn known(&self, name: &str) -> Option<FuncId> {
        match &self.kinds.shared {
            Some(shared) => shared.known(name),
            None => self.made.named.get(&(self.kinds.current, name.to_owned())).copied(),
        }
    }

    /// Keeps a function for others.
    pub(super) fn keep(&mut self, name: String, function: FuncId) {
        self.describe(function, || name.clone());
        match &mut self.kinds.shared {
            Some(shared) => shared.keep(name, function),
            None => drop(self.made.named.insert((self.kinds.current, name), function)),
        }
    }

    /// Whether something is being written for several kinds of code.
    pub(super) fn shares(&self) -> bool {
        self.kinds.shared.is_some()
    }

    /// Whether a function was written for several kinds of code, together with the function that calls it.
    pub(super) fn is_shared(&self, function: FuncId) -> bool {
        self.kinds.shared.as_ref().is_some_and(|shared| shared.has(function))
    }

    /// The name of a function in the kind of code that is written, for profiles.
    pub(super) fn name_of_variant(&self, name: &str) -> String {
        self.kinds.one().level.map_or_else(|| name.to_owned(), |level| format!("{name}.{level}"))
    }

    /// Defines a function that the loader binds to one of three, which are given with the lowest level first. If none
    /// of them can run, the loader binds it to one that returns the code `none`.
    pub(super) fn choose(
        &mut self,
        name: &str,
        signature: &Signature,
        of: &[FuncId],
        none: i64,
    ) -> Result<(), BuildRefusal> {
        let nowhere = match self.loader.nowhere {
            Some(known) => known,
            None => {
                let id = self.local(signature)?;
                self.add(id, 1, choice::returns(none), Vec::new())?;
                *self.loader.nowhere.insert(id)
            }
        };
        let (bytes, links) = choice::resolver();
        let of = |number: usize| if number == 0 { nowhere } else { of[number - 1] };
        let relocs: Vec<ModuleReloc> =
            links.iter().map(|&(at, number)| distance(at, Reloc::X86PCRel4, of(number).as_u32())).collect();
        let id = self.export(name, signature)?;
        self.add(id, 1, bytes, relocs)?;
        self.list(id, |_| "; the loader binds this name to the function of the highest level that there is".to_owned());
        self.loader.chosen.push(id);
        Ok(())
    }

    /// Defines the function `id`, which goes on in the function `to` that others share. It passes on its `params`
    /// arguments, and behind them the place of a table that says where its own loops are.
    pub(super) fn lead(
        &mut self,
        id: FuncId,
        params: usize,
        to: FuncId,
        loops: Vec<FuncId>,
    ) -> Result<(), BuildRefusal> {
        let (bytes, links) = choice::leading(params, loops.len());
        let of = |number: usize| if number == 0 { to } else { loops[number - 1] };
        let reloc = |link: &choice::OpenDistance| ModuleReloc {
            addend: link.addend,
            ..distance(link.at, Reloc::X86PCRel4, of(link.function).as_u32())
        };
        let relocs = links.iter().map(reloc).collect();
        self.add(id, 4, bytes, relocs)?;
        self.list(id, |_| {
            let loops: Vec<String> = loops.iter().map(|of| format!("u0:{}", of.as_u32())).collect();
            format!("; it goes on in u0:{} with its own loops: {}", to.as_u32(), loops.join(", "))
        });
        Ok(())
    }

    /// A signature of machine words.
    pub(super) fn signature(&self, params: usize, result: Option<cranelift_codegen::ir::Type>) -> Signature {
        let mut signature = Signature::new(self.module.isa().default_call_conv());
        signature.params.extend(vec![AbiParam::new(types::I64); params]);
        signature.returns.extend(result.map(AbiParam::new));
        signature
    }

    /// Adds data that nobody writes.
    pub(super) fn data(&mut self, bytes: Vec<u8>) -> Result<u32, BuildRefusal> {
        if let Some(&known) = self.made.tables.get(&bytes) {
            return Ok(known);
        }
        if let Some(text) = &mut self.text {
            let number = text.data(bytes.clone());
            self.made.tables.insert(bytes, number);
            return Ok(number);
        }
        let id: DataId = self.module.declare_anonymous_data(false, false).map_err(told)?;
        let mut description = DataDescription::new();
        description.set_align(16);
        description.define(bytes.clone().into_boxed_slice());
        self.module.define_data(id, &description).map_err(told)?;
        self.made.tables.insert(bytes, id.as_u32());
        Ok(id.as_u32())
    }

    /// Compiles a function.
    pub(super) fn define(&mut self, id: FuncId, function: Function) -> Result<(), BuildRefusal> {
        self.define_behind(id, &[], function)
    }

    /// Compiles a function, and puts it behind some machine code.
    fn define_behind(&mut self, id: FuncId, before: &[u8], function: Function) -> Result<(), BuildRefusal> {
        if self.verify {
            let flags = settings::Flags::new(settings::builder());
            cranelift_codegen::verify_function(&function, &flags).map_err(told)?;
        }
        let mut context = Context::for_function(function);
        context.set_disasm(self.listing.as_ref().is_some_and(|text| text.form == Listing::Asm));
        let written = self.listing.as_ref().map(|_| context.func.display().to_string());
        let isa = &*self.kinds.one().isa;
        context.compile(isa, &mut ControlPlane::default()).map_err(|error| told(error.inner))?;
        let compiled = context.compiled_code().expect("it was compiled");
        let relocs =
            compiled.buffer.relocs().iter().map(|reloc| ModuleReloc::from_mach_reloc(reloc, &context.func, id));
        let (alignment, mut relocs) = (u64::from(compiled.buffer.alignment), relocs.collect::<Vec<_>>());
        let mut bytes = compiled.buffer.data().to_vec();
        relocs.iter_mut().for_each(|reloc| nearer(&mut bytes, reloc));
        bytes.splice(0..0, before.iter().copied());
        relocs.iter_mut().for_each(|reloc| reloc.offset += before.len() as u32);
        let assembly = compiled.vcode.clone().unwrap_or_default();
        self.add(id, alignment, bytes, relocs)?;
        self.list(id, |form| match form {
            Listing::Asm => with_names(&assembly, &context.func),
            Listing::Body | Listing::Clif => written.unwrap_or_default(),
        });
        Ok(())
    }

    /// Adds a function's code.
    fn add(
        &mut self,
        id: FuncId,
        alignment: u64,
        bytes: Vec<u8>,
        relocs: Vec<ModuleReloc>,
    ) -> Result<(), BuildRefusal> {
        match &mut self.text {
            Some(text) => text.add(CompiledFunction { id, variant: self.kinds.current, alignment, bytes, relocs }),
            None => self.module.define_function_bytes(id, alignment, &bytes, &relocs).map_err(told)?,
        }
        Ok(())
    }

    /// The reference in a caller that a call of a function needs.
    pub(super) fn callee(&mut self, id: FuncId, caller: &mut Function) -> FuncRef {
        let nameless = self.text.as_ref().and_then(|text| text.callee(id, caller));
        nameless.unwrap_or_else(|| self.module.declare_func_in_func(id, caller))
    }

    /// A function whose body `write` writes.
    pub(super) fn function(
        &self,
        id: FuncId,
        signature: Signature,
        write: impl FnOnce(&mut FunctionBuilder) -> Result<(), BuildRefusal>,
    ) -> Result<Function, BuildRefusal> {
        let mut function = Function::with_name_signature(UserFuncName::user(0, id.as_u32()), signature);
        let mut context = FunctionBuilderContext::new();
        let mut b = FunctionBuilder::new(&mut function, &mut context);
        write(&mut b)?;
        b.seal_all_blocks();
        b.finalize(self.module.target_config());
        Ok(function)
    }

    /// Declares a function that is called by its name from outside.
    pub(super) fn export(&mut self, name: &str, signature: &Signature) -> Result<FuncId, BuildRefusal> {
        self.module.declare_function(name, Linkage::Export, signature).map_err(told)
    }

    /// Declares a function of this object alone that has a name in profiles.
    pub(super) fn declare_named(&mut self, name: &str, signature: &Signature) -> Result<FuncId, BuildRefusal> {
        self.module.declare_function(name, Linkage::Local, signature).map_err(told)
    }

    /// Declares a function of this object alone.
    pub(super) fn local(&mut self, signature: &Signature) -> Result<FuncId, BuildRefusal> {
        match &mut self.text {
            Some(text) => Ok(text.nameless(signature)),
            None => self.module.declare_anonymous_function(signature).map_err(told),
        }
    }
}
