//! Calls of random numbers. They say the key, the shape, the dtype, and what is drawn.

use crate::check::infer::Ctx;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::found::f64_origins::Cause;
use crate::check::infer::found::facts::{KeyUse, Subject};
use crate::check::infer::values::operand::{Operand, OperandForm};
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::check::setting;
use crate::constant::Const;
use crate::ir::NodeId;
use crate::ops::distributions::Distribution;
use crate::ops::draws::{self, RandomRange as Range};
use crate::ops::expand::Expand;
use crate::ops::threefry::{CounterWords, ORIGINAL_WORDS, RandomKey};
use crate::ops::{Draw, Form, Op, Role};
use crate::promotion::verdict;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim, Elem, Kind, Shape, shape};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// The arguments of a call.
pub(super) struct RandomCall {
    pub(in crate::check::infer) op: &'static Op,
    /// What numbers are drawn from. Nothing draws without one.
    pub(in crate::check::infer) key: RandomKey,
    /// `None` where none is given.
    pub(in crate::check::infer) shape: Option<Shape>,
    dtype: Option<(DType, Span)>,
    pub(in crate::check::infer) axis: Option<(i64, Span)>,
    pub(in crate::check::infer) flag: bool,
    /// What is put in order or chosen from.
    pub(super) elements: GivenValue,
    /// The other arguments, in the order of the row.
    pub(in crate::check::infer) values: Vec<Option<Operand>>,
    pub(in crate::check::infer) span: Span,
    pub(in crate::check::infer) at: Span,
}

/// The kinds of dtypes that something can be drawn in, in words.
const FLOATS: (&[Kind], &str) = (&[Kind::Float], "floats");
const INTEGERS: (&[Kind], &str) = (&[Kind::Signed, Kind::Unsigned], "integers");
const WORDS: (&[Kind], &str) = (&[Kind::Unsigned], "unsigned integers");

impl Ctx<'_> {
    pub(in crate::check) fn call_random(
        &mut self,
        op: &'static Op,
        draw: Draw,
        given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Value {
        let made = if draw == Draw::Key {
            self.random_key(given, span)
        } else {
            self.random_arguments(op, given, span, at).and_then(|asked| self.drawn(draw, asked))
        };
        made.unwrap_or(Value::Error)
    }

    fn drawn(&mut self, draw: Draw, asked: RandomCall) -> Option<Value> {
        match draw {
            Draw::Key => None,
            Draw::KeyData => {
                let key = self.graph.expand().key_of(asked.key.words);
                Some(self.computed_value(key, DType::U32.into(), asked.span))
            }
            Draw::Split => self.split(&asked),
            Draw::FoldIn => self.folded_in(&asked),
            Draw::Bits => self.random_bits(&asked),
            Draw::Uniform => self.uniform(&asked),
            Draw::Integers => self.random_integers(&asked),
            Draw::Bernoulli => self.bernoulli(&asked),
            Draw::Rademacher => self.rademacher(&asked),
            Draw::Distributed(distribution) => self.distributed(distribution, &asked),
            Draw::TruncatedNormal => self.truncated_normal(&asked),
            Draw::Permutation => self.permutation(&asked),
            Draw::Choice => self.choice(&asked),
            Draw::Categorical => self.categorical(&asked),
        }
    }

    fn random_arguments(
        &mut self,
        op: &'static Op,
        given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Option<RandomCall> {
        let (mut key, mut shape, mut dtype, mut values) = (None, None, None, Vec::new());
        let (mut axis, mut flag, mut elements) = (None, false, None);
        for (param, given) in op.params.iter().zip(given) {
            let given = given.filter(|(value, _)| param.default.is_none() || !matches!(value, Value::None));
            match (param.role, given) {
                (Role::Key, Some((value, key_at))) => key = Some(self.key_given(op, value, key_at)?),
                (Role::Shape, Some((value, shape_at))) => shape = Some(self.shape_given(value, shape_at)?),
                (Role::DType, Some((value, dtype_at))) => dtype = Some((self.dtype_of(&value, dtype_at)?, dtype_at)),
                (Role::Axis, Some((value, axis_at))) => axis = Some((self.whole(&value, axis_at, "an axis")?, axis_at)),
                (Role::Flag, Some((value, flag_at))) => flag = self.flag(param, value, flag_at)?,
                (Role::Flag, None) => flag = param.default == Some("true"),
                (Role::Elements, given) => elements = given,
                (Role::Key | Role::Shape | Role::DType | Role::Axis, None) => {}
                (_, Some((value, value_at))) => {
                    let operand = self.operand(value, value_at)?;
                    values.push(Some(operand));
                }
                (_, None) => values.push(None),
            }
        }
        Some(RandomCall { op, key: key?, shape, dtype, axis, flag, elements, values, span, at })
    }

    /// The words of a key.
    fn key_given(&mut self, op: &Op, value: Value, at: Span) -> Option<RandomKey> {
        let operand = self.operand(value, at)?;
        let is_key = operand.elem == Elem::Strong(DType::U32) && operand.shape == [Dim::Const(2)];
        let OperandForm::Node(node, _) = &operand.form else {
            self.error(report::not_a_key(&operand, self.text(at).to_owned().as_str()));
            return None;
        };
        if !is_key {
            self.error(report::not_a_key(&operand, self.text(at).to_owned().as_str()));
            return None;
        }
        // From a key that is folded in, or looked at, nothing is drawn.
        if !matches!(op.form, Form::Random(Draw::FoldIn | Draw::KeyData)) {
            let (key, origin) = (*node, operand.origin);
            self.found(Subject::Drawn(KeyUse { key, at, origin, stays: false, counter: None }));
        }
        let words = self.graph.expand().key_words(*node);
        let original = setting::RANDOM.is(&self.settings, "original");
        Some(RandomKey { words, counting: if original { CounterWords::Original } else { CounterWords::Partitionable } })
    }

    /// `random.key(7)`
    fn random_key(&mut self, given: Vec<GivenValue>, span: Span) -> Option<Value> {
        let (value, seed_at) = given.into_iter().next()??;
        let operand = self.operand(value, seed_at)?;
        if !is_integer(operand.elem) || !operand.shape.is_empty() {
            self.error(report::not_a_seed(&operand));
            return None;
        }
        let node = match operand.is_exact() {
            true => self.exact(&operand, DType::I64, None)?,
            false => self.node(&operand)?,
        };
        let short = self.settings.harden(Elem::WeakInt).bits() == 32;
        let mut e = self.graph.expand();
        let own = draws::unsigned(e.dtype(node));
        let word = e.bitcast(node, own);
        let high = if own == DType::U64 && !(short && operand.elem.is_weak()) {
            let half = e.integer(own, 32);
            let high = e.prim(Prim::Shr, &[word, half]);
            e.convert(high, DType::U32)
        } else {
            e.integer(DType::U32, 0)
        };
        let low = e.convert(node, DType::U32);
        let key = e.key_of((high, low));
        Some(self.computed_value(key, DType::U32.into(), span))
    }

    fn split(&mut self, asked: &RandomCall) -> Option<Value> {
        let shape = asked.shape.clone().unwrap_or_else(|| vec![Dim::Const(2)]);
        let whole = [shape.as_slice(), &[Dim::Const(2)]].concat();
        if !self.extent_fits(&whole, DType::U32, asked.span) {
            return None;
        }
        let keys = self.graph.expand().split_keys(asked.key, &shape);
        Some(self.computed_value(keys, DType::U32.into(), asked.span))
    }

    fn folded_in(&mut self, asked: &RandomCall) -> Option<Value> {
        let data = asked.values[0].as_ref()?;
        if !is_integer(data.elem) || !data.shape.is_empty() {
            self.error(report::not_a_seed(data));
            return None;
        }
        let node = match data.is_exact() {
            true => self.exact(data, DType::U32, None)?,
            false => self.node(data)?,
        };
        let mut e = self.graph.expand();
        let number = e.convert(node, DType::U32);
        let words = e.folded_key(asked.key.words, number);
        let key = e.key_of(words);
        Some(self.computed_value(key, DType::U32.into(), asked.span))
    }

    /// The dtype of what is drawn: the one that is given, if its kind is right, or another.
    fn drawn_dtype(&mut self, asked: &RandomCall, (kinds, words): (&[Kind], &str), default: DType) -> Option<DType> {
        let Some((dtype, dtype_at)) = asked.dtype else {
            self.born(default, Cause::Call, asked.span);
            return Some(default);
        };
        if !kinds.contains(&dtype.kind()) {
            self.error(report::not_drawn_in(asked.op, dtype, words, dtype_at));
            return None;
        }
        Some(dtype)
    }

    /// The shape of what is drawn, of which there can be as many.
    fn drawn_shape(&mut self, asked: &RandomCall, dtype: DType) -> Option<Shape> {
        let shape = asked.shape.clone().unwrap_or_default();
        if !self.extent_fits(&shape, dtype, asked.span) {
            return None;
        }
        // All words are counted in 32 bits.
        let words = shape::sizes(&shape).map(|sizes| sizes.iter().product::<usize>() * dtype.size().div_ceil(4));
        let original = asked.key.counting == CounterWords::Original;
        if original && words.is_some_and(|words| words > ORIGINAL_WORDS) {
            self.error(report::too_many_words(asked.op, asked.span));
            return None;
        }
        Some(shape)
    }

    fn floats(&mut self, asked: &RandomCall) -> Option<(DType, Shape)> {
        let default = self.settings.harden(Elem::WeakFloat);
        let dtype = self.drawn_dtype(asked, FLOATS, default)?;
        Some((dtype, self.drawn_shape(asked, dtype)?))
    }

    fn random_bits(&mut self, asked: &RandomCall) -> Option<Value> {
        let default = draws::unsigned(self.settings.harden(Elem::WeakInt));
        let dtype = self.drawn_dtype(asked, WORDS, default)?;
        let shape = self.drawn_shape(asked, dtype)?;
        let node = self.graph.expand().random_bits(asked.key, dtype, &shape);
        Some(self.computed_value(node, dtype.into(), asked.span))
    }

    /// A bound or a parameter of a distribution, in the dtype that is drawn. Where it is left out, a number takes its
    /// place.
    fn drawn_parameter(
        &mut self,
        asked: &RandomCall,
        place: usize,
        dtype: DType,
        shape: &Shape,
        default: f64,
    ) -> Option<NodeId> {
        let Some(operand) = asked.values.get(place).and_then(Option::as_ref) else {
            return Some(self.graph.expand().of(dtype, default));
        };
        if !self.fill_fits(asked.op, operand, shape, asked.at) {
            return None;
        }
        let OperandForm::Node(node, _) = operand.form else { return self.exact(operand, dtype, None) };
        if !operand.elem.is_weak() && !verdict::exact(self.graph.builder.dtype(node), dtype) {
            self.error(report::parameter_of_other_dtype(asked.op, operand, dtype));
            return None;
        }
        Some(self.graph.expand().convert(node, dtype))
    }

    fn uniform(&mut self, asked: &RandomCall) -> Option<Value> {
        let (dtype, shape) = self.floats(asked)?;
        let low = self.drawn_parameter(asked, 0, dtype, &shape, 0.0)?;
        let high = self.drawn_parameter(asked, 1, dtype, &shape, 1.0)?;
        let node = self.graph.expand().uniform(asked.key, dtype, &shape, (low, high));
        Some(self.computed_value(node, dtype.into(), asked.span))
    }

    fn distributed(&mut self, distribution: Distribution, asked: &RandomCall) -> Option<Value> {
        let complex = distribution == Distribution::Normal && asked.dtype.is_some_and(|(dtype, _)| dtype.is_complex());
        if !complex {
            let (dtype, shape) = self.floats(asked)?;
            let node = self.graph.expand().draw_from(asked.key, distribution, dtype, &shape);
            return Some(self.computed_value(node, dtype.into(), asked.span));
        }
        let (dtype, _) = asked.dtype?;
        let shape = self.drawn_shape(asked, dtype)?;
        let mut e = self.graph.expand();
        let (first, second) = e.split_key(asked.key);
        let root = e.of(dtype.part(), std::f64::consts::SQRT_2);
        let [re, im] = [first, second].map(|key| {
            let part = e.draw_from(key, distribution, dtype.part(), &shape);
            e.prim(Prim::Div, &[part, root])
        });
        let node = e.pair(re, im);
        Some(self.computed_value(node, dtype.into(), asked.span))
    }

    fn truncated_normal(&mut self, asked: &RandomCall) -> Option<Value> {
        let default = self.settings.harden(Elem::WeakFloat);
        let dtype = self.drawn_dtype(asked, FLOATS, default)?;
        if let Some((dtype, dtype_at)) = asked.dtype.filter(|(dtype, _)| dtype.is_small_float()) {
            self.error(report::not_drawn_in(asked.op, dtype, "f32 and f64", dtype_at));
            return None;
        }
        let shape = match (&asked.shape, asked.values.as_slice()) {
            (Some(shape), _) => shape.clone(),
            (None, [Some(low), Some(high)]) => match shape::broadcast(&low.shape, &high.shape) {
                Ok(joined) => joined,
                Err(_) => {
                    let wanted = low.shape.clone();
                    self.fill_fits(asked.op, high, &wanted, asked.at);
                    return None;
                }
            },
            (None, _) => return None,
        };
        if !self.extent_fits(&shape, dtype, asked.span) {
            return None;
        }
        let low = self.drawn_parameter(asked, 0, dtype, &shape, 0.0)?;
        let high = self.drawn_parameter(asked, 1, dtype, &shape, 0.0)?;
        let node = self.graph.expand().truncated_normal(asked.key, dtype, &shape, (low, high));
        Some(self.computed_value(node, dtype.into(), asked.span))
    }

    fn bernoulli(&mut self, asked: &RandomCall) -> Option<Value> {
        let p = asked.values[0].as_ref();
        if let Some(p) = p
            && !(p.elem.kind() == Kind::Float || p.is_exact() && p.elem.kind() == Kind::Signed)
        {
            self.error(report::not_a_probability(p));
            return None;
        }
        let dtype = self.settings.harden(p.map_or(Elem::WeakFloat, |p| match p.elem.kind() {
            Kind::Float => p.elem,
            Kind::Bool | Kind::Unsigned | Kind::Signed | Kind::Complex => Elem::WeakFloat,
        }));
        let own = || p.map(|p| p.shape.clone()).unwrap_or_default();
        let shape = asked.shape.clone().unwrap_or_else(own);
        if !self.extent_fits(&shape, dtype, asked.span) {
            return None;
        }
        let p = self.drawn_parameter(asked, 0, dtype, &shape, 0.5)?;
        let node = self.graph.expand().bernoulli(asked.key, dtype, &shape, p);
        Some(self.computed_value(node, DType::Bool.into(), asked.span))
    }

    fn rademacher(&mut self, asked: &RandomCall) -> Option<Value> {
        let default = self.settings.harden(Elem::WeakInt);
        let signed = (&[Kind::Signed, Kind::Float, Kind::Complex][..], "numbers with a sign");
        let dtype = self.drawn_dtype(asked, signed, default)?;
        let shape = self.drawn_shape(asked, dtype)?;
        let chance = self.settings.harden(Elem::WeakFloat);
        let mut e = self.graph.expand();
        let half = e.of(chance, 0.5);
        let up = e.bernoulli(asked.key, chance, &shape, half);
        let (one, other) = (e.of(dtype, 1.0), e.of(dtype, -1.0));
        let node = e.select(up, one, other);
        Some(self.computed_value(node, dtype.into(), asked.span))
    }
}

/// A bound of integers in the dtype that they are drawn in, and whether it lies above all of them.
struct RandomBound {
    node: NodeId,
    above: Option<NodeId>,
}

impl Ctx<'_> {
    fn random_integers(&mut self, asked: &RandomCall) -> Option<Value> {
        let default = self.settings.harden(Elem::WeakInt);
        let dtype = self.drawn_dtype(asked, INTEGERS, default)?;
        let shape = self.drawn_shape(asked, dtype)?;
        let (least, most) = ends(dtype);
        // Small integers are drawn as larger ones, among which the end of their span is.
        let small = dtype.bits() < 32;
        let drawn = if small { DType::I32 } else { dtype };
        let low = self.integer_bound(asked, 0, &shape, drawn, (least, most))?;
        let high = self.integer_bound(asked, 1, &shape, drawn, (least, most + i128::from(small)))?;
        let mut e = self.graph.expand();
        let span = span_of(&mut e, &low, &high);
        let node = e.random_integers(asked.key, &shape, span);
        let node = e.convert(node, dtype);
        Some(self.computed_value(node, dtype.into(), asked.span))
    }

    fn integer_bound(
        &mut self,
        asked: &RandomCall,
        place: usize,
        shape: &Shape,
        drawn: DType,
        (least, most): (i128, i128),
    ) -> Option<RandomBound> {
        let operand = asked.values[place].as_ref()?;
        if !is_integer(operand.elem) {
            self.error(report::not_an_integer_bound(asked.op, operand));
            return None;
        }
        if !self.fill_fits(asked.op, operand, shape, asked.at) {
            return None;
        }
        let ends_there = most == ends(drawn).1;
        if let Some(Const::Int(value)) = operand.constant() {
            let inside = value.clamp(&BigInt::from(least), &BigInt::from(most)).to_i128()?;
            let above = ends_there && *value > BigInt::from(most);
            let mut e = self.graph.expand();
            let (node, above) = (e.integer(drawn, inside), e.integer(DType::Bool, above.into()));
            return Some(RandomBound { node, above: Some(above) });
        }
        let node = self.node(operand)?;
        let mut e = self.graph.expand();
        let own = e.dtype(node);
        let (own_least, own_most) = ends(own);
        let above = (ends_there && own_most > most).then(|| {
            let end = e.integer(own, most);
            e.prim(Prim::Lt, &[end, node])
        });
        let (least, most) = (e.integer(own, least.max(own_least)), e.integer(own, most.min(own_most)));
        let clipped = e.prim(Prim::Max, &[node, least]);
        let clipped = e.prim(Prim::Min, &[clipped, most]);
        Some(RandomBound { node: e.convert(clipped, drawn), above })
    }
}

fn is_integer(elem: Elem) -> bool {
    elem.kind().is_integer()
}

/// The least and the greatest value of an integer dtype.
fn ends(dtype: DType) -> (i128, i128) {
    let bits = dtype.bits();
    match dtype.kind() {
        Kind::Signed => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        Kind::Bool | Kind::Unsigned | Kind::Float | Kind::Complex => (0, (1 << bits) - 1),
    }
}

/// How many integers there are between two bounds: one where there are none.
fn span_of(e: &mut Expand, low: &RandomBound, high: &RandomBound) -> Range {
    let word = draws::unsigned(e.dtype(low.node));
    let count = e.sub(high.node, low.node);
    let count = e.bitcast(count, word);
    let none = e.prim(Prim::Le, &[high.node, low.node]);
    let one = e.integer(word, 1);
    let Some(above) = high.above else {
        return Range { low: low.node, count: e.select(none, one, count), whole: false };
    };
    let more = e.convert(above, word);
    let count = e.add(count, more);
    Range { low: low.node, count: e.select(none, one, count), whole: true }
}
