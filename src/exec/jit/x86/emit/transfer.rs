//! Transfers from memory or to it. They move whole chunks, or the last elements.
//!
//! With AVX-512 the last elements are those under a mask. With AVX2 so are those of four and eight bytes; others go
//! through a row of scratch, one by one.

use super::super::assembler::{Gpr, JumpCondition, Masking, Memory, RAX, RCX, RDI, RDX, RSI, Rm, VectorBits, Writes};
use super::super::registers::PlacedInstruction;
use super::super::rows;
use super::super::steps::InstructionForm;
use super::{ChunkKind, Emitter, SLOT, slot_memory};

/// The mask of the last elements, and that of the second vector of complex ones.
pub(super) const LAST: u8 = 1;
pub(super) const LAST_HIGH: u8 = 2;
/// The mask of what is left of a vector with every second of the last elements, with both of their parts, or that ends
/// with the first of them.
const LAST_DOUBLED: u8 = 3;

/// A row of ones and one of zeros behind it, where masks that are vectors are read.
const CHOICES: [u8; 2 * SLOT] = {
    let mut choices = [0; 2 * SLOT];
    let mut byte = 0;
    while byte < SLOT {
        choices[byte] = 0xff;
        byte += 1;
    }
    choices
};

impl Emitter<'_> {
    /// Makes the vector `register` a mask of the last elements, which have `size` bytes: four or eight. The mask is for
    /// the vector of them that begins `before` bytes after the index. At most a row of elements is left.
    pub(super) fn choose_last(&mut self, register: u8, size: usize, before: i32) {
        let first = *self.pool.choices.get_or_insert_with(|| self.a.table(&CHOICES));
        self.a.address(RSI, Memory::Pool(first));
        // How many are left, negated.
        self.a.copy(RAX, RDX);
        self.a.subtract(RAX, RCX);
        let place = Memory::At { base: RSI, index: Some((RAX, size as u8)), offset: SLOT as i32 + before };
        self.whole_vector(self.body.target.moving(8), (Writes::Register, register, None, Rm::Memory(place)));
    }

    /// Masks of as many lanes as elements are left, where there are masks.
    pub(super) fn last_masks(&mut self) {
        if !self.body.target.has_masks() {
            return;
        }
        self.a.copy(RAX, RCX);
        self.a.subtract(RAX, RDX);
        self.a.set(RSI, -1);
        // Less than a chunk is left.
        self.a.low_bits(RAX, RSI, RAX);
        self.a.mask_of(LAST, RAX);
        let complex = (0..self.places.addresses.len()).any(|operand| self.operand_dtype(operand).is_complex());
        if complex {
            self.a.mask(rows::KSHIFT_RIGHT, LAST_HIGH, None, LAST, Some(8));
        }
    }

    /// A load or a store, of a part of the operand's chunk `copy` chunks after the index.
    pub(super) fn transfer(
        &mut self,
        step: &PlacedInstruction,
        register: u8,
        operand: usize,
        (copy, part): (usize, usize),
        kind: ChunkKind,
    ) {
        if self.is_count(operand) {
            return self.count(step, operand, copy);
        }
        if !self.body.target.has_masks() {
            return match kind {
                ChunkKind::Last => {
                    self.transfer_last(step, register, operand, part);
                    if self.widens(step) {
                        self.vector(step, (Writes::Register, register, None, Rm::Register(register)));
                    }
                }
                ChunkKind::Whole => self.transfer_whole(step, register, operand, (copy, part)),
            };
        }
        let last = kind == ChunkKind::Last;
        let load = matches!(step.form, InstructionForm::Load { .. });
        let bytes = self.operand_dtype(operand).size();
        let short = bytes * self.body.chunk < VectorBits::Xmm.bytes();
        let row = match (short && !last, load) {
            (true, true) => rows::LOAD_QUAD,
            (true, false) => rows::STORE_QUAD,
            // There is no such store under a mask.
            (false, _) if last && step.row == rows::STREAM => rows::of(rows::STORE, bytes.min(8)),
            (false, _) => step.row,
        };
        let register_of_mask = match part {
            _ if last && self.is_alternate(operand) => self.doubled_mask(-1, self.body.chunk as u8 - 1, part),
            _ if last && self.is_back(operand) => self.mask_of_upper(),
            _ if last && bytes == 16 => self.doubled_mask(0, 8, part),
            0 => LAST,
            _ => LAST_HIGH,
        };
        let mask = last.then_some(Masking { register: register_of_mask, zeroing: load });
        let place = self.place(operand, copy, part);
        let writes = if load { Writes::Register } else { Writes::Last };
        self.a.evex(row, step.length, (writes, register, None, Rm::Memory(place)), mask, None);
    }

    /// Whether a load makes its elements wide, with AVX2.
    fn widens(&self, step: &PlacedInstruction) -> bool {
        matches!(step.form, InstructionForm::Load { .. }) && step.row != self.body.target.moving(8)
    }

    /// Loads or stores a part of a whole chunk of an operand, with AVX2.
    fn transfer_whole(&mut self, step: &PlacedInstruction, register: u8, operand: usize, (copy, part): (usize, usize)) {
        let load = matches!(step.form, InstructionForm::Load { .. });
        let row = match (self.operand_dtype(operand).size() * self.body.chunk, load) {
            _ if self.widens(step) => step.row,
            (..=4, true) => rows::avx2::LOAD_WORD,
            (..=4, false) => rows::avx2::STORE_WORD,
            (..=8, true) => rows::LOAD_QUAD,
            (..=8, false) => rows::STORE_QUAD,
            _ => step.row,
        };
        let place = self.place(operand, copy, part);
        let writes = if load { Writes::Register } else { Writes::Last };
        self.vector(&PlacedInstruction { row, ..*step }, (writes, register, None, Rm::Memory(place)));
    }

    /// Whether the last elements of an operand are loaded and stored under a mask that is a vector.
    pub(super) fn is_chosen(&self, operand: usize) -> bool {
        let size = self.operand_dtype(operand).size();
        let fits = matches!(size, 4 | 8) && size * self.body.chunk <= SLOT;
        fits && !self.body.target.has_masks() && !self.is_alternate(operand) && !self.is_back(operand)
    }

    /// Loads or stores a part of the last elements of an operand, under a mask that is a vector. A store has its mask
    /// in a register that somebody else has: what is there is kept meanwhile.
    fn transfer_chosen(&mut self, load: bool, register: u8, operand: usize, part: usize) {
        let (target, size) = (self.body.target, self.operand_dtype(operand).size());
        let (before, place) = ((part * target.bytes()) as i32, Rm::Memory(self.place(operand, 0, part)));
        if load {
            self.choose_last(register, size, before);
            let row = rows::avx2::LOAD_CHOSEN[size / 8];
            return self.whole_vector(row, (Writes::Register, register, Some(register), place));
        }
        let kept = Rm::Memory(slot_memory(self.places.last_row));
        let [other, mask] = target.passing();
        let mask = if mask == register { other } else { mask };
        self.whole_vector(target.storing(8), (Writes::Last, mask, None, kept));
        self.choose_last(mask, size, before);
        self.whole_vector(rows::avx2::STORE_CHOSEN[size / 8], (Writes::Last, register, Some(mask), place));
        self.whole_vector(target.moving(8), (Writes::Register, mask, None, kept));
    }

    /// Loads or stores a part of the last elements of an operand, with AVX2: under a mask, or through a row of scratch,
    /// one by one.
    fn transfer_last(&mut self, step: &PlacedInstruction, register: u8, operand: usize, part: usize) {
        let load = matches!(step.form, InstructionForm::Load { .. });
        let (target, row) = (self.body.target, slot_memory(self.places.last_row));
        // Of sixteen bytes, halves are what is copied.
        let size = self.operand_dtype(operand).size();
        let bytes = size.min(8);
        if self.is_chosen(operand) {
            return self.transfer_chosen(load, register, operand, part);
        }
        if load {
            // Lanes beyond the last element hold zeros.
            self.whole_vector(rows::XOR, (Writes::Register, register, Some(register), Rm::Register(register)));
        }
        self.whole_vector(target.storing(8), (Writes::Last, register, None, Rm::Memory(row)));
        // The first place, and how many elements there are of this part.
        let place = self.place(operand, 0, part);
        self.a.address(RSI, place);
        let is_back = self.is_back(operand);
        if is_back {
            // Their lanes are the upper ones, in memory and in the row.
            self.a.set(RAX, self.body.chunk as i32);
            self.a.subtract(RAX, RCX);
            self.a.address(RAX, Memory::At { base: RAX, index: Some((RDX, 1)), offset: 0 });
            self.a.push(RDI);
            for base in [RSI, RDI] {
                self.a.address(base, Memory::At { base, index: Some((RAX, bytes as u8)), offset: 0 });
            }
        }
        self.a.copy(RAX, RCX);
        self.a.subtract(RAX, RDX);
        let before = part * if self.is_alternate(operand) { self.body.chunk - 1 } else { target.bytes() / bytes };
        let [again, done] = [(); 2].map(|()| self.a.label());
        if self.is_alternate(operand) {
            // As many as reach from the first to the last of those that count.
            self.a.address(RAX, Memory::At { base: RAX, index: Some((RAX, 1)), offset: -1 });
        } else if size > bytes {
            self.a.address(RAX, Memory::At { base: RAX, index: Some((RAX, 1)), offset: 0 });
        }
        self.a.add(RAX, -(before as i32));
        self.a.jump(JumpCondition::AtMost, done);
        self.a.push(RCX);
        self.a.place(again);
        let at = |base: Gpr, offset: i32| Memory::At { base, index: Some((RAX, bytes as u8)), offset };
        let (memory, scratch) =
            (at(RSI, -(bytes as i32)), at(RDI, (self.places.last_row * SLOT) as i32 - bytes as i32));
        let (from, to) = if load { (memory, scratch) } else { (scratch, memory) };
        self.a.load_element(bytes, RCX, from);
        self.a.store_element(bytes, RCX, to);
        self.a.count_down(RAX);
        self.a.jump(JumpCondition::Differs, again);
        self.a.pop(RCX);
        self.a.place(done);
        if is_back {
            self.a.pop(RDI);
        }
        if load {
            self.whole_vector(target.moving(8), (Writes::Register, register, None, Rm::Memory(row)));
        }
    }

    /// The mask of twice as many lanes as elements are left, and some; the second vector begins with one of them.
    ///
    /// Of elements of which every second counts there are as many as reach from the first to the last of those that are
    /// left, and the second vector begins with the first one's last. Of sixteen bytes there are two lanes each.
    fn doubled_mask(&mut self, more: i32, second: u8, part: usize) -> u8 {
        self.a.copy(RAX, RCX);
        self.a.subtract(RAX, RDX);
        self.a.address(RAX, Memory::At { base: RAX, index: Some((RAX, 1)), offset: more });
        self.a.set(RSI, -1);
        self.a.low_bits(RAX, RSI, RAX);
        self.a.mask_of(LAST_DOUBLED, RAX);
        if part == 1 {
            self.a.mask(rows::KSHIFT_RIGHT, LAST_DOUBLED, None, LAST_DOUBLED, Some(second));
        }
        LAST_DOUBLED
    }

    /// The mask of as many upper lanes as elements are left.
    fn mask_of_upper(&mut self) -> u8 {
        self.a.copy(RAX, RCX);
        self.a.subtract(RAX, RDX);
        self.a.set(RSI, self.body.chunk as i32);
        self.a.subtract(RSI, RAX);
        self.a.set(RAX, -1);
        self.a.low_bits(RAX, RAX, RSI);
        self.a.set(RSI, -1);
        self.a.subtract(RSI, RAX);
        self.a.mask_of(LAST_DOUBLED, RSI);
        LAST_DOUBLED
    }

    fn place(&mut self, operand: usize, copy: usize, part: usize) -> Memory {
        let (bytes, chunk) = (self.operand_dtype(operand).size(), self.body.chunk);
        if let Some(first) = self.scratch_place(operand) {
            let offset = first + copy * chunk * bytes + part * self.body.target.bytes();
            return Memory::At { base: RDI, index: None, offset: offset as i32 };
        }
        let offset = match self.is_alternate(operand) {
            _ if self.is_back(operand) => -((((copy + 1) * chunk - 1) * bytes) as isize),
            true => ((2 * copy * chunk + part * (chunk - 1)) * bytes) as isize,
            false => (copy * chunk * bytes + part * self.body.target.bytes()) as isize,
        };
        let base = self.places.addresses[operand].expect("operands that move have an address");
        Memory::At { base, index: Some(self.scaled_index(operand)), offset: offset as i32 }
    }
}
