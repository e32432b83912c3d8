//! Tests of the code itself. It is generated as expected, stays within its operands, and its memory comes back.
#![expect(unsafe_code, reason = "compiled code takes the addresses of its operands")]

#[cfg(feature = "aarch64")]
mod aarch64;
mod constants;

use super::cache::Cache;
use super::compile::{CompiledLoop, compile, function_of};
use super::{Instance, Listing, emit_text};
use crate::exec::block::Interpreter;
use crate::exec::machine::{Level, held, level};
use crate::exec::stepping::{Code, Loop, LoopInput, LoopOperand, LoopOutput, Step};
use crate::exec::tests::Random;
use crate::exec::tests::edges::signatures;
use crate::kernel::{AxisWalk, Body, Extent, Inst, InstId, InstOp, Kernel, KernelSource, Sink};
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::DType;
use std::sync::Arc;

/// A loop that applies one prim.
pub(super) fn single(prim: Prim, args: &[DType], result: DType, steps: &[Step], out: Step) -> Loop {
    let mut insts: Vec<Inst> =
        args.iter().enumerate().map(|(index, &dtype)| Inst { op: InstOp::Load(index as u32), dtype }).collect();
    let mut operands = [None; 3];
    (0..args.len()).for_each(|index| operands[index] = Some(InstId(index as u32)));
    insts.push(Inst { op: InstOp::Prim(prim, operands), dtype: result });
    Loop {
        body: Body { insts },
        inputs: args.iter().zip(steps).map(|(&dtype, &step)| LoopInput::Array(dtype, step)).collect(),
        outputs: vec![LoopOutput { value: InstId(args.len() as u32), step: out }],
    }
}

/// `2*a + 3*b`
fn axpby(dtype: DType, two: u128, three: u128) -> Loop {
    let load = |source| Inst { op: InstOp::Load(source), dtype };
    let constant = |bits| Inst { op: InstOp::Const(bits), dtype };
    let prim = |prim, a, b| Inst { op: InstOp::Prim(prim, [Some(InstId(a)), Some(InstId(b)), None]), dtype };
    let insts = vec![
        load(0),
        load(1),
        constant(two),
        constant(three),
        prim(Prim::Mul, 0, 2),
        prim(Prim::Mul, 1, 3),
        prim(Prim::Add, 4, 5),
    ];
    let inputs = vec![LoopInput::Array(dtype, Step::Dense); 2];
    Loop { body: Body { insts }, inputs, outputs: vec![LoopOutput { value: InstId(6), step: Step::Dense }] }
}

#[test]
fn every_function_keeps_the_rules() {
    let steps = [Step::Repeat, Step::Dense, Step::Back, Step::Alternate, Step::Strided];
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
pub(crate) struct GuardedMemory {
    base: *mut u8,
    bytes: usize,
}

const PAGE: usize = 4096;

impl GuardedMemory {
    pub(crate) fn new() -> GuardedMemory {
        let bytes = 6 * PAGE;
        // SAFETY: a fresh private mapping, its first and last page closed.
        unsafe {
            let anonymous = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let base = libc::mmap(std::ptr::null_mut(), bytes, libc::PROT_READ | libc::PROT_WRITE, anonymous, -1, 0);
            assert_ne!(base, libc::MAP_FAILED);
            assert_eq!(libc::mprotect(base, PAGE, libc::PROT_NONE), 0);
            assert_eq!(libc::mprotect(base.cast::<u8>().add(bytes - PAGE).cast(), PAGE, libc::PROT_NONE), 0);
            GuardedMemory { base: base.cast(), bytes }
        }
    }

    /// Where `bytes` begin, so that they touch the page before or the page behind.
    pub(crate) fn place(&self, bytes: usize, behind: bool) -> *mut u8 {
        let offset = if behind { self.bytes - PAGE - bytes } else { PAGE };
        self.base.wrapping_add(offset)
    }

    /// All that may be touched.
    pub(crate) fn open(&self) -> &[u8] {
        // SAFETY: the pages between the first and the last, mapped as zeros.
        unsafe { std::slice::from_raw_parts(self.base.add(PAGE), self.bytes - 2 * PAGE) }
    }
}

// SAFETY: the pages belong to this value alone.
unsafe impl Send for GuardedMemory {}
// SAFETY: shared references are used by one thread at a time, or to read.
unsafe impl Sync for GuardedMemory {}

impl crate::array::mapping::Mapping for GuardedMemory {
    fn bytes(&self) -> &[u8] {
        self.open()
    }
}

impl Drop for GuardedMemory {
    fn drop(&mut self) {
        // SAFETY: mapped by `new`.
        unsafe { libc::munmap(self.base.cast(), self.bytes) };
    }
}

/// Lengths around whole vectors and chunks of them, and none at all.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=19).chain(31..=35).chain(63..=67).chain([127, 128, 131, 255, 257, 259])
}

#[test]
fn b08_code_stays_within_its_operands() {
    let mut random = Random::new(7);
    let guards: Vec<GuardedMemory> = (0..5).map(|_| GuardedMemory::new()).collect();
    // How many elements apart inputs and results are; inputs may repeat one, or go backwards.
    let lower = Level::Avx2.min(level());
    let classes = [(1, 1), (0, 1), (-1, 1), (2, 1), (-3, 1), (1, 2), (1, -1), (1, -2)];
    for prim in Prim::ALL {
        for (args, result) in signatures(prim) {
            for (class, level) in
                classes.into_iter().flat_map(|class| [(class, level()), (class, lower), (class, Level::Sse)])
            {
                // One operand may be of another class than the others.
                let other = random.pick(&[1, 1, 0, 2, -1]);
                let mut apart = vec![class.0; args.len()];
                *apart.last_mut().expect("a prim has operands") = random.pick(&[class.0, class.0, other]);
                apart.push(class.1);
                stays_within(&mut random, &guards, level, (prim, &args, result), &apart);
            }
        }
    }
}

/// An element of a result that is dense.
fn scalar(place: usize, element: usize, dtype: DType) -> crate::scalar::Scalar {
    let mut word = [0; 16];
    let from = place.wrapping_add(element * dtype.size()) as *const u8;
    // SAFETY: an element that was written.
    unsafe { std::ptr::copy_nonoverlapping(from, word.as_mut_ptr(), dtype.size()) };
    crate::scalar::Scalar { dtype, bits: u128::from_le_bytes(word) }
}

/// Runs one prim over operands that touch pages which must not be.
fn stays_within(
    random: &mut Random,
    guards: &[GuardedMemory],
    level: Level,
    (prim, args, result): (Prim, &[DType], DType),
    apart: &[isize],
) {
    let sizes: Vec<usize> = args.iter().chain([&result]).map(|dtype| dtype.size()).collect();
    let strides: Vec<isize> = apart.iter().zip(&sizes).map(|(&apart, &size)| apart * size as isize).collect();
    let steps: Vec<Step> = args.iter().zip(&strides).map(|(&dtype, &stride)| Step::of(stride, dtype)).collect();
    let code = single(prim, args, result, &steps, Step::of_output(strides[args.len()], result));
    let compiled = compile(&code, level, true).unwrap();
    let past = (apart[args.len()] == 1).then(|| compile(&code.streaming(), level, true).ok()).flatten();
    let needed = past.as_ref().map_or(64, |past| past.scratch.max(64)).max(compiled.scratch);
    let mut scratch = crate::array::bytes::AlignedBytes::zeroed(needed).unwrap();
    let mut instance = Instance::of(&compiled).unwrap();
    let mut interpreter = Interpreter::new(&code).unwrap();
    for len in lengths() {
        let behind = random.below(2) == 0;
        let mut operands: Vec<LoopOperand> = Vec::new();
        // Where an operand begins so that its elements touch a page: the first, or going backwards the last.
        let begin = |guard: usize, index: usize| {
            let reach = (len.max(1) as isize - 1) * strides[index];
            let place = guards[guard].place(reach.unsigned_abs() + sizes[index], behind);
            place.wrapping_offset(if reach < 0 { -reach } else { 0 })
        };
        for (index, &size) in sizes.iter().enumerate() {
            let first = begin(index, index);
            operands.push(LoopOperand { address: first as usize, stride: strides[index] });
            if let Some(&dtype) = args.get(index) {
                for element in 0..len {
                    let bits = random.scalar(dtype).bits.to_le_bytes();
                    // SAFETY: an element between the pages.
                    unsafe {
                        let to = first.offset(element as isize * strides[index]);
                        std::ptr::copy_nonoverlapping(bits.as_ptr(), to, size);
                    }
                }
            }
        }
        // SAFETY: operands lie between the pages.
        unsafe { compiled.run(scratch.as_mut_ptr(), &operands, 0, len) };
        let width = len / 3;
        if width > 0 && strides[args.len()] == sizes[args.len()] as isize {
            // The elements are computed again, as three rows of a third each.
            let mut rows = operands.clone();
            rows[args.len()].address = guards[4].place(3 * width * sizes[args.len()], behind) as usize;
            let to_next: Vec<isize> = strides.iter().map(|stride| stride * width as isize).collect();
            let place = rows[args.len()].address;
            // SAFETY: operands lie between the pages; the result has room for three rows.
            unsafe { instance.run_rows(&mut rows, (0, width), 3, &to_next) };
            for element in 0..3 * width {
                let [ours, theirs] = [place, operands[args.len()].address].map(|place| scalar(place, element, result));
                let name = prim.name();
                assert!(ours.same(theirs), "{name} {args:?} -> {result} {apart:?}, {element} of 3 rows of {width}");
            }
            // SAFETY: nothing else refers to these pages.
            unsafe { std::ptr::write_bytes(place as *mut u8, 0, 3 * width * sizes[args.len()]) };
        }
        if let Some(past) = &past {
            let mut streamed = operands.clone();
            let place = |index: usize| guards[index].place(len * sizes[args.len()], false);
            streamed[args.len()].address = place(4) as usize;
            // SAFETY: operands lie between the pages, and results begin at a page.
            let same = unsafe {
                past.run(scratch.as_mut_ptr(), &streamed, 0, len);
                let bytes = |operand: &LoopOperand| {
                    std::slice::from_raw_parts(operand.address as *const u8, len * sizes[args.len()])
                };
                bytes(&streamed[args.len()]) == bytes(&operands[args.len()])
            };
            assert!(same, "{} {args:?} -> {result} {apart:?}, past the caches", prim.name());
            // SAFETY: nothing else refers to these pages.
            unsafe { std::ptr::write_bytes(place(4), 0, len * sizes[args.len()]) };
        }
        // The interpreter's result beside it, compared element by element.
        let out = args.len();
        let mut other = operands.clone();
        other[out].address = begin(4, out) as usize;
        // SAFETY: operands lie between the pages.
        unsafe { interpreter.run(&other, 0, len) };
        for element in 0..len {
            let read = |operand: &LoopOperand| {
                let mut word = [0; 16];
                let from = operand.address.wrapping_add_signed(element as isize * operand.stride) as *const u8;
                // SAFETY: an element that was written above.
                unsafe { std::ptr::copy_nonoverlapping(from, word.as_mut_ptr(), sizes[out]) };
                crate::scalar::Scalar { dtype: result, bits: u128::from_le_bytes(word) }
            };
            let (fast, slow) = (read(&operands[out]), read(&other[out]));
            assert!(fast.same(slow), "{} {args:?} -> {result} {apart:?}: {fast:?} {slow:?}", prim.name());
        }
    }
}

/// Resident memory in bytes.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    text.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * PAGE
}

/// In a process of its own, so that no other test's memory is counted.
#[test]
fn d04_memory_of_code_comes_back() {
    const CHILD: &str = "ARR_TEST_D04_CHILD";
    if std::env::var_os(CHILD).is_none() {
        let name = "exec::jit::tests::d04_memory_of_code_comes_back";
        let mut again = std::process::Command::new(std::env::current_exe().unwrap());
        let status = again.args(["--exact", name, "--test-threads=1"]).env(CHILD, "1").status().unwrap();
        assert!(status.success());
        return;
    }
    let cycle = || (0..500).for_each(|_| drop(compile(&axpby(DType::F32, 1, 2), level(), false).unwrap()));
    cycle();
    let before = resident();
    (0..4).for_each(|_| cycle());
    let grown = resident().saturating_sub(before);
    // 2,000 leaked kernels would be 8 MB.
    assert!(grown < 1 << 20, "{grown}");
}

#[test]
fn constants_are_part_of_what_is_cached() {
    let known = super::cache::compiled_loop(&axpby(DType::F32, 1, 2), true).unwrap();
    let same = super::cache::compiled_loop(&axpby(DType::F32, 1, 2), true).unwrap();
    let other = super::cache::compiled_loop(&axpby(DType::F32, 1, 3), true).unwrap();
    assert!(Arc::ptr_eq(&known, &same) && !Arc::ptr_eq(&known, &other));
}

#[test]
fn the_code_of_a_kernel_is_text() {
    let body = axpby(DType::F32, 0x4000_0000, 0x4040_0000).body;
    let array = |node| KernelSource::Array { node: crate::ir::NodeId(node), walk: vec![AxisWalk::along(0)] };
    let (node, walk) = (crate::ir::NodeId(5), vec![AxisWalk::along(0)]);
    let store = Sink::Store { value: InstId(6), node, walk, extent: Extent::Whole };
    let kernel = Kernel { space: vec![100], reduced: 0, sources: vec![array(0), array(1)], body, sinks: vec![store] };
    let clif = emit_text(&kernel, Listing::Clif);
    assert!(clif.contains("fmul") && clif.contains("f32x4"), "{clif}");
    let asm = emit_text(&kernel, Listing::Asm);
    assert!(asm.contains("mulps"), "{asm}");
}

#[test]
fn d07_loops_whose_hashes_collide_are_told_apart() {
    /// Every key has the same hash.
    #[derive(Default)]
    struct Constant;
    impl std::hash::Hasher for Constant {
        fn finish(&self) -> u64 {
            7
        }
        fn write(&mut self, _: &[u8]) {}
    }
    let mut cache = Cache::<Loop, CompiledLoop, std::hash::BuildHasherDefault<Constant>>::new(8);
    let fresh = |k| Arc::new(compile(&axpby(DType::I32, 1, k), level(), true).unwrap());
    let kept: Vec<_> = (0..4).map(|k| cache.insert(&axpby(DType::I32, 1, k), fresh(k))).collect();
    for (k, kept) in kept.iter().enumerate() {
        let found = cache.get(&axpby(DType::I32, 1, k as u128)).unwrap();
        assert!(Arc::ptr_eq(&found, kept));
    }
    assert!(cache.get(&axpby(DType::I32, 1, 4)).is_none() && cache.get(&axpby(DType::U32, 1, 3)).is_none());
}

/// Runs `2*a + k*b` for one element.
fn run_once(code: &CompiledLoop, a: u32, b: u32) -> u32 {
    let (mut out, mut scratch) = (0u32, crate::array::bytes::AlignedBytes::zeroed(code.scratch.max(64)).unwrap());
    let place = |x: &u32| LoopOperand { address: std::ptr::from_ref(x) as usize, stride: 4 };
    let operands = [place(&a), place(&b), LoopOperand { address: &raw mut out as usize, stride: 4 }];
    // SAFETY: one element of each operand exists.
    unsafe { code.run(scratch.as_mut_ptr(), &operands, 0, 1) };
    out
}

#[test]
fn d05_code_that_leaves_the_cache_while_it_runs_stays() {
    let mut cache = Cache::<Loop, CompiledLoop, std::hash::RandomState>::new(2);
    let running: Vec<_> = (0..20u128)
        .map(|k| {
            cache.insert(&axpby(DType::U32, 2, k), Arc::new(compile(&axpby(DType::U32, 2, k), level(), false).unwrap()))
        })
        .collect();
    let alone = running.iter().filter(|code| Arc::strong_count(code) == 1).count();
    assert_eq!(alone, 18, "the cache let go of all but two");
    for (k, code) in running.iter().enumerate() {
        assert_eq!(run_once(code, 5, 7), 10 + 7 * k as u32);
    }
}

#[test]
fn d12_of_two_threads_that_compile_the_same_loop_one_wins() {
    for round in 100..110 {
        let code = axpby(DType::U32, 2, round);
        let threads: Vec<_> = (0..4)
            .map(|_| {
                let code = code.clone();
                std::thread::spawn(move || super::cache::compiled_loop(&code, false).unwrap())
            })
            .collect();
        let kept: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert!(kept.iter().all(|other| Arc::ptr_eq(&kept[0], other)));
        assert_eq!(run_once(&kept[0], 1, 1), 2 + round as u32);
    }
}

#[test]
fn b21_code_for_fewer_instructions_gives_the_same_bits() {
    const LEN: usize = 37;
    let mut random = Random::new(11);
    for level in [Level::Sse, Level::Avx2].into_iter().filter(|level| level.runs_here()) {
        for prim in Prim::ALL {
            for (args, result) in signatures(prim) {
                let code = single(prim, &args, result, &[Step::Dense; 3], Step::Dense);
                let compiled = compile(&code, level, true).unwrap();
                let mut scratch = crate::array::bytes::AlignedBytes::zeroed(compiled.scratch.max(64)).unwrap();
                let mut interpreter = Interpreter::new(&code).unwrap();
                let data: Vec<Vec<u8>> = args
                    .iter()
                    .map(|&dtype| {
                        let bits = (0..LEN).map(|_| random.scalar(dtype).bits.to_le_bytes());
                        bits.flat_map(|bytes| bytes[..dtype.size()].to_vec()).collect()
                    })
                    .collect();
                let (mut fast, mut slow) = (vec![0u8; LEN * result.size()], vec![0u8; LEN * result.size()]);
                let mut operands: Vec<LoopOperand> = data
                    .iter()
                    .zip(&args)
                    .map(|(bytes, dtype)| LoopOperand {
                        address: bytes.as_ptr() as usize,
                        stride: dtype.size() as isize,
                    })
                    .collect();
                operands.push(LoopOperand { address: fast.as_mut_ptr() as usize, stride: result.size() as isize });
                // SAFETY: all operands have as many elements.
                unsafe { compiled.run(scratch.as_mut_ptr(), &operands, 0, LEN) };
                operands.last_mut().unwrap().address = slow.as_mut_ptr() as usize;
                // SAFETY: all operands have as many elements.
                unsafe { interpreter.run(&operands, 0, LEN) };
                for (fast, slow) in fast.chunks(result.size()).zip(slow.chunks(result.size())) {
                    let scalar = |bytes: &[u8]| {
                        let mut word = [0; 16];
                        word[..bytes.len()].copy_from_slice(bytes);
                        crate::scalar::Scalar { dtype: result, bits: u128::from_le_bytes(word) }
                    };
                    let (fast, slow) = (scalar(fast), scalar(slow));
                    assert!(fast.same(slow), "{level:?} {} {args:?} -> {result}: {fast:?} {slow:?}", prim.name());
                }
            }
        }
    }
}

#[test]
fn d08_a_processor_without_the_instructions_interprets() {
    use crate::exec::{Options, run};
    use crate::ir::{ProgramOutput as Given, build::ProgramBuilder};
    let mut b = ProgramBuilder::default();
    let count = b.iota(0, vec![crate::types::Dim::Const(1000)]);
    let odd = b.constant(crate::scalar::Scalar::of(14_508_781_i64));
    let node = b.map(Prim::Mul, &[count, odd]);
    b.output(Given { name: None, node, span: Span::default(), weak: false });
    let program = b.finish();
    let notes = std::cell::RefCell::default();
    let options = Options { notes: Some(&notes), ..Options::default() };
    let arrays = held(Level::Base, || run(&program, &options)).unwrap();
    assert_eq!(arrays[0].to_vec::<i64>()[999], 999 * 14_508_781);
    assert_eq!(*notes.borrow(), ["kernels are interpreted: this processor has no SSE4.1 or no FMA"]);
}
