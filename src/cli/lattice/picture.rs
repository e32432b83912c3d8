//! The picture of a lattice: svg for papers, dot for other tools; [`super::drawing`] has it for terminals.
//!
//! Types stand in layers from left to right, each one layer above the highest type below it. Edges that span several
//! layers run through a free place in each of them; places are ordered so that few edges cross.

use crate::promotion::laws::{self, Joins, Report};
use crate::promotion::systems::System;
use crate::types::Elem;
use std::collections::VecDeque;
use std::fmt::Write;

/// Types and the edges from each to those directly above it.
#[derive(Clone, Debug)]
pub(super) struct HasseDiagram {
    /// What is drawn: `jax`.
    pub title: String,
    /// The types.
    pub names: Vec<String>,
    /// From a type to one directly above it.
    pub edges: Vec<(usize, usize)>,
}

/// The order of a system, from its edges or from a table that keeps the laws.
///
/// # Errors
/// The report of the laws, when the system is no lattice.
pub(super) fn order(system: &System) -> Result<HasseDiagram, Box<Report>> {
    let title = system.name.to_owned();
    if let Some(lattice) = system.lattice() {
        let elems: Vec<Elem> = Elem::all().filter(|&elem| lattice.contains(elem)).collect();
        let number = |elem: Elem| elems.iter().position(|&it| it == elem).expect("edges join nodes");
        let edges = lattice.edges().iter().map(|&(from, to)| (number(from), number(to))).collect();
        let names = elems.iter().map(|elem| elem.name().to_owned()).collect();
        return Ok(HasseDiagram { title, names, edges });
    }
    let joins = Joins::of(system);
    let report = laws::check_joins(&joins);
    if !report.holds() {
        return Err(Box::new(report));
    }
    let size = joins.names.len();
    let below = |a: usize, b: usize| a != b && joins.join(a, b) == Some(b);
    let directly = |a: usize, b: usize| below(a, b) && !(0..size).any(|c| below(a, c) && below(c, b));
    let pairs = (0..size).flat_map(|a| (0..size).map(move |b| (a, b)));
    let edges = pairs.filter(|&(a, b)| directly(a, b)).collect();
    Ok(HasseDiagram { title, names: joins.names, edges })
}

impl HasseDiagram {
    /// The number of a name.
    fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|it| it == name)
    }

    /// The layer of each type: one above the highest below it.
    pub(super) fn layers(&self) -> Vec<usize> {
        let mut layers = vec![0; self.names.len()];
        for _ in 0..self.names.len() {
            for &(from, to) in &self.edges {
                layers[to] = layers[to].max(layers[from] + 1);
            }
        }
        layers
    }

    /// A shortest way up, as edges.
    fn way(&self, from: usize, to: usize) -> Option<Vec<(usize, usize)>> {
        let mut ways = VecDeque::from([(from, Vec::new())]);
        let mut seen = vec![false; self.names.len()];
        while let Some((at, way)) = ways.pop_front() {
            if at == to {
                return Some(way);
            }
            for &(start, next) in self.edges.iter().filter(|(start, _)| *start == at) {
                if !std::mem::replace(&mut seen[next], true) {
                    let mut longer: Vec<(usize, usize)> = way.clone();
                    longer.push((start, next));
                    ways.push_back((next, longer));
                }
            }
        }
        None
    }

    /// The edges on the ways from these types to the lowest type above all of them.
    pub(super) fn highlighted_edges(&self, names: &[&str]) -> Vec<(usize, usize)> {
        let from: Vec<usize> = names.iter().filter_map(|name| self.find(name)).collect();
        let meets = |to: &usize| from.iter().all(|&start| self.way(start, *to).is_some());
        let above: Vec<usize> = (0..self.names.len()).filter(meets).collect();
        let least = above.iter().find(|&&to| above.iter().all(|&other| self.way(to, other).is_some()));
        let Some(&least) = least.filter(|_| !from.is_empty()) else { return Vec::new() };
        from.iter().filter_map(|&start| self.way(start, least)).flatten().collect()
    }
}

/// A place in the picture: a type, or where an edge crosses a layer.
#[derive(Clone, Copy)]
pub(super) struct PicturePlace {
    pub(super) node: Option<usize>,
    pub(super) layer: usize,
    /// How far from the middle of its layer, in places.
    pub(super) at: f64,
}

/// Where everything stands.
pub(super) struct PictureLayout {
    pub(super) places: Vec<PicturePlace>,
    /// The places that each edge runs through, first and last included.
    pub(super) routes: Vec<Vec<usize>>,
    /// How many layers there are.
    pub(super) depth: usize,
    /// The most places of a layer.
    pub(super) height: f64,
}

pub(super) fn layout(order: &HasseDiagram) -> PictureLayout {
    let layers = order.layers();
    let mut places: Vec<PicturePlace> =
        layers.iter().enumerate().map(|(node, &layer)| PicturePlace { node: Some(node), layer, at: 0.0 }).collect();
    let mut routes = Vec::new();
    for &(from, to) in &order.edges {
        let mut route = vec![from];
        for layer in layers[from] + 1..layers[to] {
            route.push(places.len());
            places.push(PicturePlace { node: None, layer, at: 0.0 });
        }
        route.push(to);
        routes.push(route);
    }
    let depth = layers.iter().max().map_or(0, |last| last + 1);
    let mut columns: Vec<Vec<usize>> =
        (0..depth).map(|layer| (0..places.len()).filter(|&it| places[it].layer == layer).collect()).collect();
    let links: Vec<(usize, usize)> = routes.iter().flat_map(|route| route.windows(2).map(|w| (w[0], w[1]))).collect();
    for round in 0..24 {
        for step in 0..depth {
            let layer = if round % 2 == 0 { step } else { depth - 1 - step };
            let centre = |place: usize, places: &[PicturePlace]| {
                let near: Vec<f64> = links
                    .iter()
                    .filter_map(|&(a, b)| match (a == place, b == place) {
                        (true, _) => Some(places[b].at),
                        (_, true) => Some(places[a].at),
                        _ => None,
                    })
                    .collect();
                near.iter().sum::<f64>() / near.len().max(1) as f64
            };
            let mut sorted: Vec<(f64, usize)> =
                columns[layer].iter().map(|&place| (centre(place, &places), place)).collect();
            sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
            let middle = (sorted.len() as f64 - 1.0) / 2.0;
            for (position, (_, place)) in sorted.iter().enumerate() {
                places[*place].at = position as f64 - middle;
            }
            columns[layer] = sorted.into_iter().map(|(_, place)| place).collect();
        }
    }
    let tallest = columns.iter().map(Vec::len).max().unwrap_or(1);
    PictureLayout { places, routes, depth, height: tallest as f64 }
}

const COLUMN: f64 = 92.0;
const ROW: f64 = 56.0;
const MARGIN: f64 = 40.0;
const HALF_WIDTH: f64 = 25.0;
const HALF_HEIGHT: f64 = 15.0;
const EDGE: &str = "#94a3b8";
const WAY: &str = "#c2410c";

/// The picture as svg, with the ways from these types to their common type drawn strong.
pub(super) fn svg(order: &HasseDiagram, highlight: &[&str]) -> String {
    let layout = layout(order);
    let width = (layout.depth as f64 - 1.0) * COLUMN + 2.0 * (MARGIN + HALF_WIDTH);
    let height = (layout.height - 1.0) * ROW + 2.0 * (MARGIN + HALF_HEIGHT);
    let x = |place: usize| MARGIN + HALF_WIDTH + layout.places[place].layer as f64 * COLUMN;
    let y = |place: usize| height / 2.0 + layout.places[place].at * ROW;
    let strong = order.highlighted_edges(highlight);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"14\">\n\
         <title>The promotion lattice of {}</title>\n\
         <defs>{}{}</defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        escape(&order.title),
        arrow("edge", EDGE, 7),
        arrow("way", WAY, 5),
    );
    let mut edges: Vec<(bool, usize)> =
        order.edges.iter().enumerate().map(|(at, edge)| (strong.contains(edge), at)).collect();
    edges.sort_unstable(); // strong ones last, on top
    for (strong, at) in edges {
        let route = &layout.routes[at];
        let (first, last) = (route[0], route[route.len() - 1]);
        let mut path = format!("M{:.1},{:.1}", x(first) + HALF_WIDTH, y(first));
        for pair in route.windows(2) {
            let start = if pair[0] == first { x(first) + HALF_WIDTH } else { x(pair[0]) };
            let end = if pair[1] == last { x(last) - HALF_WIDTH - 1.0 } else { x(pair[1]) };
            let bend = (end - start) / 2.0;
            let (from, to) = (y(pair[0]), y(pair[1]));
            let _ = write!(path, " C{:.1},{from:.1} {:.1},{to:.1} {end:.1},{to:.1}", start + bend, end - bend);
        }
        let (arrow, colour, width) = if strong { ("way", WAY, 2.6) } else { ("edge", EDGE, 1.3) };
        let _ = writeln!(
            svg,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" marker-end=\"url(#{arrow})\"/>"
        );
    }
    for (place, name) in layout.places.iter().enumerate().filter_map(|(at, it)| Some((at, &order.names[it.node?]))) {
        let touched = |&(from, to): &(usize, usize)| from == place || to == place;
        let strong = strong.iter().any(touched) || highlight.contains(&name.as_str());
        let (fill, stroke) = if strong { ("#ffedd5", WAY) } else { ("#f8fafc", "#475569") };
        let dashes = if name.ends_with('*') { " stroke-dasharray=\"4 3\"" } else { "" };
        let _ = writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{}\" height=\"{}\" rx=\"9\" fill=\"{fill}\" stroke=\"{stroke}\" \
             stroke-width=\"1.3\"{dashes}/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" \
             fill=\"#0f172a\">{}</text>",
            x(place) - HALF_WIDTH,
            y(place) - HALF_HEIGHT,
            2.0 * HALF_WIDTH,
            2.0 * HALF_HEIGHT,
            x(place),
            y(place) + 5.0,
            escape(name)
        );
    }
    svg + "</svg>\n"
}

/// The head of an arrow; its size counts in widths of the line.
fn arrow(name: &str, colour: &str, size: u32) -> String {
    format!(
        "<marker id=\"{name}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"{size}\" markerHeight=\"{size}\" \
         orient=\"auto\"><path d=\"M0,0.8 L7,4 L0,7.2 z\" fill=\"{colour}\"/></marker>"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The picture for Graphviz.
pub(super) fn dot(order: &HasseDiagram, highlight: &[&str]) -> String {
    let strong = order.highlighted_edges(highlight);
    let mut dot = format!("digraph {:?} {{\n    rankdir=LR;\n    node [shape=box, style=rounded];\n", order.title);
    for name in &order.names {
        let style = if name.ends_with('*') { " [style=\"rounded,dashed\"]" } else { "" };
        let _ = writeln!(dot, "    {name:?}{style};");
    }
    for edge in &order.edges {
        let style = if strong.contains(edge) { " [color=\"#c2410c\", penwidth=2.5]" } else { "" };
        let _ = writeln!(dot, "    {:?} -> {:?}{style};", order.names[edge.0], order.names[edge.1]);
    }
    dot + "}\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::promotion::systems;

    #[test]
    fn a_table_that_keeps_the_laws_is_drawn_and_another_is_not() {
        let drawn = order(systems::find("tf-numpy").expect("a system")).expect("a lattice");
        assert_eq!(drawn.names.len(), 20);
        assert!(order(systems::find("numpy").expect("a system")).is_err());
    }

    #[test]
    fn every_edge_is_in_the_file_for_graphviz() {
        let jax = order(systems::default()).expect("a lattice");
        assert!(dot(&jax, &[]).contains("\"bool\" -> \"i*\";"));
    }

    #[test]
    fn nothing_overlaps() {
        let layout = layout(&order(systems::default()).expect("a lattice"));
        for (at, one) in layout.places.iter().enumerate() {
            let other = layout.places[at + 1..].iter().find(|it| it.layer == one.layer && (it.at - one.at).abs() < 0.9);
            assert!(other.is_none());
        }
    }
}
