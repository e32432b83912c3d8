//! The picture of a lattice for a terminal: types in layers from top to bottom, with lines between them.
//!
//! All lines from one place form a net: down from it, along a row, and down to each place of the next layer. Lines that
//! end at the same place may meet, with an arrow where one comes from above; where lines only cross, the one that goes
//! along is interrupted. The rows of nets are found by trying every order of them. What would be ambiguous, or too
//! wide, is written as a list instead.

use super::picture::{HasseDiagram, PictureLayout, layout};
use std::fmt::Write;

/// The picture, or the list where the picture would be wider than this or not clear.
pub(super) fn text(order: &HasseDiagram, highlight: &[&str], width: usize) -> String {
    drawn(order, highlight, width).unwrap_or_else(|| list(order, highlight))
}

/// A line for each type, in layers, with the types directly above it; strong ones are marked with `=>`.
fn list(order: &HasseDiagram, highlight: &[&str]) -> String {
    let layers = order.layers();
    let strong = order.highlighted_edges(highlight);
    let mut text = String::new();
    let width = order.names.iter().map(String::len).max().unwrap_or(0);
    for layer in 0..layers.iter().max().map_or(0, |last| last + 1) {
        for (node, name) in order.names.iter().enumerate().filter(|&(node, _)| layers[node] == layer) {
            let mut line = format!("{:indent$}{name:<width$}", "", indent = layer * 2);
            let (marked, plain): (Vec<&(usize, usize)>, Vec<_>) =
                order.edges.iter().filter(|edge| edge.0 == node).partition(|edge| strong.contains(edge));
            for (arrow, edges) in [("->", plain), ("=>", marked)].into_iter().filter(|(_, edges)| !edges.is_empty()) {
                let names: Vec<&str> = edges.iter().map(|edge| order.names[edge.1].as_str()).collect();
                let _ = write!(line, " {arrow} {}", names.join(", "));
            }
            text += line.trim_end();
            text.push('\n');
        }
    }
    text
}

/// How thick a line is.
type Weight = usize;
const LIGHT: Weight = 1;
const HEAVY: Weight = 2;

/// All lines from one place to the next layer.
#[derive(Debug)]
struct Net {
    from: usize,
    to: Vec<(usize, Weight)>,
}

impl Net {
    fn is_straight(&self) -> bool {
        matches!(self.to[..], [(only, _)] if only == self.from)
    }

    fn reaches(&self, column: usize) -> bool {
        self.to.iter().any(|&(to, _)| to == column)
    }

    /// The columns between which its row runs.
    fn span(&self) -> (usize, usize) {
        let columns = || self.to.iter().map(|&(to, _)| to).chain([self.from]);
        (columns().min().unwrap_or(self.from), columns().max().unwrap_or(self.from))
    }

    /// Whether its row goes on to both sides of a column.
    fn passes(&self, column: usize) -> bool {
        self.span().0 < column && column < self.span().1
    }

    fn weight(&self) -> Weight {
        self.to.iter().map(|&(_, weight)| weight).max().unwrap_or(LIGHT)
    }
}

/// The most nets between two layers that are put in order.
const MAX_NETS: usize = 7;

/// The row of each net, straight ones have none; and how many rows there are. `None` when every way is ambiguous.
fn rows(nets: &[Net]) -> Option<(Vec<Option<usize>>, usize)> {
    let bent: Vec<usize> = (0..nets.len()).filter(|&net| !nets[net].is_straight()).collect();
    if bent.len() > MAX_NETS {
        return None;
    }
    let mut best: Option<(usize, Vec<Option<usize>>, usize)> = None;
    let mut orders = vec![Vec::new()];
    for &net in &bent {
        let longer = |order: Vec<usize>| {
            (0..=order.len()).map(move |at| {
                let mut order = order.clone();
                order.insert(at, net);
                order
            })
        };
        orders = orders.into_iter().flat_map(longer).collect();
    }
    for order in orders {
        let mut row = vec![None; nets.len()];
        let mut last = 0;
        for net in order {
            while !(0..nets.len()).all(|other| row[other] != Some(last) || share(&nets[net], &nets[other])) {
                last += 1;
            }
            row[net] = Some(last);
        }
        let count = row.iter().flatten().max().map_or(0, |last| last + 1);
        let cost = 10 * crossings(nets, &row) + count;
        if best.as_ref().is_none_or(|(known, ..)| cost < *known) && is_clear(nets, &row) {
            best = Some((cost, row, count));
        }
    }
    best.map(|(_, row, count)| (row, count))
}

/// Whether two nets can have one row: apart, or meeting where both end.
fn share(one: &Net, other: &Net) -> bool {
    let ((a, b), (c, d)) = (one.span(), other.span());
    let only = |net: &Net, at: usize| net.from != at && matches!(net.to[..], [(to, _)] if to == at);
    let meet = |at: usize| only(one, at) && only(other, at);
    b < c || d < a || (b == c && meet(b)) || (d == a && meet(a))
}

/// Whether no line can be taken for a part of another: nets join each other only on the way down to a common end.
fn is_clear(nets: &[Net], row: &[Option<usize>]) -> bool {
    let pairs = (0..nets.len()).flat_map(|a| (0..nets.len()).map(move |b| (a, b))).filter(|(a, b)| a != b);
    pairs.into_iter().all(|(a, b)| {
        let (from, other) = (nets[a].from, &nets[b]);
        // What comes down from `a` has left the column before `b` arrives in it.
        let above = match (row[a], row[b]) {
            (Some(own), Some(joining)) => own < joining,
            (None, _) => true,
            (Some(_), None) => true, // a straight net has another column
        };
        // Where `b` passes its end, nothing comes from above that would seem to go along with it.
        let first = nets[a]
            .to
            .iter()
            .filter(|(to, _)| other.reaches(*to) && other.passes(*to))
            .all(|_| matches!((row[a], row[b]), (Some(own), Some(passing)) if passing < own));
        (!other.reaches(from) || above) && first
    })
}

/// How often lines cross without meeting.
fn crossings(nets: &[Net], row: &[Option<usize>]) -> usize {
    let mut count = 0;
    for (net, own) in nets.iter().zip(row).filter_map(|(net, own)| Some((net, (*own)?))) {
        for (other, below) in nets.iter().zip(row) {
            let comes = below.is_none_or(|below| own < below) && net.passes(other.from);
            let ends = other.to.iter().filter(|(to, _)| net.passes(*to) && !net.reaches(*to));
            let ended = if below.is_some_and(|below| below < own) { ends.count() } else { 0 };
            count += usize::from(comes && other.from != net.from) + ended;
        }
    }
    count
}

/// Which lines leave a cell: up, right, down, left.
type Crossing = [Weight; 4];

/// The box character for every combination of no, light and heavy lines; the last of the four counts fastest.
const BOXES: &str = " ╴╸╷╮┑╻┒┓╶─╾╭┬┭┎┰┱╺╼━┍┮┯┏┲┳╵╯┙│┤┥╽┧┪╰┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋";

/// Lines and words on a grid.
struct DrawingGrid {
    cells: Vec<Vec<Crossing>>,
    words: Vec<(usize, usize, String)>,
}

impl DrawingGrid {
    fn line(&mut self) -> usize {
        let width = self.cells.first().map_or(0, Vec::len);
        self.cells.push(vec![[0; 4]; width]);
        self.cells.len() - 1
    }

    fn arm(&mut self, line: usize, column: usize, arm: usize, weight: Weight) {
        let known = &mut self.cells[line][column][arm];
        *known = weight.max(*known);
    }

    fn down(&mut self, lines: std::ops::Range<usize>, column: usize, weight: Weight) {
        for line in lines {
            self.arm(line, column, 0, weight);
            self.arm(line, column, 2, weight);
        }
    }

    /// The lines of a net between these lines of the grid; its row is there.
    fn net(&mut self, net: &Net, row: Option<usize>, begin: usize, end: usize) {
        let Some(row) = row else { return self.down(begin..end, net.from, net.weight()) };
        let row = begin + row;
        self.down(begin..row, net.from, net.weight());
        self.arm(row, net.from, 0, net.weight());
        for &(to, weight) in &net.to {
            let (low, high) = (to.min(net.from), to.max(net.from));
            for column in low..high {
                self.arm(row, column, 1, weight);
                self.arm(row, column + 1, 3, weight);
            }
            self.arm(row, to, 2, weight);
            self.down(row + 1..end, to, weight);
        }
    }

    /// An arrow at each end of a net's row that others reach from above.
    fn arrows(&mut self, net: &Net, row: usize, line: usize, nets: &[(Net, Option<usize>)]) {
        let above = |to: usize| {
            let joined = |(other, at): &(Net, Option<usize>)| other.reaches(to) && at.is_none_or(|at| at < row);
            nets.iter().any(joined)
        };
        for &(to, _) in net.to.iter().filter(|&&(to, _)| to != net.from && above(to)) {
            let (column, arrow) = if to > net.from { (to - 1, "▸") } else { (to + 1, "◂") };
            self.words.push((line, column, arrow.to_owned()));
        }
    }

    /// Interrupts the row of a net where others cross it.
    fn bridge(&mut self, net: &Net, row: usize) {
        let (low, high) = net.span();
        for column in (low + 1..high).filter(|&column| column != net.from && !net.reaches(column)) {
            let cell = &mut self.cells[row][column];
            if cell[0] > 0 && cell[2] > 0 {
                (cell[1], cell[3]) = (0, 0);
            }
        }
    }

    fn text(&self) -> String {
        let boxes: Vec<char> = BOXES.chars().collect();
        let mut text = String::new();
        for (number, line) in self.cells.iter().enumerate() {
            let mut line: Vec<char> =
                line.iter().map(|arms| boxes[arms.iter().fold(0, |index, arm| 3 * index + arm)]).collect();
            for (_, column, word) in self.words.iter().filter(|(at, ..)| *at == number) {
                word.chars().enumerate().for_each(|(at, c)| line[column + at] = c);
            }
            let line: String = line.into_iter().collect();
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}

fn drawn(order: &HasseDiagram, highlight: &[&str], width: usize) -> Option<String> {
    let PictureLayout { places, routes, depth, height } = layout(order);
    let strong = order.highlighted_edges(highlight);
    let touched = |node: usize| strong.iter().any(|&(from, to)| from == node || to == node);
    let longest = order.names.iter().map(String::len).max()?;
    // Even, so that there are half steps; room for a name in brackets, and a blank to either side.
    let step = (longest + 4).next_multiple_of(2);
    let columns = ((height - 1.0) * step as f64) as usize + longest + 2;
    if columns > width {
        return None;
    }
    let left = longest.div_ceil(2);
    let column = |place: usize| left + ((places[place].at + (height - 1.0) / 2.0) * step as f64).round() as usize;
    let mut grid = DrawingGrid { cells: vec![vec![[0; 4]; columns]], words: Vec::new() };
    for layer in 0..depth {
        let line = grid.cells.len() - 1;
        let here: Vec<usize> = (0..places.len()).filter(|&place| places[place].layer == layer).collect();
        let nets: Vec<Net> = here.iter().filter_map(|&place| net(place, &routes, order, &strong, &column)).collect();
        for &place in &here {
            match places[place].node {
                Some(node) => {
                    let name = &order.names[node];
                    let marked = touched(node) || highlight.contains(&name.as_str());
                    let word = if marked { format!("[{name}]") } else { name.clone() };
                    grid.words.push((line, column(place) - (word.len() - 1) / 2, word));
                }
                None => {
                    let own = nets.iter().find(|net| net.from == column(place)).map_or(LIGHT, Net::weight);
                    grid.down(line..line + 1, column(place), own);
                }
            }
        }
        if layer + 1 == depth {
            break;
        }
        let (row, count) = rows(&nets)?;
        let begin = line + 1;
        (0..=count.max(1)).for_each(|_| _ = grid.line());
        let end = grid.cells.len() - 1;
        let nets: Vec<(Net, Option<usize>)> = nets.into_iter().zip(row).collect();
        nets.iter().for_each(|(net, row)| grid.net(net, *row, begin, end));
        for (net, row) in nets.iter().filter_map(|(net, row)| Some((net, (*row)?))) {
            grid.bridge(net, begin + row);
            grid.arrows(net, row, begin + row, &nets);
        }
    }
    Some(grid.text())
}

/// The lines that leave a place, if any do.
fn net(
    place: usize,
    routes: &[Vec<usize>],
    order: &HasseDiagram,
    strong: &[(usize, usize)],
    column: &impl Fn(usize) -> usize,
) -> Option<Net> {
    let mut to: Vec<(usize, Weight)> = Vec::new();
    for (route, edge) in routes.iter().zip(&order.edges) {
        let weight = if strong.contains(edge) { HEAVY } else { LIGHT };
        to.extend(route.windows(2).filter(|pair| pair[0] == place).map(|pair| (column(pair[1]), weight)));
    }
    (!to.is_empty()).then(|| Net { from: column(place), to })
}

#[cfg(test)]
mod tests {
    use super::super::picture;
    use super::*;
    use crate::promotion::systems;
    use std::collections::BTreeSet;

    fn order(name: &str) -> HasseDiagram {
        picture::order(systems::find(name).expect("a system")).expect("a lattice")
    }

    #[test]
    fn ways_to_the_common_type_are_marked() {
        let text = list(&order("jax"), &["i8", "u32"]);
        let words = text.split_whitespace().collect::<Vec<&str>>().join(" ");
        assert!(words.contains("u32 -> u64 => i64") && words.contains("i8 => i16"), "{text}");
        let text = drawn(&order("jax"), &["i8", "u32"], 80).expect("it fits");
        assert!(text.contains("[i8]") && text.contains('━') && !text.contains("[u64]"), "{text}");
    }

    #[test]
    fn every_type_is_drawn_once_within_the_width() {
        for name in ["jax", "jax32", "python", "tf-numpy"] {
            let order = order(name);
            let text = text(&order, &[], 60);
            assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
            let words: Vec<&str> =
                text.split(|c: char| !c.is_ascii_graphic()).filter(|word| !word.is_empty()).collect();
            if !text.contains("->") {
                assert_eq!(words.len(), order.names.len(), "{text}");
            }
        }
        assert!(drawn(&order("jax"), &[], 80).is_some());
        assert!(drawn(&order("jax"), &[], 10).is_none());
    }

    /// The lines of a picture as somebody reads it: down from each type, along rows, never up and never against an
    /// arrow.
    fn read(text: &str, names: &[String]) -> BTreeSet<(usize, usize)> {
        let boxes: Vec<char> = BOXES.chars().collect();
        let lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
        let at = |(line, column): (usize, usize)| lines[line].get(column).copied().unwrap_or(' ');
        let arms = |place| {
            let index = boxes.iter().position(|&it| it == at(place)).unwrap_or(0);
            [index / 27, index / 9 % 3, index / 3 % 3, index % 3].map(|weight| weight > 0)
        };
        let word = |(line, column): (usize, usize)| {
            let inside = |c: char| c.is_ascii_graphic() && c != '[' && c != ']';
            let begin = (0..=column).rev().take_while(|&at| lines[line].get(at).is_some_and(|&c| inside(c))).last()?;
            let word: String = lines[line][begin..].iter().take_while(|&&c| inside(c)).collect();
            names.iter().position(|name| *name == word)
        };
        let mut edges = BTreeSet::new();
        for (line, row) in lines.iter().enumerate() {
            for column in 0..row.len() {
                let Some(from) = word((line, column)) else { continue };
                if line + 1 == lines.len() || !arms((line + 1, column))[0] {
                    continue;
                }
                let mut queue = vec![((line + 1, column), 0)];
                while let Some(((line, column), came)) = queue.pop() {
                    if let Some(to) = word((line, column)) {
                        edges.insert((from, to));
                        continue;
                    }
                    let [_, right, down, left] = arms((line, column));
                    // An arrow, or a line that goes across.
                    let through = came != 0 && !left && !right;
                    let open = |side: bool, from: usize, against: bool| match through {
                        true => came == from,
                        false => side && came + from != 4 && !(came == 0 && against),
                    };
                    if open(right, 3, at((line, column + 1)) == '◂') {
                        queue.push(((line, column + 1), 3));
                    }
                    if open(left, 1, column > 0 && at((line, column - 1)) == '▸') {
                        queue.push(((line, column - 1), 1));
                    }
                    if down && !through {
                        queue.push(((line + 1, column), 0));
                    }
                }
            }
        }
        edges
    }

    #[test]
    fn pictures_say_what_the_order_says() {
        for name in ["jax", "jax32", "python", "tf-numpy"] {
            let order = order(name);
            let text = drawn(&order, &[], 80).expect("it is drawn");
            assert_eq!(read(&text, &order.names), order.edges.iter().copied().collect(), "{text}");
        }
        let mut state = 1u64;
        let mut below = |bound: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % bound
        };
        let mut count = 0;
        for _ in 0..3_000 {
            let size = 2 + below(9);
            let names = (0..size).map(|at| format!("t{at}")).collect();
            let edges: BTreeSet<(usize, usize)> = (0..=below(2 * size))
                .map(|_| (below(size), below(size)))
                .filter(|(a, b)| a != b)
                .map(|(a, b)| (a.min(b), a.max(b)))
                .collect();
            let order = HasseDiagram { title: String::new(), names, edges: edges.iter().copied().collect() };
            let Some(text) = drawn(&order, &["t0", "t1"], 200) else { continue };
            assert_eq!(read(&text, &order.names), edges, "{text}");
            count += 1;
        }
        assert!(count > 1_000, "{count} of 3,000 orders are drawn");
    }

    #[test]
    fn what_would_be_ambiguous_is_not_drawn() {
        let net = |from: usize, to: &[usize]| Net { from, to: to.iter().map(|&to| (to, LIGHT)).collect() };
        // The second goes past an end of the first, which comes straight from above.
        assert_eq!(rows(&[net(8, &[8]), net(0, &[8, 16])]), None);
        // Each must leave the column of the other first.
        assert_eq!(rows(&[net(0, &[8]), net(8, &[0])]), None);
        assert_eq!(rows(&[net(0, &[4]), net(8, &[4])]), Some((vec![Some(0), Some(0)], 1)));
        assert_eq!(rows(&[net(0, &[0, 8]), net(8, &[8])]), Some((vec![Some(0), None], 1)));
    }

    #[test]
    fn box_characters_are_in_their_places() {
        let boxes: Vec<char> = BOXES.chars().collect();
        assert_eq!(boxes.len(), 81);
        let at = |arms: Crossing| boxes[arms.iter().fold(0, |index, arm| 3 * index + arm)];
        let arms = [
            [1, 0, 1, 0],
            [0, 1, 0, 1],
            [1, 1, 1, 1],
            [2, 2, 2, 2],
            [1, 1, 0, 0],
            [0, 0, 2, 2],
            [1, 2, 1, 0],
            [2, 0, 2, 1],
        ];
        assert_eq!(arms.map(at), ['│', '─', '┼', '╋', '╰', '┓', '┝', '┨']);
    }
}
