//! Products of matrices as code, in the one order. Each element begins as 0 and takes the products one after the other.
//!
//! A tile of the result stays in registers while the products go by: four rows by two vectors, or by one column where
//! no vectors are left; the last rows go one by one.

use crate::exec::jit::object::refusal::BuildRefusal;
use crate::exec::jit::object::scalars::scalar_type;
use crate::exec::jit::object::writer::{CodeWriter, ReturnedValue, helper};
use crate::types::{DType, Kind};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_module::FuncId;

const ROWS: i64 = 4;
const VECTORS: i64 = 2;
const REGISTER: i64 = 16;

/// The factors and the result of a product.
struct ProductCode {
    dtype: DType,
    left: Value,
    right: Value,
    out: Value,
    rows: Value,
    products: Value,
    columns: Value,
}

fn function(
    w: &mut CodeWriter,
    name: String,
    dtype: DType,
    write: impl FnOnce(&mut CodeWriter, &ProductCode) -> Result<(), BuildRefusal>,
) -> Result<FuncId, BuildRefusal> {
    helper(w.object, name, (6, ReturnedValue::Nothing), |w, params| {
        let [left, right, out, rows, products, columns] = *params else { unreachable!("it has six parameters") };
        write(w, &ProductCode { dtype, left, right, out, rows, products, columns })?;
        w.b.ins().return_(&[]);
        Ok(())
    })
}

/// `(left, right, out, rows, products, columns)`: matrices in C order.
pub(super) fn product(w: &mut CodeWriter, dtype: DType) -> Result<FuncId, BuildRefusal> {
    function(w, format!("product {dtype}"), dtype, |w, product| {
        let zero = w.int(0);
        let most = w.plus(product.rows, 1 - ROWS);
        let turn = w.begin_loop(zero, most);
        product.rows_of(w, turn.at, ROWS)?;
        let (done, next) = (turn.at, w.plus(turn.at, ROWS));
        w.end_loop(turn, next);
        w.through(done, product.rows, 1, |w, row| product.rows_of(w, row, 1))
    })
}

/// `(left, right, out, rows, products, columns)`: which elements of the product an integer dtype holds.
pub(super) fn fits(w: &mut CodeWriter, dtype: DType) -> Result<FuncId, BuildRefusal> {
    function(w, format!("fits {dtype}"), dtype, |w, product| {
        w.each(product.rows, |w, row| w.each(product.columns, |w, column| product.fits(w, row, column)))
    })
}

impl ProductCode {
    fn size(&self) -> i64 {
        self.dtype.size() as i64
    }

    /// The address of an element of a matrix that has `columns` columns.
    fn at(&self, w: &mut CodeWriter, base: Value, (row, column): (Value, Value), columns: Value, size: i64) -> Value {
        let before = w.mul(row, columns);
        let index = w.add(before, column);
        let distance = w.times(index, size);
        w.add(base, distance)
    }

    /// Writes some rows of the result.
    fn rows_of(&self, w: &mut CodeWriter, row: Value, rows: i64) -> Result<(), BuildRefusal> {
        let lane = scalar_type(self.dtype);
        let mut first = w.int(0);
        if self.dtype.is_float() {
            let lanes = REGISTER / self.size();
            let vector = lane.by(lanes as u32).expect("there are such vectors");
            let most = w.plus(self.columns, 1 - VECTORS * lanes);
            let turn = w.begin_loop(first, most);
            self.tile(w, (row, turn.at), rows, (vector, VECTORS));
            first = turn.at;
            let next = w.plus(turn.at, VECTORS * lanes);
            w.end_loop(turn, next);
        }
        w.through(first, self.columns, 1, |w, column| {
            self.tile(w, (row, column), rows, (lane, 1));
            Ok(())
        })
    }

    /// Writes one tile.
    fn tile(&self, w: &mut CodeWriter, (row, column): (Value, Value), rows: i64, (ty, across): (Type, i64)) {
        let (flags, lane) = (MemFlagsData::new().with_notrap(), scalar_type(self.dtype));
        let zero = w.int(0);
        let start = self.at(w, self.left, (row, zero), self.products, self.size());
        let line = w.times(self.products, self.size());
        let right_row = w.times(self.columns, self.size());
        let right = self.at(w, self.right, (zero, column), self.columns, self.size());
        let (head, inside, done) = (w.b.create_block(), w.b.create_block(), w.b.create_block());
        let [count, left_at, right_at] = [(); 3].map(|()| w.b.append_block_param(head, types::I64));
        let sums: Vec<Value> = (0..rows * across).map(|_| w.b.append_block_param(head, ty)).collect();
        let nothing = nothing(w, ty);
        let mut arguments = vec![BlockArg::from(self.products), start.into(), right.into()];
        arguments.extend(sums.iter().map(|_| BlockArg::from(nothing)));
        w.b.ins().jump(head, &arguments);
        w.b.switch_to_block(head);
        let more = w.is(count, IntCC::SignedGreaterThan, 0);
        w.b.ins().brif(more, inside, &[], done, &[]);
        w.b.switch_to_block(inside);
        let factors: Vec<Value> =
            (0..across).map(|at| w.b.ins().load(ty, flags, right_at, (at * REGISTER) as i32)).collect();
        let (mut next, mut place) = (Vec::new(), left_at);
        for row in 0..rows as usize {
            let own = w.b.ins().load(lane, flags, place, 0);
            let own = if ty == lane { own } else { w.b.ins().splat(ty, own) };
            for (at, &factor) in factors.iter().enumerate() {
                next.push(self.step(w, own, factor, sums[row * factors.len() + at]));
            }
            place = w.add(place, line);
        }
        let (count, left_at, right_at) = (w.plus(count, -1), w.plus(left_at, self.size()), w.add(right_at, right_row));
        let mut arguments = vec![BlockArg::from(count), left_at.into(), right_at.into()];
        arguments.extend(next.into_iter().map(BlockArg::from));
        w.b.ins().jump(head, &arguments);
        w.b.switch_to_block(done);
        let mut to = self.at(w, self.out, (row, column), self.columns, self.size());
        for sums in sums.chunks(across as usize) {
            for (at, &sum) in sums.iter().enumerate() {
                w.b.ins().store(flags, sum, to, (at as i64 * REGISTER) as i32);
            }
            to = w.add(to, right_row);
        }
    }

    /// `x * y + sum`, rounded once.
    fn step(&self, w: &mut CodeWriter, x: Value, y: Value, sum: Value) -> Value {
        match self.dtype.kind() {
            Kind::Float | Kind::Complex => w.b.ins().fma(x, y, sum),
            Kind::Bool => {
                let both = w.b.ins().band(x, y);
                w.b.ins().bor(sum, both)
            }
            Kind::Signed | Kind::Unsigned => {
                let product = w.b.ins().imul(x, y);
                w.b.ins().iadd(sum, product)
            }
        }
    }

    /// Writes whether the exact sum of an element, in three words of 64 bits, is a number of the dtype.
    fn fits(&self, w: &mut CodeWriter, row: Value, column: Value) -> Result<(), BuildRefusal> {
        let zero = w.int(0);
        let sums: Vec<_> = (0..3).map(|_| w.b.declare_var(types::I64)).collect();
        sums.iter().for_each(|&sum| w.b.def_var(sum, zero));
        let signed = self.dtype.kind() == Kind::Signed;
        w.each(self.products, |w, at| {
            let x = self.at(w, self.left, (row, at), self.products, self.size());
            let y = self.at(w, self.right, (at, column), self.columns, self.size());
            let [x, y] = [x, y].map(|place| self.integer(w, place));
            let low = w.mul(x, y);
            let high = if signed { w.b.ins().smulhi(x, y) } else { w.b.ins().umulhi(x, y) };
            let top = if signed { w.b.ins().sshr_imm_u(high, 63) } else { zero };
            let mut carry = zero;
            for (&sum, own) in sums.iter().zip([low, high, top]) {
                let known = w.b.use_var(sum);
                let more = w.add(known, own);
                let over = w.b.ins().icmp(IntCC::UnsignedLessThan, more, own);
                let total = w.add(more, carry);
                let again = w.b.ins().icmp(IntCC::UnsignedLessThan, total, carry);
                let either = w.b.ins().bor(over, again);
                carry = w.b.ins().uextend(types::I64, either);
                w.b.def_var(sum, total);
            }
            Ok::<(), BuildRefusal>(())
        })?;
        let [low, middle, high] = [0, 1, 2].map(|at| w.b.use_var(sums[at]));
        let (least, most) = self.dtype.integer_range().unwrap_or_default();
        let sign = if signed { w.b.ins().sshr_imm_u(low, 63) } else { zero };
        let [first, second] = [middle, high].map(|word| w.b.ins().icmp(IntCC::Equal, word, sign));
        let (least, most) = (w.int(least as i64), w.int(most as i64));
        let (above, below) = match signed {
            true => (IntCC::SignedGreaterThanOrEqual, IntCC::SignedLessThanOrEqual),
            false => (IntCC::UnsignedGreaterThanOrEqual, IntCC::UnsignedLessThanOrEqual),
        };
        let (above, below) = (w.b.ins().icmp(above, low, least), w.b.ins().icmp(below, low, most));
        let holds = [second, above, below].into_iter().fold(first, |all, one| w.b.ins().band(all, one));
        let to = self.at(w, self.out, (row, column), self.columns, 1);
        w.b.ins().store(MemFlagsData::new().with_notrap(), holds, to, 0);
        Ok(())
    }

    /// The integer at an address, with 64 bits.
    fn integer(&self, w: &mut CodeWriter, from: Value) -> Value {
        let ty = scalar_type(self.dtype);
        let value = w.b.ins().load(ty, MemFlagsData::new().with_notrap(), from, 0);
        match self.dtype.kind() {
            _ if ty == types::I64 => value,
            Kind::Signed => w.b.ins().sextend(types::I64, value),
            Kind::Bool | Kind::Unsigned | Kind::Float | Kind::Complex => w.b.ins().uextend(types::I64, value),
        }
    }
}

/// Zeros.
fn nothing(w: &mut CodeWriter, ty: Type) -> Value {
    match ty.lane_type() {
        types::F32 | types::F64 => {
            let zero = if ty.lane_type() == types::F32 { w.b.ins().f32const(0.0) } else { w.b.ins().f64const(0.0) };
            if ty.is_vector() { w.b.ins().splat(ty, zero) } else { zero }
        }
        _ => w.b.ins().iconst(ty, 0),
    }
}
