//! Shorter jumps. A jump forwards is written as if it led far; when all is written, those that lead to near places take
//! fewer bytes. Loops begin at the same multiples as before.

use super::{ALIGNMENT, Assembler, CodeLabel, idle};

/// Bytes of a distance in a jump that leads far.
const DISTANCE_BYTES: usize = 4;
/// Bytes of a jump to a near place.
const SHORT_JUMP_BYTES: usize = 2;

/// Bytes of the code that others replace.
#[derive(Clone, Copy)]
struct CodePatch {
    begin: usize,
    end: usize,
    by: PatchCode,
}

#[derive(Clone, Copy)]
enum PatchCode {
    Jump {
        code: u8,
        to: CodeLabel,
    },
    /// So many bytes that do nothing.
    Idle(usize),
}

impl PatchCode {
    fn bytes(self) -> usize {
        match self {
            PatchCode::Jump { .. } => SHORT_JUMP_BYTES,
            PatchCode::Idle(bytes) => bytes,
        }
    }
}

/// Where a place of the code is behind all that replaces something before it.
fn moved(at: usize, replaced: &[CodePatch]) -> usize {
    let before = replaced.iter().filter(|one| one.end <= at);
    before.fold(at, |at, one| at + one.by.bytes() - (one.end - one.begin))
}

impl Assembler {
    /// Writes jumps to near places with fewer bytes.
    pub(in super::super) fn shorten(&mut self) {
        let mut near = vec![false; self.jumps.len()];
        let replaced = loop {
            let replaced = self.replaced(&near);
            let found: Vec<bool> = (0..near.len()).map(|jump| near[jump] || self.is_near(jump, &replaced)).collect();
            if found == near {
                break replaced;
            }
            near = found;
        };
        let reaches = |&(at, to): &(usize, CodeLabel)| {
            let distance = moved(self.target(to), &replaced) as isize - moved(at + 1, &replaced) as isize;
            i8::try_from(distance).is_ok()
        };
        // More bytes that do nothing may lie in between.
        if self.near.iter().all(reaches) {
            self.replace(&replaced, &near);
        }
    }

    /// The code of the near jump that a jump may become, and where the jump begins; `None` for a call.
    fn near_code(&self, at: usize) -> Option<(u8, usize)> {
        match self.code[at - 1] {
            0xe8 => None,
            0xe9 => Some((0xeb, at - 1)),
            far => Some((far - 0x10, at - 2)),
        }
    }

    fn target(&self, label: CodeLabel) -> usize {
        self.labels[label.0].expect("every label is placed")
    }

    /// Whether a jump leads to a near place, however many bytes that do nothing there will be.
    fn is_near(&self, jump: usize, replaced: &[CodePatch]) -> bool {
        let (at, to) = self.jumps[jump];
        let (end, target) = (at + DISTANCE_BYTES, self.target(to));
        let between = |(begin, _): &&(usize, usize)| (end.min(target)..=end.max(target)).contains(begin);
        let idle = self.fills.iter().filter(between).count() * (ALIGNMENT - 1);
        let distance = moved(end, replaced).abs_diff(moved(target, replaced));
        self.near_code(at).is_some() && i8::try_from(distance + idle).is_ok()
    }

    /// What is replaced if some of the jumps become near ones.
    fn replaced(&self, near: &[bool]) -> Vec<CodePatch> {
        let jumps = self.jumps.iter().zip(near).filter(|(_, near)| **near).filter_map(|(&(at, to), _)| {
            let (code, begin) = self.near_code(at)?;
            Some(CodePatch { begin, end: at + DISTANCE_BYTES, by: PatchCode::Jump { code, to } })
        });
        let fills = self.fills.iter().map(|&(begin, bytes)| CodePatch {
            begin,
            end: begin + bytes,
            by: PatchCode::Idle(bytes),
        });
        let mut all: Vec<CodePatch> = jumps.chain(fills).collect();
        all.sort_by_key(|one| (one.begin, one.end));
        for number in 0..all.len() {
            if let PatchCode::Idle(_) = all[number].by {
                let begin = moved(all[number].begin, &all[..number]);
                all[number].by = PatchCode::Idle(begin.wrapping_neg() % ALIGNMENT);
            }
        }
        all
    }

    fn replace(&mut self, replaced: &[CodePatch], near: &[bool]) {
        let old = std::mem::take(&mut self.code);
        let mut done = 0;
        self.near.iter_mut().for_each(|(at, _)| *at = moved(*at, replaced));
        for &CodePatch { begin, end, by } in replaced {
            self.code.extend(&old[done..begin]);
            match by {
                PatchCode::Jump { code, to } => {
                    self.near.push((self.code.len() + 1, to));
                    self.code.extend([code, 0]);
                }
                PatchCode::Idle(bytes) => idle(&mut self.code, bytes),
            }
            done = end;
        }
        self.code.extend(&old[done..]);
        let jumps = std::mem::take(&mut self.jumps).into_iter().zip(near).filter(|(_, near)| !**near);
        self.jumps = jumps.map(|((at, to), _)| (moved(at, replaced), to)).collect();
        self.labels.iter_mut().flatten().for_each(|at| *at = moved(*at, replaced));
        self.distances.iter_mut().for_each(|(at, ..)| *at = moved(*at, replaced));
        self.links.iter_mut().flatten().for_each(|(at, _)| *at = moved(*at, replaced));
        self.fills.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::super::{JumpCondition, RAX};
    use super::*;

    /// A jump over some instructions, then a loop.
    fn code(skipped: usize) -> Vec<u8> {
        let mut a = Assembler::for_linking(false);
        let [over, again] = [(); 2].map(|()| a.label());
        a.jump(JumpCondition::Always, over);
        (0..skipped).for_each(|_| a.add(RAX, 1));
        a.place(over);
        a.align();
        a.place(again);
        a.add(RAX, -1);
        a.jump(JumpCondition::Differs, again);
        a.end();
        a.shorten();
        a.finish()
    }

    #[test]
    fn jumps_to_near_places_are_short_and_loops_stay_aligned() {
        for (skipped, jump, far) in [(1, 0xeb, false), (40, 0xe9, true)] {
            let code = code(skipped);
            assert_eq!(code[0], jump);
            let over = match far {
                true => 5 + i32::from_le_bytes(code[1..5].try_into().expect("four bytes")),
                false => 2 + i32::from(code[1]),
            };
            // The last instruction returns, and the one before it leads to where the loop begins.
            let end = code.len() as i32 - 1;
            let begin = end + i32::from(code[code.len() - 2] as i8);
            assert_eq!((begin % ALIGNMENT as i32, begin.max(over)), (0, begin), "{code:x?}");
        }
    }
}
