//! The parameters of a function, of which there may be thousands.

use super::writer::CodeWriter;
use cranelift_codegen::ir::{StackSlot, Value};

/// Parameters up to which each is a value wherever it is used.
const MAX_PARAM_VALUES: usize = 64;

const WORD: usize = 8;

/// Where a description says the lengths of an array.
const SHAPE: i32 = 8;

/// Parameters. Many lie in a table on the stack: the time to compile grows with the square of the values that live
/// through many blocks.
pub(super) enum Parameters {
    Values(Vec<Value>),
    Table(StackSlot),
}

impl Parameters {
    /// The parameters of a function that begins.
    pub(super) fn new(w: &mut CodeWriter, params: &[Value]) -> Parameters {
        if params.len() <= MAX_PARAM_VALUES {
            return Parameters::Values(params.to_vec());
        }
        let slot = w.stack(WORD * params.len());
        let table = w.stack_address(slot);
        for (number, &param) in params.iter().enumerate() {
            w.store(param, table, (WORD * number) as i32);
        }
        Parameters::Table(slot)
    }

    /// The parameter with this number.
    pub(super) fn get(&self, w: &mut CodeWriter, number: usize) -> Value {
        match self {
            Parameters::Values(values) => values[number],
            Parameters::Table(slot) => {
                let table = w.stack_address(*slot);
                w.load(table, (WORD * number) as i32)
            }
        }
    }
}

/// The lengths of inputs: of few inputs, all are read at once.
pub(super) struct LengthParams<'p> {
    params: &'p Parameters,
    read: Vec<Vec<Value>>,
}

impl<'p> LengthParams<'p> {
    /// The lengths of inputs with these ranks.
    pub(super) fn new(
        w: &mut CodeWriter,
        params: &'p Parameters,
        ranks: impl Iterator<Item = usize>,
    ) -> LengthParams<'p> {
        let mut read = Vec::new();
        if let Parameters::Values(values) = params {
            for (&param, rank) in values.iter().zip(ranks) {
                let shape = w.load(param, SHAPE);
                let lengths: Vec<Value> = (0..rank).map(|axis| w.load(shape, (WORD * axis) as i32)).collect();
                read.push(lengths);
            }
        }
        LengthParams { params, read }
    }

    /// The length of an axis of an input.
    pub(super) fn of(&self, w: &mut CodeWriter, input: usize, axis: usize) -> Value {
        if let Some(lengths) = self.read.get(input) {
            return lengths[axis];
        }
        let param = self.params.get(w, input);
        let shape = w.load(param, SHAPE);
        w.load(shape, (WORD * axis) as i32)
    }
}
