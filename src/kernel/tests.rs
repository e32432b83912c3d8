//! Kernels that programs become, as text, beside kernels that are refused.

use super::fuse::fuse;
use super::{AxisWalk, Extent, Kernel, KernelSource, Sink, print, verify};
use crate::ir::build::ProgramBuilder;
use crate::ir::{Fold, NodeId, Program, ProgramOutput, Slice, View};
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim};

fn at(start: u64, step: i64) -> Slice {
    Slice { start: Dim::Const(start), step }
}

fn dims(shape: &[u64]) -> Vec<Dim> {
    shape.iter().map(|&len| Dim::Const(len)).collect()
}

fn program(build: impl Fn(&mut ProgramBuilder, NodeId) -> Vec<NodeId>) -> Program {
    let mut b = ProgramBuilder::default();
    let x = b.input("x", Span::default(), DType::F32, dims(&[10]));
    for node in build(&mut b, x) {
        b.output(ProgramOutput { name: None, node, span: Span::default(), weak: false });
    }
    b.finish()
}

fn text(build: impl Fn(&mut ProgramBuilder, NodeId) -> Vec<NodeId>) -> String {
    let program = program(build);
    let kernels = fuse(&program).unwrap();
    kernels.iter().for_each(|kernel| verify::kernel(&program, kernel).unwrap());
    print::kernels(&kernels)
}

#[test]
fn slices_compose_into_places() {
    let turned = text(|b, x| {
        let back = b.slice(x, &[at(9, -1)], dims(&[10]));
        let some = b.slice(back, &[at(1, 2)], dims(&[4]));
        let count = b.iota(0, dims(&[10]));
        let count = b.slice(count, &[at(3, 2)], dims(&[3]));
        let count = b.convert(count, DType::F32);
        let two = b.slice(count, &[at(2, 1)], dims(&[1]));
        vec![b.map(Prim::Add, &[some, two])]
    });
    let expected = "\
kernel [4]
  s0 = %0[8-2*i0]
  v0 : f32 = load s0
  v1 : i64 = const 7
  v2 : f32 = convert v1
  v3 : f32 = add v0 v2
  store v3 -> %7
";
    assert_eq!(turned, expected);
}

#[test]
fn parts_are_stored_where_they_belong() {
    let joined = text(|b, x| {
        let double = b.map(Prim::Add, &[x, x]);
        let square = b.map(Prim::Mul, &[x, x]);
        vec![b.concat(&[double, square], 0)]
    });
    assert!(joined.contains("store v1 -> %3[i0]\n  store v2 -> %3[10+i0]\n"), "{joined}");
    let updated = text(|b, x| {
        let sums = b.scan(Fold::Sum, x, 0);
        let one = b.constant(Scalar::of(1f32));
        let ones = b.broadcast(one, &dims(&[3]));
        vec![b.update(sums, &[at(8, -2)], ones)]
    });
    assert!(updated.contains("kernel [10] reduced 1\n") && updated.contains("scan sum v0 -> %1\n"), "{updated}");
    assert!(updated.contains("store v0 -> %4[8-2*i0] over %1\n"), "{updated}");
    let picked = text(|b, x| {
        let count = b.iota(0, dims(&[4]));
        let row = b.view(x, View::Reshape, dims(&[1, 10]));
        vec![b.gather(row, count, 1)]
    });
    assert!(picked.contains("gather %2 at v0 axis=1 -> %3\n"), "{picked}");
}

#[test]
fn costly_values_that_are_seen_twice_are_stored() {
    let differences = text(|b, x| {
        let exp = b.map(Prim::Exp, &[x]);
        let later = b.slice(exp, &[at(1, 1)], dims(&[9]));
        let earlier = b.slice(exp, &[at(0, 1)], dims(&[9]));
        vec![b.map(Prim::Sub, &[later, earlier])]
    });
    assert_eq!(differences.matches("= exp").count(), 1, "{differences}");
    assert_eq!(differences.matches("kernel").count(), 2, "{differences}");
    let halves = text(|b, x| {
        let exp = b.map(Prim::Exp, &[x]);
        vec![b.slice(exp, &[at(1, 1)], dims(&[4]))]
    });
    assert_eq!(halves.matches("kernel [4]").count(), 1, "{halves}");
}

#[test]
fn a_slice_read_after_an_update_is_taken_before() {
    let total = text(|b, x| {
        let sums = b.scan(Fold::Sum, x, 0);
        let first = b.slice(sums, &[at(0, 1)], dims(&[1]));
        let one = b.constant(Scalar::of(1f32));
        let ones = b.broadcast(one, &dims(&[1]));
        let changed = b.update(sums, &[at(0, 1)], ones);
        let second = b.slice(changed, &[at(1, 1)], dims(&[1]));
        let again = b.update(changed, &[at(1, 1)], first);
        let total = b.map(Prim::Add, &[first, second]);
        vec![total, again]
    });
    assert!(total.contains("over %1") && total.matches("over").count() == 2, "{total}");
    assert!(total.contains("store v0 -> %2\n"), "{total}");
}

#[test]
fn broken_kernels_are_refused() {
    let sums = program(|b, x| {
        let back = b.slice(x, &[at(9, -1)], dims(&[10]));
        let more = b.map(Prim::Add, &[x, back]);
        vec![b.scan(Fold::Sum, more, 0), more]
    });
    let good = fuse(&sums).unwrap().remove(0);
    verify::kernel(&sums, &good).unwrap();
    let refused = |break_it: &dyn Fn(&mut Kernel)| {
        let mut kernel = good.clone();
        break_it(&mut kernel);
        verify::kernel(&sums, &kernel).unwrap_err()
    };
    let place = |source: usize, place: AxisWalk| {
        move |kernel: &mut Kernel| {
            let KernelSource::Array { walk, .. } = &mut kernel.sources[source] else { panic!("an array") };
            walk[0] = place;
        }
    };
    assert_eq!(refused(&place(1, AxisWalk { axis: Some(0), start: 10, step: -1 })), "s1: places along axis 0 exist");
    assert_eq!(refused(&place(0, AxisWalk { axis: Some(0), start: 1, step: 1 })), "s0: places along axis 0 exist");
    assert_eq!(
        refused(&place(0, AxisWalk { axis: Some(1), start: 0, step: 1 })),
        "s0: an axis of the space is walked once"
    );
    let sink = |wanted: fn(&Sink) -> bool, change: fn(&mut Sink)| {
        move |kernel: &mut Kernel| kernel.sinks.iter_mut().filter(|sink| wanted(sink)).for_each(change)
    };
    let store = |sink: &Sink| matches!(sink, Sink::Store { .. });
    let half = sink(store, |sink| {
        let Sink::Store { walk, .. } = sink else { return };
        walk[0] = AxisWalk::fixed(0);
    });
    assert_eq!(refused(&half), "%2 is walked along the space");
    let over = sink(store, |sink| {
        let Sink::Store { extent, .. } = sink else { return };
        *extent = Extent::Over(NodeId(99));
    });
    assert_eq!(refused(&over), "%2 is like what it is stored over");
    let unreduced = |kernel: &mut Kernel| kernel.reduced = 0;
    assert_eq!(refused(&unreduced), "some axes are reduced");
}
