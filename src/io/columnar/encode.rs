//! Arrays as columns of a table in Parquet or Arrow IPC: those of one length under their names, one of rank 2 as
//! several.
//!
//! Dates, moments and words are written as what they mean. Dtypes that the formats lack are refused.

use crate::array::Array;
use crate::array::logical::Logical;
use crate::io::encode::table::{extent, fits as fits_in_table};
use crate::io::encode::{NamedArray, NumberStyle};
use crate::locks::lock;
use crate::types::dtype::DType;
use ::parquet::arrow::ArrowWriter;
use ::parquet::basic::Compression;
use ::parquet::file::properties::WriterProperties;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, DictionaryArray, Int32Array, RecordBatch, StringArray,
    TimestampMicrosecondArray, make_array,
};
use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_ipc::writer::FileWriter;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// The most rows that are written at once.
const MAX_ROWS: usize = 256 << 10;

pub(in crate::io) fn fits(arrays: &[NamedArray<'_>]) -> Result<(), String> {
    fits_in_table(arrays)?;
    let columns = columns(arrays);
    let is_known = |at: usize, name: &str| columns[..at].iter().any(|other| other.name == name);
    if let Some((at, TableColumn { name, .. })) =
        columns.iter().enumerate().find(|(at, column)| is_known(*at, &column.name))
    {
        return Err(format!("columns {at} and another have the name `{name}`"));
    }
    for NamedArray { name, array } in arrays {
        if type_of(array).is_none() {
            return Err(format!("`{name}` is {}, which the format lacks", array.dtype()));
        }
        let days = || (0..array.len()).map(|at| whole(array, at));
        if array.logical() == Some(&Logical::Date) && days().any(|day| i32::try_from(day).is_err()) {
            return Err(format!("`{name}` has a date beyond those of the format"));
        }
    }
    Ok(())
}

/// The type of the format for an array.
fn type_of(array: &Array) -> Option<DataType> {
    Some(match (array.logical(), array.dtype()) {
        (Some(Logical::Words(_)), _) => DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
        (Some(Logical::Date), _) => DataType::Date32,
        (Some(Logical::Time), _) => DataType::Timestamp(arrow_schema::TimeUnit::Microsecond, None),
        (None, DType::Bool) => DataType::Boolean,
        (None, DType::I8) => DataType::Int8,
        (None, DType::I16) => DataType::Int16,
        (None, DType::I32) => DataType::Int32,
        (None, DType::I64) => DataType::Int64,
        (None, DType::U8) => DataType::UInt8,
        (None, DType::U16) => DataType::UInt16,
        (None, DType::U32) => DataType::UInt32,
        (None, DType::U64) => DataType::UInt64,
        (None, DType::F16) => DataType::Float16,
        (None, DType::F32) => DataType::Float32,
        (None, DType::F64) => DataType::Float64,
        (None, _) => return None,
    })
}

/// A column of the table.
struct TableColumn<'a> {
    name: String,
    array: &'a Array,
    /// Which column of the array it is.
    at: usize,
    /// How many columns the array has.
    count: usize,
}

fn columns<'a>(arrays: &[NamedArray<'a>]) -> Vec<TableColumn<'a>> {
    let each = arrays.iter().flat_map(|it| {
        let (_, count) = extent(it).unwrap_or((0, 0));
        let name = move |at: usize| {
            if it.array.shape().len() == 2 { format!("{}_{}", it.name, at + 1) } else { it.name.to_owned() }
        };
        (0..count).map(move |at| TableColumn { name: name(at), array: it.array, at, count })
    });
    each.collect()
}

/// The rows of a table, piece by piece.
fn batches(arrays: &[NamedArray<'_>], mut each: impl FnMut(RecordBatch) -> io::Result<()>) -> io::Result<()> {
    let (schema, columns) = (schema(arrays)?, columns(arrays));
    let rows = columns.first().map_or(0, |column| column.array.len() / column.count.max(1));
    for first in (0..rows).step_by(MAX_ROWS) {
        let part = first..rows.min(first + MAX_ROWS);
        let parts = columns
            .iter()
            .map(|&TableColumn { array, at, count, .. }| values(array, part.clone().map(|row| row * count + at)));
        each(RecordBatch::try_new(schema.clone(), parts.collect::<io::Result<_>>()?).map_err(io::Error::other)?)?;
    }
    Ok(())
}

fn schema(arrays: &[NamedArray<'_>]) -> io::Result<SchemaRef> {
    let fields = columns(arrays).into_iter().map(|TableColumn { name, array, .. }| {
        let kind = type_of(array).ok_or_else(|| io::Error::other("a dtype that the format lacks"))?;
        Ok(Field::new(name, kind, false))
    });
    Ok(Arc::new(Schema::new(fields.collect::<io::Result<Vec<_>>>()?)))
}

/// Elements of an array as the library has them.
fn values(array: &Array, places: impl ExactSizeIterator<Item = usize> + Clone) -> io::Result<ArrayRef> {
    let number = |at| whole(array, at);
    Ok(match (array.logical(), array.dtype()) {
        (Some(Logical::Words(words)), _) => {
            let codes = Int32Array::from_iter_values(places.map(|at| number(at) as i32));
            let words = StringArray::from_iter_values(words);
            Arc::new(DictionaryArray::try_new(codes, Arc::new(words)).map_err(io::Error::other)?)
        }
        (Some(Logical::Date), _) => Arc::new(Date32Array::from_iter_values(places.map(|at| number(at) as i32))),
        (Some(Logical::Time), _) => Arc::new(TimestampMicrosecondArray::from_iter_values(places.map(number))),
        (None, DType::Bool) => Arc::new(BooleanArray::from_iter(places.map(|at| Some(array.get(at).bits != 0)))),
        (None, dtype) => {
            let len = places.len();
            let mut bytes = Vec::with_capacity(len * dtype.size());
            places.for_each(|at| bytes.extend_from_slice(&array.get(at).bits.to_le_bytes()[..dtype.size()]));
            let kind = type_of(array).ok_or_else(|| io::Error::other("a dtype that the format lacks"))?;
            let data = ArrayData::builder(kind).len(len).add_buffer(Buffer::from_slice_ref(&bytes));
            make_array(data.align_buffers(true).build().map_err(io::Error::other)?)
        }
    })
}

/// An integer of an array that means something else.
fn whole(array: &Array, at: usize) -> i64 {
    let unused = 64 - 8 * array.dtype().size().min(8) as u32;
    ((array.get(at).bits as u64) << unused) as i64 >> unused
}

/// A table in Parquet, its pages packed by Snappy.
pub(in crate::io) fn write_parquet(arrays: &[NamedArray<'_>], _: NumberStyle, out: &mut dyn Write) -> io::Result<()> {
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    // The library writes to what may go to another thread: what it has written is passed on after each piece.
    let written = SharedBytes::default();
    let pass_on = |out: &mut dyn Write| {
        let bytes = std::mem::take(&mut *lock(&written.0));
        out.write_all(&bytes)
    };
    let writer = ArrowWriter::try_new(written.clone(), schema(arrays)?, Some(properties));
    let mut writer = writer.map_err(io::Error::other)?;
    batches(arrays, |batch| {
        writer.write(&batch).map_err(io::Error::other)?;
        pass_on(out)
    })?;
    writer.close().map_err(io::Error::other)?;
    pass_on(out)
}

/// What was written and is not yet passed on.
#[derive(Clone, Default)]
struct SharedBytes(Arc<Mutex<Vec<u8>>>);

impl Write for SharedBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        lock(&self.0).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A table as a file of Arrow IPC, its buffers as they are.
pub(in crate::io) fn write_arrow(arrays: &[NamedArray<'_>], _: NumberStyle, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = FileWriter::try_new(out, &*schema(arrays)?).map_err(io::Error::other)?;
    batches(arrays, |batch| writer.write(&batch).map_err(io::Error::other))?;
    writer.finish().map_err(io::Error::other)
}
