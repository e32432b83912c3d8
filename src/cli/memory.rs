//! The default memory for arrays, with the size from which they pass through windows.

use std::fs::File;
use std::io::Read;

/// Arrays of at least this many bytes are read from and written to their files a window at a time, where the program
/// allows it.
const MIN_WINDOWED_BYTES: usize = 32 << 20;

/// The bytes from which on arrays pass through windows: a quarter of the ceiling, and never more than
/// [`MIN_WINDOWED_BYTES`].
pub(super) fn windows(max_mem: Option<usize>) -> usize {
    max_mem.map_or(MIN_WINDOWED_BYTES, |most| (most / 4).min(MIN_WINDOWED_BYTES))
}

/// The first lines of a file of the system, as it answers them at once.
fn beginning(path: &str) -> Option<String> {
    let mut bytes = [0; 512];
    let count = File::open(path).and_then(|mut file| file.read(&mut bytes)).ok()?;
    Some(String::from_utf8_lossy(&bytes[..count]).into_owned())
}

/// Four fifths of the machine's memory, or of what its control group leaves this process.
pub(super) fn ceiling() -> Option<usize> {
    let text = beginning("/proc/meminfo")?;
    let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let total: usize = total.trim().strip_suffix("kB")?.trim().parse().ok()?;
    let groups = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let limits = groups.iter().filter_map(|path| beginning(path)?.trim().parse().ok());
    Some(limits.fold(total.saturating_mul(1024), usize::min) / 5 * 4)
}
