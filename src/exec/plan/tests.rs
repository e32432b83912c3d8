//! Plans, without memory. They decide what they should, and broken ones are found.

use super::build::{ShortLoops, build, kernels};
use super::{Origin, Plan, PlanStep, Storage, verify};
use crate::ir::build::ProgramBuilder;
use crate::ir::{Fold, NodeId, ProgramOutput, Slice, View};
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim};

fn dims(sizes: &[u64]) -> Vec<Dim> {
    sizes.iter().map(|&size| Dim::Const(size)).collect()
}

/// The plan of a program over one input `x`.
fn plan(shape: &[u64], write: impl Fn(&mut ProgramBuilder, NodeId) -> NodeId) -> Plan {
    let mut b = ProgramBuilder::default();
    let x = b.input("x", Span::default(), DType::F32, dims(shape));
    let node = write(&mut b, x);
    b.output(ProgramOutput { name: None, node, span: Span::default(), weak: false });
    let program = b.finish();
    let plan = build(&program, &kernels(&program).ok().unwrap(), &[], ShortLoops::Interpreted);
    verify::plan(&plan).unwrap();
    plan
}

fn doubled(b: &mut ProgramBuilder, x: NodeId) -> NodeId {
    let two = b.constant(Scalar::of(2f32));
    b.map(Prim::Mul, &[x, two])
}

#[test]
fn a_map_is_one_loop_over_one_buffer() {
    let text = plan(&[4, 1000], doubled).to_string();
    let expected = "in0 = f32[4, 1000] [4000, 4]\n\
                    b0 = f32[4, 1000], 16000 bytes\n\
                    allocate b0\n\
                    map 4000, 56 ps an element\n  \
                    s0 : f32 = in0 [4]\n  \
                    v2 : f32 -> b0 [4]\n\
                    give b0 f32[4, 1000]\n";
    assert_eq!(text, expected);
}

#[test]
fn a_turned_input_is_read_where_it_is() {
    let turned = plan(&[30, 40], |b, x| {
        let turned = b.view(x, View::Transpose(vec![1, 0]), dims(&[40, 30]));
        b.view(turned, View::Reshape, dims(&[1200]))
    });
    // No strides show a turned array as one axis, so it is copied.
    assert_eq!(turned.buffers.len(), 1);
    let seen = plan(&[30, 40], |b, x| b.view(x, View::Reshape, dims(&[1200])));
    assert!(seen.steps.is_empty() && seen.outputs[0].storage == Storage::Input(0));
}

#[test]
fn a_result_takes_the_place_of_an_operand_that_dies() {
    let plan = plan(&[3000], |b, x| {
        let sums = b.scan(Fold::Sum, x, 0);
        let most = b.fold(Fold::Max, sums, &[0]);
        b.map(Prim::Sub, &[sums, most])
    });
    assert_eq!(plan.buffers.len(), 2);
    assert!(plan.to_string().contains("where it is read -> b0"));
}

#[test]
fn a_buffer_lives_until_its_last_reader() {
    let plan = plan(&[5000], |b, x| {
        let exp = b.map(Prim::Exp, &[x]);
        let most = b.fold(Fold::Max, exp, &[0]);
        let less = b.map(Prim::Sub, &[exp, most]);
        b.fold(Fold::Sum, less, &[0])
    });
    let last = plan.steps.iter().rposition(|step| matches!(step, PlanStep::Run(_))).unwrap();
    let released = plan.steps.iter().filter(|step| matches!(step, PlanStep::Release(_))).count();
    assert_eq!(released, plan.buffers.len() - 1);
    assert!(plan.steps[last + 1..].iter().all(|step| matches!(step, PlanStep::Release(_))));
}

#[test]
fn broken_plans_are_found() {
    let fresh = || {
        plan(&[100], |b, x| {
            let sums = b.scan(Fold::Sum, x, 0);
            let changed = b.slice(sums, &[Slice { start: Dim::Const(0), step: 1 }], dims(&[50]));
            let more = doubled(b, changed);
            b.update(sums, &[Slice { start: Dim::Const(50), step: 1 }], more)
        })
    };
    let broken = |change: &dyn Fn(&mut Plan)| {
        let mut plan = fresh();
        change(&mut plan);
        verify::plan(&plan).unwrap_err()
    };
    assert!(broken(&|plan| drop(plan.steps.remove(0))).contains("no memory"));
    assert!(broken(&|plan| plan.steps.insert(1, PlanStep::Allocate(0))).contains("twice"));
    assert!(broken(&|plan| plan.steps.push(PlanStep::Release(0))).contains("was not made"));
    let origin = |operand: usize, to: isize| {
        move |plan: &mut Plan| {
            let Some(PlanStep::Run(nest)) = plan.steps.last_mut() else { panic!("the last step runs loops") };
            let Origin::At { offset, .. } = &mut nest.origins[operand] else { panic!("it lies in memory") };
            *offset = to;
        }
    };
    assert!(broken(&origin(0, -4)).contains("leaves its storage"));
    assert!(broken(&origin(0, 100)).contains("overwritten"));
}

/// The base of an array whose inside and then edges are stored is not made where it is stored over.
#[test]
fn what_is_stored_over_is_not_made() {
    let part = |start: u64, len: u64| (Slice { start: Dim::Const(start), step: 1 }, len);
    let plan = plan(&[101, 101], |b, x| {
        let mut store = |base: NodeId, to: [(Slice, u64); 2], from: Option<[(Slice, u64); 2]>| {
            let [rows, columns] = &to;
            let shape = dims(&[rows.1, columns.1]);
            let value = match from {
                Some([rows, columns]) => b.view(base, View::Slice([rows.0, columns.0].into()), shape),
                None => {
                    let inside = b.view(x, View::Slice([rows.0.clone(), columns.0.clone()].into()), shape);
                    doubled(b, inside)
                }
            };
            let [rows, columns] = to;
            b.update(base, &[rows.0, columns.0], value)
        };
        let all = || part(0, 101);
        let inside = store(x, [part(1, 99), part(1, 99)], None);
        let right = store(inside, [all(), part(100, 1)], Some([all(), part(99, 1)]));
        let top = store(right, [part(0, 1), all()], Some([part(1, 1), all()]));
        let left = store(top, [all(), part(0, 1)], Some([all(), part(1, 1)]));
        store(left, [part(100, 1), all()], Some([part(99, 1), all()]))
    });
    let spaces = plan.steps.iter().filter_map(|step| match step {
        PlanStep::Run(nest) => Some(nest.loops.space.to_vec()),
        _ => None,
    });
    let elements: Vec<usize> = spaces.map(|space| space.iter().product()).collect();
    assert_eq!(elements, [99 * 99, 99, 100, 100, 101]);
}
