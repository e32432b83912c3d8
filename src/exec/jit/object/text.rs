//! Machine code of an object on x86-64. A function that only the object itself calls needs no symbol, and no work of a
//! linker.
//!
//! Data that functions read stands behind all of them. Functions without names stand behind the next function with a
//! name of their kind of code, as parts of it, so profiles have a name for them. The distances between functions are
//! known when all functions are.

use super::refusal::BuildRefusal;
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::ir::{ExtFuncData, ExternalName, FuncRef, Function, Signature, UserExternalName};
use cranelift_module::{FuncId, ModuleReloc, ModuleRelocTarget};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// Functions without names have larger numbers than those that a module knows.
pub(super) const NAMELESS: u32 = 1 << 24;

/// Data has larger numbers than functions.
const DATA: u32 = 1 << 27;

/// The number of all data as one piece.
const ALL_DATA: u32 = DATA - 1;

/// Bytes of constants.
const CONSTANTS: [usize; 6] = [64, 32, 16, 8, 4, 2];
/// In data of more bytes no constants are looked for.
const MAX_SEARCHED: usize = 1 << 14;

/// A function that is compiled.
pub(super) struct CompiledFunction {
    pub(super) id: FuncId,
    /// Its kind of code.
    pub(super) variant: usize,
    pub(super) alignment: u64,
    pub(super) bytes: Vec<u8>,
    pub(super) relocs: Vec<ModuleReloc>,
}

/// The functions of an object.
#[derive(Default)]
pub(super) struct TextSection {
    signatures: Vec<Signature>,
    functions: Vec<CompiledFunction>,
    /// The data that functions read, which stands behind them.
    data: Vec<Vec<u8>>,
}

impl TextSection {
    /// Whether a function has no name.
    pub(super) fn is_nameless(id: FuncId) -> bool {
        id.as_u32() >= NAMELESS
    }

    /// Declares a function without a name.
    pub(super) fn nameless(&mut self, signature: &Signature) -> FuncId {
        self.signatures.push(signature.clone());
        FuncId::from_u32(NAMELESS + self.signatures.len() as u32 - 1)
    }

    /// What a call of a function without a name needs; `None` for other functions.
    pub(super) fn callee(&self, id: FuncId, caller: &mut Function) -> Option<FuncRef> {
        let index = id.as_u32();
        let signature = self.signatures.get(index.checked_sub(NAMELESS)? as usize)?.clone();
        let name = caller.declare_imported_user_function(UserExternalName { namespace: 0, index });
        let signature = caller.import_signature(signature);
        let name = ExternalName::user(name);
        Some(caller.import_function(ExtFuncData { name, signature, colocated: true, patchable: false }))
    }

    /// Adds data. Returns its number.
    pub(super) fn data(&mut self, bytes: Vec<u8>) -> u32 {
        self.data.push(bytes);
        self.data.len() as u32 - 1
    }

    pub(super) fn add(&mut self, function: CompiledFunction) {
        self.functions.push(function);
    }

    /// The functions with names in their order, each with those that stand behind it, and where each begins.
    pub(super) fn finish(self) -> Result<Vec<(u64, CompiledFunction)>, BuildRefusal> {
        let mut waiting: HashMap<usize, Vec<CompiledFunction>> = HashMap::new();
        let mut groups: Vec<Vec<CompiledFunction>> = Vec::new();
        let functions = once(called(self.functions));
        let (data, parts) = read(&functions, self.data);
        for function in functions {
            let variant = function.variant;
            if function.id.as_u32() >= NAMELESS {
                waiting.entry(variant).or_default().push(function);
            } else {
                groups.push(
                    [vec![function], waiting.remove(&variant).unwrap_or_default()].into_iter().flatten().collect(),
                );
            }
        }
        if let Some(last) = groups.last_mut() {
            last.extend(waiting.into_values().flatten());
            last.push(data);
        }
        let mut places = HashMap::new();
        let mut laid = Vec::new();
        let mut end = 0;
        // The section begins at a multiple of all alignments, so where each function is in it is what counts.
        let largest = groups.iter().flatten().map(|function| function.alignment).max().unwrap_or(1);
        for group in groups {
            let first = group.first().map_or(1, |function| function.alignment.max(1));
            let begin = u64::next_multiple_of(end, first);
            end = begin;
            for function in &group {
                end = end.next_multiple_of(function.alignment.max(1));
                places.insert(function.id.as_u32(), end);
                end += function.bytes.len() as u64;
            }
            laid.push((begin, if laid.is_empty() { largest } else { first }, group));
        }
        let begin = places.get(&ALL_DATA).copied().unwrap_or_default();
        places.extend(parts.into_iter().map(|(number, at)| (number, begin + at)));
        laid.into_iter()
            .map(|(begin, alignment, group)| Ok((begin, joined(begin, alignment, group, &places)?)))
            .collect()
    }
}

/// The number of the function of this object, or of its data, that a place in code leads to.
fn leads_to(reloc: &ModuleReloc) -> Option<u32> {
    match reloc.name {
        ModuleRelocTarget::User { namespace: 0, index } => Some(index),
        ModuleRelocTarget::User { namespace: 1, index } => Some(DATA + index),
        ModuleRelocTarget::User { .. }
        | ModuleRelocTarget::LibCall(_)
        | ModuleRelocTarget::KnownSymbol(_)
        | ModuleRelocTarget::FunctionOffset(..) => None,
    }
}

/// Functions with names, and those that these lead to.
fn called(functions: Vec<CompiledFunction>) -> Vec<CompiledFunction> {
    let mut wanted: HashSet<u32> = HashSet::new();
    let mut waiting: Vec<&CompiledFunction> =
        functions.iter().filter(|function| !TextSection::is_nameless(function.id)).collect();
    let by_number: HashMap<u32, &CompiledFunction> =
        functions.iter().map(|function| (function.id.as_u32(), function)).collect();
    while let Some(function) = waiting.pop() {
        if wanted.insert(function.id.as_u32()) {
            waiting.extend(function.relocs.iter().filter_map(leads_to).filter_map(|number| by_number.get(&number)));
        }
    }
    functions.into_iter().filter(|function| wanted.contains(&function.id.as_u32())).collect()
}

/// The data that functions read as one piece, and where the data of each number is in it. What stands in other data
/// already, as a constant of one level does in that of another, is not repeated.
fn read(functions: &[CompiledFunction], data: Vec<Vec<u8>>) -> (CompiledFunction, Vec<(u32, u64)>) {
    let read: HashSet<u32> = functions.iter().flat_map(|function| &function.relocs).filter_map(leads_to).collect();
    let numbered = data.into_iter().enumerate().map(|(number, bytes)| (DATA + number as u32, bytes));
    let mut parts: Vec<(u32, Vec<u8>)> = numbered.filter(|(number, _)| read.contains(number)).collect();
    parts.sort_by_key(|(_, bytes)| Reverse((alignment(bytes), bytes.len())));
    let most = parts.first().map_or(1, |(_, bytes)| alignment(bytes));
    let (mut all, mut places) = (Vec::new(), Vec::new());
    let mut known: HashMap<Vec<u8>, usize> = HashMap::new();
    for (number, bytes) in parts {
        if let Some(&place) = known.get(&bytes) {
            places.push((number, place as u64));
            continue;
        }
        let place = all.len().next_multiple_of(alignment(&bytes));
        all.resize(place, 0xcc);
        places.push((number, place as u64));
        for size in CONSTANTS.into_iter().filter(|_| bytes.len() <= MAX_SEARCHED) {
            for (index, constant) in bytes.chunks_exact(size).enumerate() {
                let at = place + index * size;
                if at.is_multiple_of(size) {
                    known.entry(constant.to_vec()).or_insert(at);
                }
            }
        }
        all.extend(bytes);
    }
    let id = FuncId::from_u32(ALL_DATA);
    (CompiledFunction { id, variant: 0, alignment: most as u64, bytes: all, relocs: Vec::new() }, places)
}

/// No constant lies in two lines of a cache.
fn alignment(bytes: &[u8]) -> usize {
    CONSTANTS.into_iter().find(|&size| bytes.len().is_multiple_of(size)).unwrap_or(1)
}

/// Keeps one of all functions that are the same: levels often have the same code.
fn once(mut functions: Vec<CompiledFunction>) -> Vec<CompiledFunction> {
    loop {
        let mut first: HashMap<(Vec<u8>, String), u32> = HashMap::new();
        let mut same: HashMap<u32, u32> = HashMap::new();
        for function in functions.iter().filter(|function| TextSection::is_nameless(function.id)) {
            let relocs: Vec<String> = (function.relocs.iter())
                .map(|reloc| format!("{} {:?} {:?} {}", reloc.offset, reloc.kind, reloc.name, reloc.addend))
                .collect();
            let number = function.id.as_u32();
            let known = *first.entry((function.bytes.clone(), relocs.join(" "))).or_insert(number);
            if known != number {
                same.insert(number, known);
            }
        }
        if same.is_empty() {
            return functions;
        }
        functions.retain(|function| !same.contains_key(&function.id.as_u32()));
        for reloc in functions.iter_mut().flat_map(|function| &mut function.relocs) {
            if let Some(&known) = leads_to(reloc).and_then(|number| same.get(&number)) {
                reloc.name = ModuleRelocTarget::user(0, known);
            }
        }
    }
}

/// Joins functions into one. Its calls lead to the places of the functions that are called.
fn joined(
    begin: u64,
    alignment: u64,
    group: Vec<CompiledFunction>,
    places: &HashMap<u32, u64>,
) -> Result<CompiledFunction, BuildRefusal> {
    let (id, variant) = (group[0].id, group[0].variant);
    let (mut bytes, mut relocs) = (Vec::new(), Vec::new());
    for function in group {
        let at = places[&function.id.as_u32()] - begin;
        // Nothing runs the bytes between functions.
        bytes.resize(at as usize, 0xcc);
        bytes.extend(function.bytes);
        for reloc in function.relocs {
            let offset = at as u32 + reloc.offset;
            match (leads_to(&reloc).and_then(|number| places.get(&number)), reloc.kind) {
                (Some(&target), Reloc::X86PCRel4 | Reloc::X86CallPCRel4) => {
                    let distance = target as i64 + reloc.addend - (begin as i64 + i64::from(offset));
                    let distance =
                        i32::try_from(distance).map_err(|_| BuildRefusal::Failed("the code is too long".to_owned()))?;
                    bytes[offset as usize..][..4].copy_from_slice(&distance.to_le_bytes());
                }
                (Some(_), kind) => {
                    return Err(BuildRefusal::Failed(format!("a function is asked for in another way: {kind:?}")));
                }
                (None, _) => relocs.push(ModuleReloc { offset, ..reloc }),
            }
        }
    }
    Ok(CompiledFunction { id, variant, alignment, bytes, relocs })
}
