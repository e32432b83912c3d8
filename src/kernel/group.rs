//! Groups of values that share a loop.

use super::fusion::Fusion;
use crate::hash::QuickMap;
use crate::ir::{Fold, NodeId, NodeKind};

/// Values that share a loop.
pub(super) struct Group {
    /// The lengths of the space and, for each of its axes, the axis of the values' shape.
    pub(super) space: Vec<usize>,
    pub(super) order: Vec<usize>,
    pub(super) reduced: usize,
    pub(super) tasks: Vec<RootTask>,
}

/// A value and what becomes of it.
pub(super) struct RootTask {
    /// The node that is made.
    pub(super) node: NodeId,
    pub(super) value: NodeId,
    pub(super) work: Work,
}

/// What becomes of a value.
pub(super) enum Work {
    /// The value is the node itself, and is stored.
    Make,
    /// The value is stored in a part of the node: start and step along each axis.
    Part {
        region: Vec<(isize, isize)>,
        /// The array in memory that the other elements come from.
        over: Option<NodeId>,
    },
    Fold(Fold),
    Scan(Fold),
    /// The value holds positions along an axis of an array.
    Gather {
        arg: NodeId,
        axis: usize,
    },
}

impl Fusion<'_> {
    /// The tasks of all roots, each with its level, in an order in which they can run.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is stored as it is computed")]
    pub(super) fn tasks(&self) -> Vec<(u32, RootTask)> {
        let mut tasks = Vec::new();
        for index in (0..self.program.nodes.len()).filter(|&index| self.root[index] && self.needed[index]) {
            let node = NodeId(index as u32);
            let level = self.level[index];
            let part = |value: NodeId, region: Vec<(isize, isize)>, over| RootTask {
                node,
                value,
                work: Work::Part { region, over },
            };
            match &self.node(node).kind {
                NodeKind::Fold { fold, arg, .. } if !self.is_short(node) => {
                    tasks.push((level, RootTask { node, value: *arg, work: Work::Fold(*fold) }));
                }
                NodeKind::Scan { fold, arg, .. } => {
                    tasks.push((level, RootTask { node, value: *arg, work: Work::Scan(*fold) }));
                }
                NodeKind::Gather { arg, index, axis } => {
                    let work = Work::Gather { arg: *arg, axis: *axis as usize };
                    tasks.push((level, RootTask { node, value: *index, work }));
                }
                NodeKind::Concat { parts, axis } => {
                    let mut at = 0;
                    for &value in parts {
                        let mut region = vec![(0, 1); self.sizes[index].len()];
                        region[*axis as usize].0 = at;
                        at += self.sizes[value.index()][*axis as usize] as isize;
                        tasks.push((level, part(value, region, None)));
                    }
                }
                NodeKind::Update { base, region, value } => {
                    let over = self.is_written_over(*base).then_some(*base);
                    if over.is_none() {
                        tasks.push((self.ready(*base), part(*base, vec![(0, 1); region.len()], None)));
                    }
                    // An empty slice has no start; any number does.
                    let place = |slice: &crate::ir::Slice| (slice.position(0).unwrap_or(0), slice.step as isize);
                    tasks.push((level, part(*value, region.iter().map(place).collect(), over)));
                }
                // This node is a view of an array that is stored.
                NodeKind::View { .. }
                    if !self.materialised[index] && self.root[self.program.below_views(node).index()] => {}
                _ => tasks.push((level, RootTask { node, value: node, work: Work::Make })),
            }
        }
        tasks
    }

    /// The tasks in the order of their levels. Tasks that can share a loop are one group.
    pub(super) fn groups(&self) -> Vec<Group> {
        type Key<'k> = (u32, &'k [usize], Vec<usize>, usize);
        let mut reducing: QuickMap<Key, usize> = QuickMap::default();
        // The groups over a space in plain order, which stores may join.
        let mut plain: QuickMap<(u32, &[usize], bool), usize> = QuickMap::default();
        let mut groups: Vec<(u32, bool, Group)> = Vec::new();
        let (reductions, others): (Vec<_>, Vec<_>) =
            self.tasks().into_iter().partition(|(_, task)| matches!(task.work, Work::Fold(_) | Work::Scan(_)));
        for (level, task) in reductions {
            let sizes: &[usize] = &self.sizes[task.value.index()];
            let kind = &self.node(task.node).kind;
            let axes = if let NodeKind::Fold { axes, .. } = kind {
                axes.clone()
            } else if let NodeKind::Scan { axis, .. } = kind {
                vec![*axis]
            } else {
                Vec::new()
            };
            let (kept, reduced): (Vec<usize>, Vec<usize>) =
                (0..sizes.len()).partition(|&axis| !axes.contains(&(axis as u32)));
            let order: Vec<usize> = kept.iter().chain(&reduced).copied().collect();
            let in_order = order.is_sorted() && !reduced.is_empty();
            let group = *reducing.entry((level, sizes, order.clone(), reduced.len())).or_insert_with(|| {
                let mut space: Vec<usize> = order.iter().map(|&axis| sizes[axis]).collect();
                // A fold over no axes reduces one element at a time.
                if reduced.is_empty() {
                    space.push(1);
                }
                let group = Group { space, order, reduced: reduced.len().max(1), tasks: Vec::new() };
                groups.push((level, false, group));
                groups.len() - 1
            });
            if in_order {
                plain.entry((level, sizes, false)).or_insert(group);
            }
            groups[group].2.tasks.push(task);
        }
        for (level, task) in others {
            let sizes: &[usize] = &self.sizes[task.value.index()];
            let gathers = matches!(task.work, Work::Gather { .. });
            let over = matches!(task.work, Work::Part { over: Some(_), .. });
            let mut fresh = || {
                let order = (0..sizes.len()).collect();
                groups.push((level, over, Group { space: sizes.to_vec(), order, reduced: 0, tasks: Vec::new() }));
                groups.len() - 1
            };
            // A task that writes over an array stays alone and comes last: others may still read that array.
            let group = if over { fresh() } else { *plain.entry((level, sizes, gathers)).or_insert_with(fresh) };
            groups[group].2.tasks.push(task);
        }
        groups.sort_by_key(|(level, over, _)| (*level, *over));
        groups.into_iter().map(|(.., group)| group).collect()
    }

    /// Materialises costly clusters that several groups would compute, that a larger space would repeat, or that are
    /// seen at several places. Clusters that divide are materialised too if many rows would repeat them. Users are
    /// visited before their operands. Each node knows whether no group needs it yet, one group does, or several do.
    pub(super) fn materialise_shared_costs(&mut self) -> bool {
        #[derive(Clone, Copy, PartialEq)]
        enum UserCount {
            None,
            One(u32),
            Several,
        }
        fn join(a: UserCount, b: UserCount) -> UserCount {
            match (a, b) {
                (UserCount::None, x) | (x, UserCount::None) => x,
                (UserCount::One(a), UserCount::One(b)) if a == b => UserCount::One(a),
                _ => UserCount::Several,
            }
        }
        let groups = self.groups();
        let costly = self.clusters_with(Fusion::is_costly);
        let divides = self.clusters_with(Fusion::divides);
        // Whether many rows compute the same elements of a node again.
        let mut in_rows = vec![false; self.program.nodes.len()];
        let mut users = vec![UserCount::None; self.program.nodes.len()];
        for (number, group) in groups.iter().enumerate() {
            for task in &group.tasks {
                if matches!(task.work, Work::Make) || !self.is_source(task.value) {
                    let users = &mut users[task.value.index()];
                    *users = join(*users, UserCount::One(number as u32));
                }
            }
        }
        let mut fresh = groups.len() as u32;
        let mut changed = false;
        for index in (0..self.program.nodes.len()).rev() {
            let id = NodeId(index as u32);
            if !self.needed[index] || users[index] == UserCount::None || !self.is_fused(id) {
                continue;
            }
            let computed = matches!(self.node(id).kind, NodeKind::Map(..)) || self.is_short(id);
            let again = users[index] == UserCount::Several && costly[index] || in_rows[index] && divides[index];
            if computed && !self.materialised[index] && again {
                self.materialised[index] = true;
                self.root[index] = true;
                changed = true;
                users[index] = UserCount::One(fresh);
                in_rows[index] = false;
                fresh += 1;
            }
            for arg in self.inside(id) {
                let mine = match users[index] {
                    _ if self.repeats(id, arg) => UserCount::Several,
                    UserCount::One(_) if self.moves(id) => {
                        fresh += 1;
                        UserCount::One(fresh)
                    }
                    same @ (UserCount::None | UserCount::One(_) | UserCount::Several) => same,
                };
                users[arg.index()] = join(users[arg.index()], mine);
                in_rows[arg.index()] |= in_rows[index] || self.repeats_in_rows(id, arg);
            }
        }
        changed
    }
}
