//! The casts that a fix writes, with those to wider integers: none may give fewer values than what it converts came to
//! have since.

use crate::check::record::TypedTree;
use crate::diagnostic::{Edit, Fix, fix};
use crate::promotion::verdict;
use crate::syntax::ast::{ExprId, ExprKind, Script};
use crate::types::DType;
use std::collections::HashMap;

/// A cast that no fix may make lose values.
#[derive(Clone, Debug)]
pub(super) struct WrittenCast {
    /// Where it begins.
    at: usize,
    to: DType,
    /// The dtypes that it was written for.
    meant: Vec<DType>,
}

/// The casts of a script to other integers of as many bits or more, whoever wrote them; and those of fixes that convert
/// other dtypes. So a second run judges as the first one did.
pub(super) fn standing(casts: &[WrittenCast], script: &Script, record: &TypedTree) -> Vec<WrittenCast> {
    let found = script.exprs.iter().filter_map(|expr| {
        let ExprKind::Call(callee, args) = &expr.kind else { return None };
        let ([arg], ExprKind::Name(name)) = (args.as_slice(), &script.expr(*callee).kind) else { return None };
        let to = name.parse::<DType>().ok().filter(|to| to.is_integer())?;
        Some((expr.span.range().start, to, arg.value))
    });
    let found: Vec<(usize, DType, ExprId)> = found.collect();
    let converted: Vec<Option<ExprId>> = found.iter().map(|(.., arg)| Some(*arg)).collect();
    let is_as_wide = |own: &DType, to: DType| own.is_integer() && own.bits() <= to.bits();
    let own = found.into_iter().zip(dtypes(record, &converted)).filter_map(|((at, to, _), meant)| {
        let is_kept = meant.iter().any(|own| *own != to) && meant.iter().all(|own| is_as_wide(own, to));
        is_kept.then_some(WrittenCast { at, to, meant })
    });
    let is_of_integers = |cast: &WrittenCast| cast.to.is_integer() && cast.meant.iter().all(|own| own.is_integer());
    own.chain(casts.iter().filter(|cast| !is_of_integers(cast)).cloned()).collect()
}

/// The casts after these fixes, by their places in the new text: those that were there, and the new ones.
pub(super) fn after(
    casts: &[WrittenCast],
    fixes: &[&Fix],
    (script, record): (&Script, &TypedTree),
) -> Vec<WrittenCast> {
    let edits = fix::in_order(fixes);
    // How far the text behind the first edits moves, by their number.
    let mut shifts = vec![0_isize];
    for edit in &edits {
        let longer = edit.text.len() as isize - edit.span.range().len() as isize;
        shifts.push(shifts[shifts.len() - 1] + longer);
    }
    let moved = |at: usize, before: usize| at.saturating_add_signed(shifts[before]);
    let kept = casts.iter().map(|cast| {
        let before = edits.partition_point(|edit| edit.span.range().end <= cast.at);
        WrittenCast { at: moved(cast.at, before), ..cast.clone() }
    });
    let mut all: Vec<WrittenCast> = kept.collect();
    let numbers: HashMap<*const Edit, usize> =
        edits.iter().enumerate().map(|(number, edit)| (std::ptr::from_ref(*edit), number)).collect();
    let of_fixes = fixes.iter().flat_map(|fix| fix.edits.windows(2));
    let new: Vec<(&Edit, DType, (u32, u32))> = of_fixes
        .filter_map(|pair| {
            let [open, close] = pair else { return None };
            let to = open.text.strip_suffix('(')?.parse::<DType>().ok().filter(|_| close.text == ")")?;
            Some((open, to, (open.span.end, close.span.start)))
        })
        .collect();
    let places: Vec<(u32, u32)> = new.iter().map(|(.., place)| *place).collect();
    for ((open, to, _), meant) in new.iter().zip(dtypes(record, &found_at(script, &places))) {
        let before = numbers.get(&std::ptr::from_ref(*open)).copied().unwrap_or(0);
        let at = moved(open.span.range().start, before);
        all.push(WrittenCast { at, to: *to, meant });
    }
    all
}

/// Whether one of the casts loses values of a dtype that it was not written for.
pub(super) fn lose(casts: &[WrittenCast], script: &Script, record: &TypedTree) -> bool {
    if casts.is_empty() {
        return false;
    }
    let starts: HashMap<usize, usize> = casts.iter().enumerate().map(|(index, cast)| (cast.at, index)).collect();
    let mut converted = vec![None; casts.len()];
    for expr in &script.exprs {
        let ExprKind::Call(callee, args) = &expr.kind else { continue };
        let (Some(&index), [arg]) = (starts.get(&expr.span.range().start), args.as_slice()) else { continue };
        if matches!(&script.expr(*callee).kind, ExprKind::Name(name) if name == casts[index].to.name()) {
            converted[index] = Some(arg.value);
        }
    }
    let keeps = |cast: &WrittenCast, own: DType| verdict::exact(own, cast.to) || cast.meant.contains(&own);
    casts.iter().zip(dtypes(record, &converted)).any(|(cast, own)| own.into_iter().any(|own| !keeps(cast, own)))
}

/// The expressions that stand at places. The arena is in the order of their ends.
fn found_at(script: &Script, places: &[(u32, u32)]) -> Vec<Option<ExprId>> {
    let found = places.iter().map(|&(start, end)| {
        let first = script.exprs.partition_point(|expr| expr.span.end < end);
        let mut ending = (first..script.exprs.len()).take_while(|&at| script.exprs[at].span.end == end);
        ending.find(|&at| script.exprs[at].span.start == start).map(|at| ExprId(at as u32))
    });
    found.collect()
}

/// The dtypes that each of some expressions has: in a function one for each call. What is exact has none yet.
fn dtypes(record: &TypedTree, ids: &[Option<ExprId>]) -> Vec<Vec<DType>> {
    let mut found = vec![Vec::new(); ids.len()];
    let mut wanted: HashMap<ExprId, Vec<usize>> = HashMap::new();
    for (index, id) in ids.iter().enumerate() {
        if let Some(id) = id {
            wanted.entry(*id).or_default().push(index);
        }
    }
    if wanted.is_empty() {
        return found;
    }
    for typed in record.types().filter(|typed| !typed.exact) {
        for &index in wanted.get(&typed.id).into_iter().flatten() {
            if !found[index].contains(&typed.dtype) {
                found[index].push(typed.dtype);
            }
        }
    }
    found
}
