//! Margins of PyTorch, whose widths count from the last axis: `F.pad(x, (1, 2))`.

use super::{ElsewhereRow, TORCH, form, noted};

/// Margins before and behind the last axis. Of the lines that are repeated only the length counts.
const LAST_AXIS_MARGINS: &str = "{
  let line = any(x != x, axis=-1, keepdims=true)
  let before = full_like(repeat(line, width[0], axis=-1), value, dtype=x.dtype)  #: $cut
  let behind = full_like(repeat(line, width[1], axis=-1), value, dtype=x.dtype)  #: $cut
  concat([before, x, behind], axis=-1)
}";

/// The same, and then before and behind the last axis but one.
const LAST_AXES_MARGINS: &str = "{
  let line = any(x != x, axis=-1, keepdims=true)
  let before = full_like(repeat(line, width[0], axis=-1), value, dtype=x.dtype)  #: $cut
  let behind = full_like(repeat(line, width[1], axis=-1), value, dtype=x.dtype)  #: $cut
  let wide = concat([before, x, behind], axis=-1)
  let row = any(wide != wide, axis=-2, keepdims=true)  #: two pairs of widths are those of the last two axes
  let above = full_like(repeat(row, width[2], axis=-2), value, dtype=x.dtype)  #: $cut
  let below = full_like(repeat(row, width[3], axis=-2), value, dtype=x.dtype)  #: $cut
  concat([above, wide, below], axis=-2)
}";

/// The elements of the last axis at positions of its own.
const MIRRORED: &str = "take(x, pad(arange(x.shape[-1], dtype=i64), width, mode=\"$mode\"), axis=-1)";

const CUT: &[(&str, &str)] = &[("cut", "where PyTorch cuts by a width below 0, write a slice: `x[..., 1:-1]`")];

/// The rows.
pub(super) static ROWS: &[ElsewhereRow] = &[noted(
    &["torch.pad"],
    TORCH,
    &[
        form("x, width(,), value?0", LAST_AXIS_MARGINS).with(CUT),
        form("x, width(,), mode=constant, value?0", LAST_AXIS_MARGINS).with(CUT),
        form("x, width(,,,), value?0", LAST_AXES_MARGINS).with(CUT),
        form("x, width(,,,), mode=constant, value?0", LAST_AXES_MARGINS).with(CUT),
        form("x, width(,), mode=reflect", MIRRORED).with(&[("mode", "reflect")]),
        form("x, width(,), mode=replicate", MIRRORED).with(&[("mode", "edge")]),
        form("x, width(,), mode=circular", MIRRORED).with(&[("mode", "wrap")]),
    ],
    "PyTorch counts from the last axis: `pad(x, ((c, d), (a, b)))` has the widths `(a, b, c, d)`",
)];
