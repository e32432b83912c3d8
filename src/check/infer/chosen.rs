//! Masks and integer arrays between brackets: what they mean elsewhere, and the code that does it here.
//!
//! How many elements a mask keeps only the data decides, so a selection is written with `where`, and what is made of it
//! with the whole array: `x[m].sum()` is `sum(where(m, x, 0))`. Elements at positions are `take`.

use super::Ctx;
use super::assign::Update;
use super::operand::Operand;
use super::value::Value;
use crate::check::report::{self, WrittenCode};
use crate::ops::elsewhere::is_atom;
use crate::source::Span;
use crate::syntax::ast::{Arg, ExprKind, Index};
use crate::types::{DType, Elem, Kind};

/// What is done with the elements that an index chooses.
#[derive(Clone, Copy)]
pub(in crate::check) enum Purpose<'v> {
    Read,
    /// The update, the expression, and its value.
    Assign(Update, Span, &'v Operand),
}

/// An index with arrays in it.
struct Chosen<'a> {
    operand: &'a Operand,
    base: Span,
    index: &'a [Index],
    /// The arrays with their places in the index.
    arrays: Vec<(usize, Operand)>,
    /// All of it: `x[m]`.
    span: Span,
}

impl Ctx<'_> {
    /// Reports an index that has arrays in it; answers whether it has.
    pub(in crate::check) fn chosen(
        &mut self,
        operand: &Operand,
        base: Span,
        index: &[Index],
        values: &[Value],
        span: Span,
        purpose: Purpose,
    ) -> bool {
        let mut arrays = Vec::new();
        for (place, (item, value)) in index.iter().zip(values).enumerate() {
            let Index::At(id) = item else { continue };
            if !matches!(value, Value::Literal(_) | Value::Computed(_)) {
                continue;
            }
            let at = self.frame.script.expr(*id).span;
            let Some(array) = self.operand(value.clone(), at) else { return true };
            let sorts = matches!(array.elem.kind(), Kind::Bool | Kind::Unsigned | Kind::Signed);
            if !array.shape.is_empty() && sorts {
                arrays.push((place, array));
            }
        }
        let Some((_, first)) = arrays.first() else { return false };
        let first = first.clone();
        let chosen = Chosen { operand, base, index, arrays, span };
        let masks = chosen.arrays.iter().filter(|(_, array)| is_mask(array)).count();
        let text = self.text(first.span).to_owned();
        let name = self.text(base).to_owned();
        let diagnostic = match (masks, chosen.arrays.len()) {
            (0, _) => {
                let code = self.taken_code(&chosen, purpose);
                report::array_index(&first, &text, code)
            }
            (1, 1) => {
                let mask = self.mask_over(&chosen);
                let code = mask.as_ref().and_then(|mask| self.masked_code(&chosen, mask, purpose));
                let full = first.shape.len() == operand.shape.len();
                report::mask_index(&first, &name, mask.as_deref(), full, code)
            }
            _ => report::mask_index(&first, &name, None, false, None),
        };
        self.error(diagnostic);
        true
    }

    /// A text as one operand.
    fn atom(&self, span: Span) -> String {
        let text = self.text(span);
        if is_atom(text) { text.to_owned() } else { format!("({text})") }
    }

    /// The mask with as many axes behind as it takes to lie over the array; `None` beside other indices.
    fn mask_over(&self, chosen: &Chosen) -> Option<String> {
        let (place, mask) = &chosen.arrays[0];
        let whole = |item: &Index| matches!(item, Index::Slice(None, None, None, _));
        let others = chosen.index.iter().enumerate().filter(|(at, _)| at != place);
        if !others.into_iter().all(|(_, item)| whole(item)) {
            return None;
        }
        let behind = chosen.operand.shape.len().checked_sub(place + mask.shape.len())?;
        let all = if mask.shape.len() == 1 { ":" } else { "..." };
        Some(match behind {
            0 => self.text(mask.span).to_owned(),
            _ => format!("{}[{all}, {}]", self.atom(mask.span), vec!["None"; behind].join(", ")),
        })
    }

    fn masked_code(&mut self, chosen: &Chosen, mask: &str, purpose: Purpose) -> Option<WrittenCode> {
        let name = self.text(chosen.base);
        match purpose {
            Purpose::Assign(update, value, given) => {
                let new = match update.op {
                    None => self.text(value).to_owned(),
                    Some(op) => format!("{name} {} {}", op.notation, self.atom(value)),
                };
                let variable = self.frame.scope.find(name).is_some_and(|binding| binding.mutable);
                let word = if variable { "" } else { "let " };
                Some(WrittenCode {
                    text: format!("{word}{name} = where({mask}, {new}, {name})"),
                    place: update.span,
                    exact: given.shape.is_empty() && variable,
                    note: if given.shape.is_empty() { "" } else { "the value has the shape of the whole array then" },
                })
            }
            Purpose::Read => self.reduced_code(chosen, mask),
        }
    }

    /// `x[m].mean()`, `mean(x[m])`: the reduction of what a mask keeps.
    fn reduced_code(&mut self, chosen: &Chosen, mask: &str) -> Option<WrittenCode> {
        let Chosen { operand, base, arrays, .. } = chosen;
        let (function, rest, place) = self.use_of(chosen.span)?;
        let (function, name) = (function.as_str(), self.text(*base));
        let full = arrays[0].1.shape.len() == operand.shape.len();
        let axis = match rest.as_slice() {
            [] => None,
            [Arg { name: keyword, value }] if keyword.as_ref().is_none_or(|name| name.text == "axis") => {
                Some(self.text(self.frame.script.expr(*value).span))
            }
            _ => return None,
        };
        let along = match (axis, full) {
            // What a mask of all axes keeps has one axis.
            (None | Some("0" | "-1"), true) => String::new(),
            (Some(axis), false) if axis == arrays[0].0.to_string() => format!(", axis={axis}"),
            (None, false) if !matches!(function, "mean" | "size") => String::new(),
            _ => return None,
        };
        let own = self.text(arrays[0].1.span);
        let of = |instead: &str| format!("{function}(where({mask}, {name}, {instead}){along})");
        let number = matches!(operand.elem.kind(), Kind::Unsigned | Kind::Signed | Kind::Float);
        let ends = self.settings.harden(operand.elem).integer_range();
        let text = match function {
            "sum" | "norm" | "count_nonzero" if number => of("0"),
            "prod" if number => of("1"),
            "mean" if number => format!("sum(where({mask}, {name}, 0){along}) / count_nonzero({own})"),
            "min" if number => of(&ends.map_or("inf".to_owned(), |(_, high)| high.to_string())),
            "max" if number => of(&ends.map_or("-inf".to_owned(), |(low, _)| low.to_string())),
            "any" => of("false"),
            "all" => of("true"),
            "size" | "len" => format!("count_nonzero({own})"),
            _ => return None,
        };
        Some(WrittenCode { text, place, exact: true, note: "" })
    }

    /// `x[:, [0, 2]]` as `take(x, [0, 2], axis=1)`, `x[i, j]` as positions in `ravel(x)`.
    fn taken_code(&self, chosen: &Chosen, purpose: Purpose) -> Option<WrittenCode> {
        let Chosen { operand, base, index, arrays, span } = chosen;
        let name = self.text(*base);
        if let Purpose::Assign(update, value, given) = purpose {
            let [(0, positions)] = arrays.as_slice() else { return None };
            let new = match update.op {
                None => self.text(value).to_owned(),
                Some(_) => return None,
            };
            if operand.shape.len() != 1 || !given.shape.is_empty() || positions.shape.len() != 1 {
                return None;
            }
            let variable = self.frame.scope.find(name).is_some_and(|binding| binding.mutable);
            let word = if variable { "" } else { "let " };
            let at = self.text(positions.span);
            let hit = format!("any(arange({name}.shape[0])[:, None] == {at}, axis=1)");
            let text = format!("{word}{name} = where({hit}, {new}, {name})");
            return Some(WrittenCode {
                text,
                place: update.span,
                exact: false,
                note: "for positions that count from 0",
            });
        }
        let whole = |item: &Index| matches!(item, Index::Slice(None, None, None, _) | Index::Ellipsis(_));
        if let [(place, positions)] = arrays.as_slice() {
            let others = index.iter().enumerate().filter(|(at, _)| at != place);
            if !others.into_iter().all(|(_, item)| whole(item)) {
                return self.sliced_and_taken(chosen);
            }
            let dots = index[..*place].iter().any(|item| matches!(item, Index::Ellipsis(_)));
            let axis = if dots { operand.shape.len() - (index.len() - place) } else { *place };
            let text = format!("take({name}, {}, axis={axis})", self.text(positions.span));
            return Some(WrittenCode { text, place: *span, exact: true, note: "" });
        }
        if arrays.len() != operand.shape.len() || arrays.len() != index.len() {
            return None;
        }
        // Points: the place of each in the flat array.
        let array = self.atom(*base);
        let mut at = self.atom(arrays[0].1.span);
        for (axis, (_, positions)) in arrays.iter().enumerate().skip(1) {
            let inner = if axis > 1 { format!("({at})") } else { at };
            at = format!("{inner}*{array}.shape[{axis}] + {}", self.atom(positions.span));
        }
        let text = format!("take(ravel({name}), {at})");
        Some(WrittenCode { text, place: *span, exact: false, note: "for positions that count from 0" })
    }

    /// `x[1:, [0, 2]]`: what the others select, then `take`.
    fn sliced_and_taken(&self, chosen: &Chosen) -> Option<WrittenCode> {
        let Chosen { base, index, arrays, span, .. } = chosen;
        let [(place, positions)] = arrays.as_slice() else { return None };
        let single = |at: usize| matches!(index[at], Index::At(_));
        let singles: Vec<usize> = (0..index.len()).filter(|&at| at != *place && single(at)).collect();
        let kept = |at: &usize| !singles.contains(at) && !matches!(index[*at], Index::Ellipsis(_));
        // Where a single index stands apart from the array, NumPy puts the axes elsewhere.
        let beside = singles
            .iter()
            .all(|&at| (at.min(*place)..at.max(*place)).all(|between| between == *place || single(between)));
        if !beside || index.iter().any(|item| matches!(item, Index::Ellipsis(_) | Index::NewAxis(_))) {
            return None;
        }
        let axis = (0..*place).filter(kept).count();
        let text = |item: &Index| match item {
            Index::At(id) => self.text(self.frame.script.expr(*id).span).to_owned(),
            Index::Slice(.., at) => self.text(*at).to_owned(),
            Index::Ellipsis(_) => "...".to_owned(),
            Index::NewAxis(_) => "None".to_owned(),
        };
        let mut items: Vec<String> = index.iter().map(text).collect();
        items[*place] = ":".to_owned();
        while items.last().is_some_and(|item| item == ":") {
            items.pop();
        }
        let part = format!("{}[{}]", self.text(*base), items.join(", "));
        let text = format!("take({part}, {}, axis={axis})", self.text(positions.span));
        Some(WrittenCode { text, place: *span, exact: true, note: "" })
    }
}

impl<'a> Ctx<'a> {
    /// The function whose first argument an expression is, its other arguments, and all of the call.
    fn use_of(&mut self, span: Span) -> Option<(String, Vec<&'a Arg>, Span)> {
        let id = *self.uses().of.get(&span)?;
        let script = self.frame.script;
        let expr = script.expr(id);
        let (name, skipped, args) = match &expr.kind {
            ExprKind::Attribute(_, name) if name.text == "size" => ("size", 0, &[][..]),
            ExprKind::Call(callee, args) => match &script.expr(*callee).kind {
                ExprKind::Attribute(base, name) if self.place(*base) == span => {
                    (name.text.as_str(), 0, args.as_slice())
                }
                ExprKind::Attribute(base, name) if self.qualified(*base, &name.text).is_some() => {
                    (name.text.as_str(), 1, args.as_slice())
                }
                ExprKind::Name(name) => (name.as_str(), 1, args.as_slice()),
                _ => return None,
            },
            _ => return None,
        };
        Some((ours(name).to_owned(), args.iter().skip(skipped).collect(), expr.span))
    }
}

fn is_mask(array: &Operand) -> bool {
    array.elem == Elem::Strong(DType::Bool)
}

/// Our name of a function.
fn ours(name: &str) -> &str {
    crate::ops::find(name).map_or(name, |op| op.name)
}
