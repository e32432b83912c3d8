//! Lines or points on a grid of dots, eight to a character.

use super::super::super::super::painted::{StyledText, TextStyle};
use super::scale::Scale;
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use textplots::{Chart, Plot as _, Shape};

/// How points are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PointForm {
    /// Each joined to the next; what is not finite is a gap.
    Line,
    Points,
}

/// What is drawn, and in how much room.
pub(super) struct Plot<'a> {
    /// As many as there are `ys`; absent: 0, 1, 2, …
    pub(super) xs: Option<&'a [f64]>,
    pub(super) ys: &'a [f64],
    pub(super) form: PointForm,
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// Becomes true when nobody waits for the drawing any more.
    pub(super) stop: &'a AtomicBool,
}

/// The fewest characters of a line that the library draws.
const MIN_COLUMNS: usize = 17;

/// A point as the library takes it: both places between 0 and 1.
type PlotPoint = (f32, f32);

impl Plot<'_> {
    fn x(&self, at: usize) -> f64 {
        self.xs.map_or(at as f64, |xs| xs[at])
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        let points = self.ys.iter().enumerate().map(|(at, &y)| (self.x(at), y));
        points.take_while(|_| !self.stop.load(Ordering::Relaxed))
    }

    /// The drawing.
    ///
    /// # Errors
    /// A sentence when there is nothing to draw.
    pub(super) fn text(&self) -> Result<StyledText, String> {
        let finite = |&(x, y): &(f64, f64)| x.is_finite() && y.is_finite();
        let missing = self.points().filter(|point| !finite(point)).count();
        let across = Scale::of(self.points().filter(finite).map(|(x, _)| x));
        let up = Scale::of(self.points().filter(finite).map(|(_, y)| y));
        let (Some(across), Some(up)) = (across, up) else {
            return Err(match self.ys.len() {
                0 => "there are no elements to draw".to_owned(),
                count => format!("none of the {count} points is finite"),
            });
        };
        let labels = up.labels([1.0, 0.5, 0.0]);
        let margin = labels.iter().map(String::len).max().unwrap_or(0);
        let columns = self.columns.saturating_sub(margin + 2).max(MIN_COLUMNS);
        let rows = self.grid(across, up, columns);
        let mut text = StyledText::default();
        for (at, row) in rows.iter().enumerate() {
            let label = match at {
                0 => labels[0].as_str(),
                _ if at == self.rows / 2 => &labels[1],
                _ if at + 1 == self.rows => &labels[2],
                _ => "",
            };
            let edge = if label.is_empty() { '│' } else { '┤' };
            let row = row.trim_end_matches([' ', '\u{2800}']);
            let _ = write!(text, "{label:>margin$} {edge}");
            text.ink(TextStyle::Cyan, row);
            text.push("\n");
        }
        let _ = writeln!(text, "{:margin$} └{}", "", "─".repeat(columns));
        let [left, right] = across.labels([0.0, 1.0]);
        let gap = columns.saturating_sub(left.len() + right.len()).max(1);
        let _ = writeln!(text, "{:margin$}  {left}{}{right}", "", " ".repeat(gap));
        match missing {
            0 => {}
            1 => text.push("1 point is nan or infinite, and is not drawn\n"),
            _ => text.push(&format!("{missing} points are nan or infinite, and are not drawn\n")),
        }
        Ok(text)
    }

    /// The rows of characters.
    fn grid(&self, across: Scale, up: Scale, columns: usize) -> Vec<String> {
        // The library's grid has one dot more than it is told.
        let (width, height) = (2 * columns as u32 - 1, 4 * self.rows as u32 - 1);
        let pieces = match self.form {
            PointForm::Line => self.lines(across, up, width as usize + 1),
            PointForm::Points => vec![self.dots(across, up, width as usize, height as usize)],
        };
        let shapes: Vec<Shape> = pieces
            .iter()
            .map(|piece| match piece.as_slice() {
                [_] => Shape::Points(piece),
                _ if self.form == PointForm::Points => Shape::Points(piece),
                _ => Shape::Lines(piece),
            })
            .collect();
        let mut chart = Chart::new_with_y_range(width, height, 0.0, 1.0, 0.0, 1.0);
        let chart = shapes.iter().fold(&mut chart, |chart, shape| chart.lineplot(shape));
        chart.figures();
        let mut rows: Vec<String> = chart.frame().lines().map(str::to_owned).collect();
        rows.resize(self.rows, String::new());
        rows
    }

    /// The pieces of the line between gaps. Of points that follow each other in one column of dots only the first, the
    /// lowest, the highest and the last are seen.
    fn lines(&self, across: Scale, up: Scale, width: usize) -> Vec<Vec<PlotPoint>> {
        let mut pieces: Vec<Vec<PlotPoint>> = vec![Vec::new()];
        let mut column: Vec<PlotPoint> = Vec::new();
        let mut last = usize::MAX;
        for (x, y) in self.points() {
            let place = (across.place(x) as f32, up.place(y) as f32);
            if !(x.is_finite() && y.is_finite()) {
                flush(&mut column, &mut pieces);
                if pieces.last().is_some_and(|piece| !piece.is_empty()) {
                    pieces.push(Vec::new());
                }
                continue;
            }
            let own = (f64::from(place.0) * width as f64) as usize;
            if own != last {
                flush(&mut column, &mut pieces);
                last = own;
            }
            match column.len() {
                0..4 => column.push(place),
                _ => {
                    column[1] = if place.1 < column[1].1 { place } else { column[1] };
                    column[2] = if place.1 > column[2].1 { place } else { column[2] };
                    // The last one may be an extreme too.
                    let before = std::mem::replace(&mut column[3], place);
                    column[1] = if before.1 < column[1].1 { before } else { column[1] };
                    column[2] = if before.1 > column[2].1 { before } else { column[2] };
                }
            }
        }
        flush(&mut column, &mut pieces);
        pieces.retain(|piece| !piece.is_empty());
        pieces
    }

    /// A point for each dot that some point falls on.
    fn dots(&self, across: Scale, up: Scale, width: usize, height: usize) -> Vec<PlotPoint> {
        let mut seen = vec![false; (width + 1) * (height + 1)];
        let mut dots = Vec::new();
        for (x, y) in self.points().filter(|(x, y)| x.is_finite() && y.is_finite()) {
            let (x, y) = (across.place(x), up.place(y));
            let place = |at: f64, most: usize| ((at * most as f64).round() as usize).min(most);
            let dot = place(y, height) * (width + 1) + place(x, width);
            if !std::mem::replace(&mut seen[dot], true) {
                dots.push((x as f32, y as f32));
            }
        }
        dots
    }
}

/// Ends a column of dots.
fn flush(column: &mut Vec<PlotPoint>, pieces: &mut [Vec<PlotPoint>]) {
    if let Some(piece) = pieces.last_mut() {
        piece.append(column);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static GO_ON: AtomicBool = AtomicBool::new(false);

    fn text(ys: &[f64], form: PointForm) -> String {
        Plot { xs: None, ys, form, columns: 40, rows: 4, stop: &GO_ON }.text().unwrap().plain()
    }

    #[test]
    fn a_rising_line_goes_from_corner_to_corner() {
        let ys: Vec<f64> = (0..100).map(f64::from).collect();
        let drawn = text(&ys, PointForm::Line);
        let rows: Vec<&str> = drawn.lines().collect();
        assert!(rows[0].starts_with("  99 ┤") && rows[3].starts_with("   0 ┤⣀"), "{drawn}");
        assert!(rows[5].trim().starts_with('0') && rows[5].ends_with("99"), "{drawn}");
        assert!(drawn.lines().all(|line| line.chars().count() <= 40), "{drawn}");
    }

    #[test]
    fn gaps_and_extremes_are_drawn_as_they_are() {
        let mut ys = vec![0.0; 100_000];
        ys[50_000] = 1.0;
        let spike = text(&ys, PointForm::Line);
        assert!(spike.lines().next().unwrap().contains(|c| ('⠁'..='⣿').contains(&c)), "{spike}");
        let gap = text(&[0.0, 1.0, f64::NAN, f64::INFINITY, 1.0, 0.0], PointForm::Line);
        assert!(gap.ends_with("2 points are nan or infinite, and are not drawn\n"), "{gap}");
        assert!(text(&[1.0, f64::NAN, 1.0], PointForm::Line).contains(|c| ('⠁'..='⣿').contains(&c)));
    }

    #[test]
    fn nothing_finite_is_said() {
        let none = |ys: &[f64]| Plot { xs: None, ys, form: PointForm::Line, columns: 40, rows: 4, stop: &GO_ON }.text();
        assert_eq!(none(&[]), Err("there are no elements to draw".to_owned()));
        assert_eq!(none(&[f64::NAN]), Err("none of the 1 points is finite".to_owned()));
    }

    #[test]
    fn any_numbers_in_any_room_can_be_drawn() {
        let awkward = [0.0, -0.0, 5e-324, -1e308, 1e308, f64::NAN, f64::INFINITY, 1.0, 1e-300];
        for count in 1..awkward.len() {
            for columns in [0, 1, 20, 80] {
                for form in [PointForm::Line, PointForm::Points] {
                    let ys = &awkward[..count];
                    let plot = Plot { xs: Some(&awkward[..count]), ys, form, columns, rows: 4, stop: &GO_ON };
                    let drawn = plot.text().unwrap().plain();
                    assert_eq!(drawn.lines().filter(|line| line.contains(['│', '┤'])).count(), 4, "{drawn}");
                }
            }
        }
    }
}
