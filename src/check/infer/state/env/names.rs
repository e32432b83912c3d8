//! Names in order, with what they stand for: a balanced tree whose copies share what they have in common.
//!
//! A session keeps its names as they were before each of the last inputs, so that these can be undone. A copy costs
//! nothing, and an input that defines a name makes as many new nodes as the tree is deep. What two states differ in is
//! found without looking at what they share. None of it grows with how many names there are.
//!
//! The tree is an AVL tree: beside every node the depths differ by one at most.

use std::cmp::Ordering;
use std::sync::Arc;

/// A map from names to values.
#[derive(Debug)]
pub(super) struct Names<V> {
    root: MapLink<V>,
}

type MapLink<V> = Option<Arc<NameNode<V>>>;

#[derive(Debug)]
struct NameNode<V> {
    entry: Arc<(String, V)>,
    depth: u8,
    left: MapLink<V>,
    right: MapLink<V>,
}

impl<V> Clone for NameNode<V> {
    fn clone(&self) -> NameNode<V> {
        let NameNode { entry, depth, left, right } = self;
        NameNode { entry: entry.clone(), depth: *depth, left: left.clone(), right: right.clone() }
    }
}

impl<V> Clone for Names<V> {
    fn clone(&self) -> Names<V> {
        Names { root: self.root.clone() }
    }
}

impl<V> Default for Names<V> {
    fn default() -> Names<V> {
        Names { root: None }
    }
}

impl<V> Names<V> {
    /// What a name stands for.
    pub(super) fn get(&self, name: &str) -> Option<&V> {
        let mut link = &self.root;
        while let Some(node) = link {
            link = match name.cmp(&node.entry.0) {
                Ordering::Less => &node.left,
                Ordering::Greater => &node.right,
                Ordering::Equal => return Some(&node.entry.1),
            };
        }
        None
    }

    /// Gives a name its value.
    pub(super) fn set(&mut self, name: &str, value: V) {
        insert(&mut self.root, Arc::new((name.to_owned(), value)));
    }

    /// Forgets a name.
    pub(super) fn remove(&mut self, name: &str) {
        if self.get(name).is_some() {
            remove(&mut self.root, name);
        }
    }

    /// All names with their values, in alphabetical order, from a name on.
    pub(super) fn from<'a>(&'a self, first: &str) -> impl Iterator<Item = (&'a str, &'a V)> {
        let (mut open, mut link) = (Vec::new(), &self.root);
        while let Some(node) = link {
            link = if node.entry.0.as_str() < first {
                &node.right
            } else {
                open.push(node);
                &node.left
            };
        }
        std::iter::from_fn(move || {
            let node = open.pop()?;
            let mut link = &node.right;
            while let Some(next) = link {
                open.push(next);
                link = &next.left;
            }
            Some((node.entry.0.as_str(), &node.entry.1))
        })
    }

    /// The entries that another map has not, or not as they are here.
    pub(super) fn differences<'a>(&'a self, other: &'a Names<V>) -> Vec<(&'a str, &'a V)> {
        let mut found = Vec::new();
        // What is left of both, in order. Where both begin with the same part it is skipped.
        let (mut ours, mut theirs) = (vec![MapNode::Tree(&self.root)], vec![MapNode::Tree(&other.root)]);
        while let Some(&first) = ours.last() {
            match (first, theirs.last().copied()) {
                (MapNode::Tree(None), _) => drop(ours.pop()),
                (_, Some(MapNode::Tree(None))) => drop(theirs.pop()),
                (MapNode::Tree(Some(a)), Some(MapNode::Tree(Some(b)))) if Arc::ptr_eq(a, b) => {
                    ours.pop();
                    theirs.pop();
                }
                (MapNode::Tree(Some(a)), Some(MapNode::Tree(Some(b)))) => {
                    if a.depth >= b.depth {
                        open(&mut ours, a);
                    }
                    if b.depth >= a.depth {
                        open(&mut theirs, b);
                    }
                }
                (MapNode::Tree(Some(a)), _) => open(&mut ours, a),
                (MapNode::Entry(_), Some(MapNode::Tree(Some(b)))) => open(&mut theirs, b),
                (MapNode::Entry(a), last) => {
                    let order = match last {
                        Some(MapNode::Entry(b)) => b.0.cmp(&a.0),
                        _ => Ordering::Greater,
                    };
                    let same = matches!(last, Some(MapNode::Entry(b)) if Arc::ptr_eq(a, b));
                    if order.is_le() {
                        theirs.pop();
                    }
                    if order.is_ge() {
                        ours.pop();
                    }
                    if order.is_ge() && !same {
                        found.push((a.0.as_str(), &a.1));
                    }
                }
            }
        }
        found
    }
}

/// A piece of a map: some of its entries in order, or one.
enum MapNode<'a, V> {
    Tree(&'a MapLink<V>),
    Entry(&'a Arc<(String, V)>),
}

impl<V> Clone for MapNode<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for MapNode<'_, V> {}

/// Puts the parts of the tree at the end of a list in its place, the first last.
fn open<'a, V>(parts: &mut Vec<MapNode<'a, V>>, node: &'a NameNode<V>) {
    parts.pop();
    parts.extend([MapNode::Tree(&node.right), MapNode::Entry(&node.entry), MapNode::Tree(&node.left)]);
}

fn depth<V>(link: Option<&Arc<NameNode<V>>>) -> u8 {
    link.map_or(0, |node| node.depth)
}

/// How much deeper the left side is.
fn lean<V>(node: &NameNode<V>) -> i16 {
    i16::from(depth(node.left.as_ref())) - i16::from(depth(node.right.as_ref()))
}

fn insert<V>(link: &mut MapLink<V>, entry: Arc<(String, V)>) {
    let Some(node) = link else {
        *link = Some(Arc::new(NameNode { entry, depth: 1, left: None, right: None }));
        return;
    };
    let node = Arc::make_mut(node);
    match entry.0.cmp(&node.entry.0) {
        Ordering::Less => insert(&mut node.left, entry),
        Ordering::Greater => insert(&mut node.right, entry),
        Ordering::Equal => node.entry = entry,
    }
    balance(node);
}

/// Takes out a name that is there.
fn remove<V>(link: &mut MapLink<V>, name: &str) {
    let Some(node) = link else { return };
    let node = Arc::make_mut(node);
    match name.cmp(&node.entry.0) {
        Ordering::Less => remove(&mut node.left, name),
        Ordering::Greater => remove(&mut node.right, name),
        Ordering::Equal => match (node.left.take(), node.right.take()) {
            (left, None) => {
                *link = left;
                return;
            }
            (left, mut right) => {
                node.entry = first(&mut right).expect("it has nodes");
                (node.left, node.right) = (left, right);
            }
        },
    }
    balance(node);
}

/// Takes out the first entry.
fn first<V>(link: &mut MapLink<V>) -> Option<Arc<(String, V)>> {
    let node = Arc::make_mut(link.as_mut()?);
    if let Some(found) = first(&mut node.left) {
        balance(node);
        return Some(found);
    }
    let entry = node.entry.clone();
    *link = node.right.take();
    Some(entry)
}

/// Makes the depths beside a node differ by one at most again, where they differ by two, and counts its own.
fn balance<V>(node: &mut NameNode<V>) {
    match lean(node) {
        2.. => {
            let left = Arc::make_mut(node.left.as_mut().expect("it is the deeper side"));
            if lean(left) < 0 {
                turn_left(left);
            }
            turn_right(node);
        }
        ..=-2 => {
            let right = Arc::make_mut(node.right.as_mut().expect("it is the deeper side"));
            if lean(right) > 0 {
                turn_right(right);
            }
            turn_left(node);
        }
        _ => measure(node),
    }
}

fn measure<V>(node: &mut NameNode<V>) {
    node.depth = 1 + depth(node.left.as_ref()).max(depth(node.right.as_ref()));
}

/// The left child takes the place of its parent.
fn turn_right<V>(node: &mut NameNode<V>) {
    let mut left = node.left.take().expect("it is the deeper side");
    let child = Arc::make_mut(&mut left);
    node.left = child.right.take();
    std::mem::swap(node, child);
    measure(child);
    node.right = Some(left);
    measure(node);
}

/// The right child takes the place of its parent.
fn turn_left<V>(node: &mut NameNode<V>) {
    let mut right = node.right.take().expect("it is the deeper side");
    let child = Arc::make_mut(&mut right);
    node.right = child.left.take();
    std::mem::swap(node, child);
    measure(child);
    node.left = Some(right);
    measure(node);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn sound<V>(link: Option<&Arc<NameNode<V>>>) {
        let Some(node) = link else { return };
        assert!(lean(node).abs() <= 1);
        assert_eq!(node.depth, 1 + depth(node.left.as_ref()).max(depth(node.right.as_ref())));
        sound(node.left.as_ref());
        sound(node.right.as_ref());
    }

    #[test]
    fn it_is_a_map_in_order_and_copies_do_not_change_with_it() {
        let (mut names, mut model) = (Names::default(), BTreeMap::new());
        let mut states: Vec<(Names<usize>, BTreeMap<String, usize>)> = Vec::new();
        let mut seed = 1u64;
        for round in 0..3000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // In order at first, as numbered names come.
            let name = if round < 400 { format!("x{round:04}") } else { format!("x{:04}", (seed >> 33) % 700) };
            if round >= 400 && (seed >> 20).is_multiple_of(3) {
                names.remove(&name);
                model.remove(&name);
            } else {
                names.set(&name, round);
                model.insert(name.clone(), round);
            }
            assert_eq!(names.get(&name), model.get(&name));
            if round % 97 == 0 {
                sound(names.root.as_ref());
                states.push((names.clone(), model.clone()));
            }
        }
        for (names, model) in &states {
            assert!(names.from("").eq(model.iter().map(|(name, value)| (name.as_str(), value))));
            assert!(names.from("x03").eq(model.range("x03".to_owned()..).map(|(name, value)| (name.as_str(), value))));
        }
        for ((before, old), (now, new)) in states.iter().zip(&states[5..]) {
            let differs = |(name, value): &(&String, &usize)| new.get(*name) != Some(*value);
            let expected: Vec<_> = old.iter().filter(differs).map(|(name, value)| (name.as_str(), value)).collect();
            assert_eq!(before.differences(now), expected);
            assert_eq!(before.differences(&before.clone()), []);
        }
    }

    #[test]
    fn what_copies_share_is_not_looked_at() {
        let mut names = Names::default();
        (0..100_000).for_each(|number| names.set(&format!("x{number:06}"), number));
        let started = std::time::Instant::now();
        for number in 0..1000 {
            let before = names.clone();
            names.set(&format!("x{:06}", number * 100), 0);
            assert_eq!(before.differences(&names).len(), 1);
        }
        // Looking at all of them takes a hundred times as long.
        assert!(started.elapsed().as_millis() < 1500, "{:?}", started.elapsed());
    }
}
