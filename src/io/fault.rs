//! Mapped files that shrink under our feet.
//!
//! Reading a mapped page that its file no longer has raises SIGBUS, which ends the process. Mappings are therefore
//! entered in a table. The handler puts zeros in place of a registered mapping's lost pages, notes that this mapping is
//! lost and lets the program go on. Whoever read it asks for that afterwards and discards the result. Once there are
//! zeros nothing faults any more, so the note stays for as long as the mapping does. A SIGBUS anywhere else does what
//! it did before.
//!
//! The handler may neither allocate nor wait, so the table only ever grows, by blocks, and is read without a lock; when
//! it cannot grow further, files are read instead of mapped.
#![expect(unsafe_code, reason = "the standard library knows no mappings and no signals")]

use crate::locks::lock;
use std::fs::File;
use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Places in one block of the table.
const BLOCK_PLACES: usize = 1024;
/// The most blocks. The kernel allows 65,530 mappings, and the allocator needs some of them.
const MAX_BLOCKS: usize = 32;

/// The pages of one mapping: first and one past the last address. Both 0 when there is none.
struct PageRange {
    start: AtomicUsize,
    end: AtomicUsize,
    taken: AtomicBool,
    /// Whether pages of it were found lost.
    lost: AtomicBool,
}

impl PageRange {
    fn free() -> PageRange {
        let [taken, lost] = [const { AtomicBool::new(false) }; 2];
        PageRange { start: AtomicUsize::new(0), end: AtomicUsize::new(0), taken, lost }
    }
}

/// Blocks are made when the earlier ones are full, and stay.
static TABLE: [OnceLock<Box<[PageRange; BLOCK_PLACES]>>; MAX_BLOCKS] = [const { OnceLock::new() }; MAX_BLOCKS];

/// A free place, now taken.
fn take_place() -> Option<&'static PageRange> {
    let blocks = TABLE.iter().map(|block| block.get_or_init(|| Box::new(std::array::from_fn(|_| PageRange::free()))));
    blocks.flat_map(|block| block.iter()).find(|place| !place.taken.swap(true, Ordering::SeqCst))
}

static PREVIOUS: OnceLock<libc::sigaction> = OnceLock::new();

/// A mapping that survives the shrinking of its file.
pub(super) struct GuardedMapping {
    place: &'static PageRange,
    map: memmap2::Mmap,
}

impl GuardedMapping {
    /// Maps part of a file; `None` when the table is full.
    pub(super) fn map(file: &File, offset: u64, len: usize) -> io::Result<Option<GuardedMapping>> {
        install()?;
        let Some(place) = take_place() else {
            return Ok(None);
        };
        // SAFETY: read-only and shared. Another process may write to the file meanwhile; elements are plain bits, every
        // pattern of which is a value, and lost pages are replaced by `handler`.
        let map = match unsafe { memmap2::MmapOptions::new().offset(offset).len(len).map(file) } {
            Ok(map) => map,
            Err(error) => {
                place.taken.store(false, Ordering::SeqCst);
                return Err(error);
            }
        };
        let page = page_size();
        let start = map.as_ptr() as usize;
        place.lost.store(false, Ordering::SeqCst);
        place.end.store((start + len).next_multiple_of(page), Ordering::SeqCst);
        place.start.store(start & !(page - 1), Ordering::SeqCst);
        Ok(Some(GuardedMapping { place, map }))
    }

    /// The bytes, some of which may be zeros that are in no file.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Whether lost pages were met.
    pub(super) fn is_lost(&self) -> bool {
        self.place.lost.load(Ordering::SeqCst)
    }

    /// Notes that lost pages were met, by the kernel or by a look at the file.
    pub(super) fn lose(&self) {
        self.place.lost.store(true, Ordering::SeqCst);
    }
}

impl Drop for GuardedMapping {
    /// Frees the place before the pages go, so that the handler never touches what is no longer ours.
    fn drop(&mut self) {
        self.place.start.store(0, Ordering::SeqCst);
        self.place.end.store(0, Ordering::SeqCst);
        self.place.taken.store(false, Ordering::SeqCst);
    }
}

fn page_size() -> usize {
    // SAFETY: a question without arguments in memory; allowed in signal handlers.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

/// Installs the handler once.
fn install() -> io::Result<()> {
    static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    if PREVIOUS.get().is_some() {
        return Ok(());
    }
    let _one = lock(&ONE);
    if PREVIOUS.get().is_some() {
        return Ok(());
    }
    // SAFETY: `sigaction` is plain data, for which zeros are a value; both pointers are to such data, and the handler
    // has the signature that SA_SIGINFO asks for and does only what a handler may. The previous action is known
    // before ours can be needed: nothing is mapped yet.
    unsafe {
        let mut previous: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(libc::SIGBUS, std::ptr::null(), &raw mut previous) != 0 {
            return Err(io::Error::last_os_error());
        }
        let _ = PREVIOUS.set(previous);
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        libc::sigemptyset(&raw mut action.sa_mask);
        if libc::sigaction(libc::SIGBUS, &raw const action, std::ptr::null_mut()) != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

/// Puts zeros in place of lost pages, or gives the signal back.
extern "C" fn handler(_signal: libc::c_int, info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
    // SAFETY: the kernel passes a valid description of the signal.
    let address = unsafe { (*info).si_addr() } as usize;
    let within =
        |place: &&PageRange| (place.start.load(Ordering::SeqCst)..place.end.load(Ordering::SeqCst)).contains(&address);
    if let Some(place) = TABLE.iter().map_while(OnceLock::get).flat_map(|block| block.iter()).find(within) {
        let first = address & !(page_size() - 1);
        // Usually all pages from here on are gone; one by one, a large file would mean a million signals.
        let len = place.end.load(Ordering::SeqCst) - first;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
        // SAFETY: these pages belong to a live mapping of ours (it leaves the table before it is unmapped, and whoever
        // faults is using it); replacing them keeps every address readable. `mmap` is a plain system call.
        let zeros = unsafe { libc::mmap(first as *mut libc::c_void, len, libc::PROT_READ, flags, -1, 0) };
        if zeros != libc::MAP_FAILED {
            place.lost.store(true, Ordering::SeqCst);
            return;
        }
    }
    if let Some(previous) = PREVIOUS.get() {
        // SAFETY: an action that was in force before; the instruction faults again on return and meets it.
        unsafe { libc::sigaction(libc::SIGBUS, previous, std::ptr::null_mut()) };
        // SAFETY: as above. A signal that another process sent has no instruction to fault again.
        if unsafe { (*info).si_code } <= 0 {
            // SAFETY: a plain system call, allowed in handlers.
            unsafe { libc::raise(libc::SIGBUS) };
        }
    }
}
