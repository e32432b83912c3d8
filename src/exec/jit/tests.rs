//! Of the code itself: what is generated, that it stays within its operands, and that its memory comes back.

use super::compile::{compile, function_of};
use super::{Form, emit_text};
use crate::exec::block::Interpreter;
use crate::exec::stepping::{Code, Input, Loop, Operand, Output, Step};
use crate::exec::tests::Random;
use crate::exec::tests::edges::signatures;
use crate::kernel::{Body, Inst, InstOp, Kernel, Sink, Source, Value};
use crate::scalar::prim::Prim;
use crate::types::DType;

/// A loop that applies one prim.
fn single(prim: Prim, args: &[DType], result: DType, steps: &[Step], out: Step) -> Loop {
    let mut insts: Vec<Inst> =
        args.iter().enumerate().map(|(index, &dtype)| Inst { op: InstOp::Load(index as u32), dtype }).collect();
    let mut operands = [None; 3];
    (0..args.len()).for_each(|index| operands[index] = Some(Value(index as u32)));
    insts.push(Inst { op: InstOp::Prim(prim, operands), dtype: result });
    Loop {
        body: Body { insts },
        inputs: args.iter().zip(steps).map(|(&dtype, &step)| Input::Array(dtype, step)).collect(),
        outputs: vec![Output { value: Value(args.len() as u32), step: out }],
    }
}

/// `2*a + 3*b`
fn axpby(dtype: DType, two: u128, three: u128) -> Loop {
    let load = |source| Inst { op: InstOp::Load(source), dtype };
    let constant = |bits| Inst { op: InstOp::Const(bits), dtype };
    let prim = |prim, a, b| Inst { op: InstOp::Prim(prim, [Some(Value(a)), Some(Value(b)), None]), dtype };
    let insts = vec![
        load(0),
        load(1),
        constant(two),
        constant(three),
        prim(Prim::Mul, 0, 2),
        prim(Prim::Mul, 1, 3),
        prim(Prim::Add, 4, 5),
    ];
    let inputs = vec![Input::Array(dtype, Step::Dense); 2];
    Loop { body: Body { insts }, inputs, outputs: vec![Output { value: Value(6), step: Step::Dense }] }
}

#[test]
fn every_function_keeps_the_rules() {
    let steps = [Step::Repeat, Step::Dense, Step::Strided];
    for prim in Prim::ALL {
        for (args, result) in signatures(prim) {
            for step in steps {
                // `function_of` checks the rules.
                function_of(&single(prim, &args, result, &[step; 3], Step::Dense));
            }
            function_of(&single(prim, &args, result, &[Step::Dense; 3], Step::Strided));
        }
    }
}

#[test]
fn the_rules_are_noticed_when_broken() {
    use cranelift_codegen::ir::{AbiParam, Function, InstBuilder, MemFlagsData, types};
    use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
    type Writer = fn(&mut FunctionBuilder, cranelift_codegen::ir::Value);
    let broken: [Writer; 3] = [
        |b, x| {
            b.ins().udiv(x, x);
        },
        |b, x| {
            b.ins().load(types::I32X4, MemFlagsData::new().with_aligned(), x, 0);
        },
        |b, x| {
            b.ins().load(types::I32X2, MemFlagsData::new(), x, 0);
        },
    ];
    for write in broken {
        let mut function = Function::new();
        function.signature.params.push(AbiParam::new(types::I64));
        let mut context = FunctionBuilderContext::new();
        let mut b = FunctionBuilder::new(&mut function, &mut context);
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let x = b.block_params(entry)[0];
        write(&mut b, x);
        b.ins().return_(&[]);
        assert!(super::check::function(b.func).is_err());
    }
}

/// Memory between two pages that must not be touched.
struct Guarded {
    base: *mut u8,
    bytes: usize,
}

const PAGE: usize = 4096;

impl Guarded {
    fn new() -> Guarded {
        let bytes = 6 * PAGE;
        // SAFETY: a fresh private mapping, its first and last page closed.
        unsafe {
            let anonymous = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let base = libc::mmap(std::ptr::null_mut(), bytes, libc::PROT_READ | libc::PROT_WRITE, anonymous, -1, 0);
            assert_ne!(base, libc::MAP_FAILED);
            assert_eq!(libc::mprotect(base, PAGE, libc::PROT_NONE), 0);
            assert_eq!(libc::mprotect(base.cast::<u8>().add(bytes - PAGE).cast(), PAGE, libc::PROT_NONE), 0);
            Guarded { base: base.cast(), bytes }
        }
    }

    /// Where `bytes` begin, so that they touch the page before or the page behind.
    fn place(&self, bytes: usize, behind: bool) -> *mut u8 {
        let offset = if behind { self.bytes - PAGE - bytes } else { PAGE };
        self.base.wrapping_add(offset)
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: mapped by `new`.
        unsafe { libc::munmap(self.base.cast(), self.bytes) };
    }
}

#[test]
fn code_stays_within_its_operands() {
    let mut random = Random::new(7);
    let guards: Vec<Guarded> = (0..5).map(|_| Guarded::new()).collect();
    for prim in Prim::ALL {
        for (args, result) in signatures(prim) {
            let step = random.pick(&[Step::Dense, Step::Dense, Step::Strided]);
            let code = single(prim, &args, result, &[step; 3], step);
            let mut instance = super::instance(&code, true).unwrap();
            let mut interpreter = Interpreter::new(&code).unwrap();
            for len in [1, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 67, 130] {
                let behind = random.below(2) == 0;
                let apart = if step == Step::Strided { 2 } else { 1 };
                let sizes: Vec<usize> = args.iter().chain([&result]).map(|dtype| dtype.size()).collect();
                let mut operands: Vec<Operand> = Vec::new();
                for (index, &size) in sizes.iter().enumerate() {
                    // With a stride the last element still ends at the page.
                    let span = (len - 1) * size * apart + size;
                    let place = guards[index].place(span, behind);
                    operands.push(Operand { address: place as usize, stride: (size * apart) as isize });
                    if let Some(&dtype) = args.get(index) {
                        for element in 0..len {
                            let bits = random.scalar(dtype).bits.to_le_bytes();
                            // SAFETY: an element between the pages.
                            unsafe {
                                let to = place.add(element * size * apart);
                                std::ptr::copy_nonoverlapping(bits.as_ptr(), to, size);
                            }
                        }
                    }
                }
                // SAFETY: operands lie between the pages.
                unsafe { instance.run(&operands, 0, len) };
                // The interpreter's result beside it, compared element by element.
                let out = args.len();
                let mut other = operands.clone();
                other[out].address = guards[4].place((len - 1) * sizes[out] * apart + sizes[out], behind) as usize;
                // SAFETY: as above.
                unsafe { interpreter.run(&other, 0, len) };
                for element in 0..len {
                    let read = |operand: &Operand| {
                        let mut word = [0; 16];
                        let from = (operand.address + element * sizes[out] * apart) as *const u8;
                        // SAFETY: an element that was written above.
                        unsafe { std::ptr::copy_nonoverlapping(from, word.as_mut_ptr(), sizes[out]) };
                        crate::scalar::Scalar { dtype: result, bits: u128::from_le_bytes(word) }
                    };
                    let (fast, slow) = (read(&operands[out]), read(&other[out]));
                    assert!(fast.same(slow), "{} {args:?} -> {result}: {fast:?} {slow:?}", prim.name());
                }
            }
        }
    }
}

/// Resident memory in bytes.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    text.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * PAGE
}

#[test]
fn memory_of_code_comes_back() {
    let cycle = || (0..500).for_each(|_| drop(compile(&axpby(DType::F32, 1, 2), false).unwrap()));
    cycle();
    let before = resident();
    (0..4).for_each(|_| cycle());
    let grown = resident().saturating_sub(before);
    // Other tests run meanwhile; 2,000 leaked kernels would be 8 MB from this alone.
    assert!(grown < 64 << 20, "{grown}");
}

#[test]
fn constants_are_part_of_what_is_cached() {
    let known = super::cache::compiled(&axpby(DType::F32, 1, 2), true).unwrap();
    let same = super::cache::compiled(&axpby(DType::F32, 1, 2), true).unwrap();
    let other = super::cache::compiled(&axpby(DType::F32, 1, 3), true).unwrap();
    assert!(std::sync::Arc::ptr_eq(&known, &same) && !std::sync::Arc::ptr_eq(&known, &other));
}

#[test]
fn the_code_of_a_kernel_is_text() {
    let body = axpby(DType::F32, 0x4000_0000, 0x4040_0000).body;
    let array = |node| Source::Array { node: crate::ir::NodeId(node), axes: vec![Some(0)] };
    let store = Sink::Store { value: Value(6), node: crate::ir::NodeId(5), order: vec![0] };
    let kernel = Kernel { space: vec![100], reduced: 0, sources: vec![array(0), array(1)], body, sinks: vec![store] };
    let clif = emit_text(&kernel, Form::Clif);
    assert!(clif.contains("fmul") && clif.contains("f32x4"), "{clif}");
    let asm = emit_text(&kernel, Form::Asm);
    assert!(asm.contains("mulps"), "{asm}");
}
