//! Which level a function runs at: the loader asks once, before anything else runs.
//!
//! The symbol of a function with several levels is an `IFUNC`: the loader calls [`resolver`], a function of the object that
//! asks the processor what it has, and binds the name to what that returns. Nothing in the object is written for it,
//! and a call costs nothing. Asking at each call instead would cost a trap of the virtual machine, if there is one.

/// A jump to a place that is not known yet: where its distance is.
struct Jump(usize);

/// Machine code in the making.
#[derive(Default)]
struct Bytes {
    code: Vec<u8>,
    /// Where four bytes wait for the distance to a function, and its number.
    links: Vec<(usize, usize)>,
}

/// Registers of 32 bits, by their numbers.
const EAX: u8 = 0;
const ECX: u8 = 1;
const EBX: u8 = 3;
/// What a processor says of itself, in registers that `cpuid` leaves alone.
const FIRST: u8 = 8;
const STATE: u8 = 9;
const SEVENTH: u8 = 11;

/// Bits of the first leaf: FMA, SSE4.1, that the system says which registers it saves, AVX.
const SSE: u32 = 1 << 12 | 1 << 19 | 1 << 27 | 1 << 28;
/// POPCNT and F16C.
const AVX2: u32 = 1 << 23 | 1 << 29;
/// Bits of the seventh leaf: BMI1, AVX2, BMI2.
const AVX2_SEVENTH: u32 = 1 << 3 | 1 << 5 | 1 << 8;
/// AVX-512 F, DQ, BW, VL.
const AVX512: u32 = 1 << 16 | 1 << 17 | 1 << 30 | 1 << 31;
/// A bit of the leaf 2^31 + 1: LZCNT.
const LZCNT: u32 = 1 << 5;
/// What the system saves: vectors of 256 bits; masks and vectors of 512 bits.
const YMM: u32 = 0x6;
const ZMM: u32 = 0xe6;

impl Bytes {
    fn set(&mut self, register: u8, value: u32) {
        self.code.push(0xb8 | register);
        self.code.extend(value.to_le_bytes());
    }

    fn copy(&mut self, to: u8, from: u8) {
        self.code.extend([0x40 | (from >> 3) << 2 | to >> 3, 0x89, 0xc0 | (from & 7) << 3 | to & 7]);
    }

    fn cpuid(&mut self, leaf: u32) {
        self.set(EAX, leaf);
        self.set(ECX, 0);
        self.code.extend([0x0f, 0xa2]);
    }

    /// An operation of `EAX` and a number: and, or compare.
    fn with_number(&mut self, code: u8, value: u32) {
        self.code.push(code);
        self.code.extend(value.to_le_bytes());
    }

    /// Jumps if the bits are not all there. Leaves `EAX` with some of the bits.
    fn unless_all(&mut self, register: u8, bits: u32) -> Jump {
        self.copy(EAX, register);
        self.with_number(0x25, bits);
        self.with_number(0x3d, bits);
        self.jump(0x85)
    }

    /// A conditional jump.
    fn jump(&mut self, condition: u8) -> Jump {
        self.code.extend([0x0f, condition, 0, 0, 0, 0]);
        Jump(self.code.len() - 4)
    }

    fn land(&mut self, jumps: Vec<Jump>) {
        for Jump(at) in jumps {
            let distance = (self.code.len() - at - 4) as u32;
            self.code[at..at + 4].copy_from_slice(&distance.to_le_bytes());
        }
    }

    /// The address of a function in `R10`.
    fn answer(&mut self, function: usize) {
        self.code.extend([0x4c, 0x8d, 0x15]);
        self.links.push((self.code.len(), function));
        self.code.extend([0; 4]);
    }
}

/// The code that returns the address of function 1, 2 or 3, for sse, avx2 and avx512, or of 0 where there is nothing to
/// run; and where four bytes wait for the distance to a function, with its number.
pub(super) fn resolver() -> (Vec<u8>, Vec<(usize, usize)>) {
    let mut b = Bytes::default();
    b.code.push(0x53); // push rbx
    b.answer(0);
    b.cpuid(0);
    b.with_number(0x3d, 7);
    let mut none = vec![b.jump(0x82)];
    b.cpuid(1);
    b.copy(FIRST, ECX);
    none.push(b.unless_all(FIRST, SSE));
    b.set(ECX, 0);
    b.code.extend([0x0f, 0x01, 0xd0]); // xgetbv
    b.copy(STATE, EAX);
    none.push(b.unless_all(STATE, YMM));
    b.answer(1);
    none.push(b.unless_all(FIRST, AVX2));
    b.cpuid(7);
    b.copy(SEVENTH, EBX);
    none.push(b.unless_all(SEVENTH, AVX2_SEVENTH));
    b.cpuid(0x8000_0001);
    none.push(b.unless_all(ECX, LZCNT));
    b.answer(2);
    none.push(b.unless_all(STATE, ZMM));
    none.push(b.unless_all(SEVENTH, AVX512));
    b.answer(3);
    b.land(none);
    b.code.extend([0x4c, 0x89, 0xd0, 0x5b, 0xc3]); // mov rax, r10; pop rbx; ret
    (b.code, b.links)
}

/// A function that returns a code.
pub(super) fn returns(code: i64) -> Vec<u8> {
    let mut b = Bytes::default();
    b.set(EAX, code as u32);
    b.code.push(0xc3);
    b.code
}
