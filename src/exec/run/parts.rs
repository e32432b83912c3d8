//! The parts of a pass, on several threads. Each reads, computes and writes parts of its own, with windows of its own.
//!
//! So one thread computes while another waits for the system, and what is read is in a cache when it is computed with.
//! Folds that go on from part to part take the parts in their order: a thread that has read one waits for its [`Turn`].
//!
//! ```text
//! thread 0   read 0 │ fold 0 │ read 2 │ fold 2
//! thread 1   read 1 ┆ wait   │ fold 1 │ read 3
//! ```

use super::bound::{BoundLoops, first, tables};
use super::columns::CarriedTiles;
use super::in_order::Turn;
use super::memory::RunMemory;
use super::{over, rows};
use crate::array::Array;
use crate::array::bytes::AlignedBytes;
use crate::array::mapping::{Mapping, ReadAt, WriteAt};
use crate::exec::options::{Engine, Options, RunError, Watch};
use crate::exec::plan::{LoopNest, NestKind, Origin, Plan, Storage, Window, WindowPass, positions};
use crate::exec::plan_with_code::StepCode;
use crate::exec::space::PerOperand;
use crate::exec::threads;
use crate::ir::Program;
use crate::locks::lock;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What reads an array through windows, if it can be read so.
pub(super) fn windows_of(array: Option<&Array>) -> Option<&dyn ReadAt> {
    let array = array.filter(|array| array.offset() == 0)?;
    array.mapping().and_then(Mapping::windows)
}

/// Reads bytes of an input into a window.
pub(super) fn read(
    array: &Array,
    windows: &dyn ReadAt,
    input: usize,
    bytes: Range<usize>,
    window: &mut [u8],
) -> Result<(), RunError> {
    windows.read_at(bytes.start, &mut window[..bytes.len()]).map_err(|error| {
        if error.kind() == std::io::ErrorKind::UnexpectedEof {
            array.mapping().into_iter().for_each(Mapping::lose);
        }
        RunError::Unreadable { input, reason: error.to_string() }
    })
}

/// How many bytes have passed, of how many, and who is told.
pub(super) struct ByteProgress<'r> {
    done: Mutex<u64>,
    total: u64,
    on_progress: Option<&'r (dyn Fn(u64, u64) + Sync)>,
}

impl<'r> ByteProgress<'r> {
    pub(super) fn new(total: u64, on_progress: Option<&'r (dyn Fn(u64, u64) + Sync)>) -> ByteProgress<'r> {
        ByteProgress { done: Mutex::new(0), total, on_progress }
    }

    fn passed(&self, bytes: u64) {
        let mut done = lock(&self.done);
        *done += bytes;
        if let Some(report) = self.on_progress {
            report((*done).min(self.total), self.total);
        }
    }
}

/// What all passes of a run share.
#[derive(Clone, Copy)]
pub(super) struct PassContext<'r> {
    pub(super) program: &'r Program,
    pub(super) plan: &'r Plan,
    pub(super) outputs: &'r [Option<&'r dyn WriteAt>],
    pub(super) flowing: &'r ByteProgress<'r>,
}

/// The loops of a part, with their code.
struct PartLoops {
    nest: LoopNest,
    code: StepCode,
}

impl PartLoops {
    fn new(nest: LoopNest) -> PartLoops {
        PartLoops { nest, code: StepCode::default() }
    }
}

/// A pass while it runs.
pub(super) struct PassRun<'r> {
    pass: &'r WindowPass,
    given: PassContext<'r>,
    /// The loops of a part, and those of the last one if that is shorter.
    whole: PartLoops,
    last: Option<PartLoops>,
    /// Where operands begin that do not pass.
    bases: PerOperand<usize>,
    tables: PerOperand<usize>,
    /// The part that nobody has taken yet.
    next: AtomicUsize,
    stopped: AtomicBool,
}

/// What threads take of the options of a run.
#[derive(Clone, Copy)]
struct ThreadOptions<'r> {
    engine: Engine,
    verify: bool,
    watch: Watch<'r>,
}

impl<'r> ThreadOptions<'r> {
    /// The options of one thread among others.
    fn options(self) -> Options<'r> {
        let ThreadOptions { engine, verify, watch } = self;
        let options = Options { engine, verify, threads: Some(NonZeroUsize::MIN), ..Options::default() };
        Options { interrupt: watch.interrupt, ask: watch.ask, max_memory: watch.limit, ..options }
    }
}

impl<'r> PassRun<'r> {
    pub(super) fn new(
        nest: &LoopNest,
        pass: &'r WindowPass,
        given: PassContext<'r>,
        memory: &RunMemory,
    ) -> PassRun<'r> {
        let whole = nest.part(pass.axis, pass.part);
        let rest = pass.rounds % pass.part;
        let base = |(operand, &origin): (usize, &Origin)| match pass.of[operand] {
            Some(_) => 0,
            None => first(origin, |storage| memory.address(storage)),
        };
        PassRun {
            pass,
            given,
            bases: whole.origins.iter().enumerate().map(base).collect(),
            tables: tables(&whole, |storage| memory.address(storage)),
            last: (rest > 0).then(|| PartLoops::new(nest.part(pass.axis, rest))),
            whole: PartLoops::new(whole),
            next: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
        }
    }

    /// Runs all parts.
    pub(super) fn run(self, options: &Options) -> Result<(), RunError> {
        for part in [Some(&self.whole), self.last.as_ref()].into_iter().flatten() {
            part.code.prepare(&part.nest, options);
        }
        let parts = self.pass.rounds.div_ceil(self.pass.part);
        let folds = self.folds();
        let (watch, engine, verify) = (options.watch(), options.engine, options.verify);
        let threads = self.pass.threads;
        // One thread is enough: another that gets no memory leaves all parts to those that did.
        let first = Mutex::new(Some(self.windows(watch)?));
        threads::share(threads, threads, watch, |_| {
            let ending = EndGuard { run: &self, folds: &folds };
            let options = ThreadOptions { engine, verify, watch }.options();
            let given = lock(&first).take();
            let Some(mut windows) = given.or_else(|| self.windows(watch).ok()) else {
                ending.disarm();
                return Ok(());
            };
            loop {
                let part = self.next.fetch_add(1, Ordering::Relaxed);
                if part >= parts || self.stopped.load(Ordering::Relaxed) {
                    break;
                }
                watch.poll()?;
                let rounds = part * self.pass.part..self.pass.rounds.min((part + 1) * self.pass.part);
                self.fill(&rounds, &mut windows)?;
                if !folds.run(part, &self.bound(&rounds, &windows), &options)? {
                    break;
                }
                self.empty(&rounds, &windows)?;
            }
            ending.disarm();
            Ok(())
        })?;
        let last = (parts - 1) * self.pass.part..self.pass.rounds;
        folds.end(&self.bound(&last, &[]));
        Ok(())
    }

    /// Windows of a thread.
    fn windows(&self, watch: Watch) -> Result<Vec<AlignedBytes>, RunError> {
        let room = |window: &Window| AlignedBytes::zeroed(window.bytes(0..self.pass.part).len());
        self.pass.windows.iter().map(|window| room(window).map_err(|_| watch.out_of_memory())).collect()
    }

    fn folds(&self) -> CarriedFolds {
        let bound = self.bound(&(0..self.pass.part), &[]);
        match (self.pass.carries, self.whole.nest.nest.kind) {
            (true, NestKind::Rows) => {
                let results = positions(&self.whole.nest.nest.outer);
                CarriedFolds::Rows(Turn::new((0..results).map(|_| rows::reducers(&self.whole.nest.nest)).collect()))
            }
            (true, NestKind::Columns) => CarriedFolds::Columns(CarriedTiles::new(&bound, self.pass.one_by_one)),
            _ => CarriedFolds::Nothing,
        }
    }

    /// Reads what a part needs.
    fn fill(&self, rounds: &Range<usize>, windows: &mut [AlignedBytes]) -> Result<(), RunError> {
        for (window, bytes) in self.pass.windows.iter().zip(windows) {
            let (Storage::Input(input), false) = (window.storage, window.written) else { continue };
            let array = self.given.program.inputs[input as usize].value.as_ref();
            let array = array.expect("the plan was made for this data");
            let from = windows_of(Some(array)).expect("it passes");
            read(array, from, input as usize, window.bytes(rounds.clone()), bytes.as_mut_slice())?;
        }
        Ok(())
    }

    /// Writes what a part has made, and tells how far it is.
    fn empty(&self, rounds: &Range<usize>, windows: &[AlignedBytes]) -> Result<(), RunError> {
        let mut passed = 0;
        for (window, bytes) in self.pass.windows.iter().zip(windows) {
            let place = window.bytes(rounds.clone());
            passed += place.len() as u64;
            if !window.written {
                continue;
            }
            let output = self.given.plan.outputs.iter().position(|output| output.storage == window.storage);
            let output = output.expect("what is written is an output");
            let to = self.given.outputs[output].expect("it passes to something");
            to.write_at(place.start, &bytes.as_slice()[..place.len()])
                .map_err(|error| RunError::Unwritable { output, reason: error.to_string() })?;
        }
        self.given.flowing.passed(passed);
        Ok(())
    }

    /// Loops with the addresses of a part; without windows those of what does not pass.
    fn bound(&self, rounds: &Range<usize>, windows: &[AlignedBytes]) -> BoundLoops<'_> {
        let part = match &self.last {
            Some(last) if rounds.len() < self.pass.part => last,
            _ => &self.whole,
        };
        let strides = part.nest.strides(self.pass.axis);
        let address = |operand: usize| {
            let moved = strides[operand].wrapping_mul(rounds.start as isize);
            let base = match (self.pass.of[operand], part.nest.origins[operand]) {
                (Some(window), Origin::At { offset, .. }) => {
                    let bytes = self.pass.windows[window].bytes(rounds.clone());
                    debug_assert!(
                        part.nest.is_within(operand, moved + offset, &bytes),
                        "an operand stays in its window"
                    );
                    let begins = windows.get(window).map_or(0, |window| window.as_ptr().addr());
                    begins.wrapping_sub(bytes.start).wrapping_add_signed(offset)
                }
                _ => self.bases[operand],
            };
            base.wrapping_add_signed(moved)
        };
        let addresses: PerOperand<usize> = (0..part.nest.origins.len()).map(address).collect();
        BoundLoops { nest: &part.nest, code: &part.code, addresses, tables: self.tables.clone() }
    }
}

/// Tells the other threads when one ends before all parts are done.
struct EndGuard<'p, 'r> {
    run: &'p PassRun<'r>,
    folds: &'p CarriedFolds,
}

impl EndGuard<'_, '_> {
    /// Tells the others nothing.
    #[expect(clippy::mem_forget, reason = "references are all that a guard holds")]
    fn disarm(self) {
        std::mem::forget(self);
    }
}

impl Drop for EndGuard<'_, '_> {
    fn drop(&mut self) {
        self.run.stopped.store(true, Ordering::Relaxed);
        self.folds.stop();
    }
}

/// Folds that go on from part to part.
enum CarriedFolds {
    Nothing,
    Rows(Turn<Vec<rows::RowReducers>>),
    Columns(CarriedTiles),
}

impl CarriedFolds {
    /// Runs a part when it is its turn; false if it never will be, because another one failed.
    fn run(&self, part: usize, bound: &BoundLoops, options: &Options) -> Result<bool, RunError> {
        match self {
            CarriedFolds::Nothing => over(bound, options).map(|()| true),
            CarriedFolds::Rows(results) => results.take(part, |results| bound.run_rows_on(results, options)),
            CarriedFolds::Columns(tiles) => tiles.run(part, bound, options),
        }
    }

    /// No turn will come any more.
    fn stop(&self) {
        match self {
            CarriedFolds::Nothing => {}
            CarriedFolds::Rows(results) => results.stop(),
            CarriedFolds::Columns(tiles) => tiles.stop(),
        }
    }

    /// Writes results that no more terms come for.
    fn end(self, bound: &BoundLoops) {
        match self {
            CarriedFolds::Nothing => {}
            CarriedFolds::Rows(results) => bound.end_rows(&mut results.into_inner()),
            CarriedFolds::Columns(tiles) => tiles.end(bound),
        }
    }
}
