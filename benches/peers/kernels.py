"""The kernels: which operands they have, and what they are in the words of the peers.

A kernel's text for `arr` is a file in `benches/kernels`; `expression` (after `lets`) says the same in the notation
that the Python peers share. Names of functions and dtypes are filled in by each peer.
"""

from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "kernels"


@dataclass
class Kernel:
    name: str
    #: Dtypes of the table, one row each.
    dtypes: list
    #: Operands: what their values are like, see `data.py`.
    operands: dict
    expression: str
    #: Names for parts of the expression.
    lets: list = field(default_factory=list)
    #: `map`, `fold`, or a form of its own that each peer writes out.
    form: str = "map"
    #: Which bar of the design it is held to at 1e5; chosen by `bar`.
    kind: str = "light"
    #: The file, where several rows share one number.
    file: str = ""
    #: What the table calls it.
    title: str = ""
    #: Elements that are worth a row, where not all are.
    sizes: tuple = ()

    @property
    def text(self):
        return (FOLDER / f"{self.file or self.name}.arr").read_text()


F = ["f32", "f64"]
NUMBERS = F + ["i32", "i64"]
PLAIN = "uniform -2 2"


def shaped(name, title, operands, kind, dtypes=NUMBERS, sizes=(100_000, 10_000_000)):
    """A kernel whose results data shape: each library says in `SHAPED` what it calls for that."""
    return Kernel("data", dtypes, operands, "", form="shaped", file=name, title=title, kind=kind, sizes=sizes)


KERNELS = [
    Kernel("k1", F, {"a": PLAIN, "b": PLAIN}, "2*a + 3*b", title="2*a + 3*b"),
    Kernel("k2", F, {"a": PLAIN, "b": PLAIN, "c": PLAIN}, "a*b + c", title="a*b + c"),
    Kernel(
        "k3", F, {"a": PLAIN, "b": PLAIN, "c": PLAIN},
        "(a - b)**2 + (a + b)**2 - 1.5*a*b + c/(1 + a*a)",
        title="ten operations", kind="ten",
    ),
    Kernel("k4", F, {"x": "normal"}, "exp(-0.5*((x - 0.3)/1.7)**2)", title="gauss", kind="expression"),
    Kernel(
        "k5", F, {"a": "uniform -10 10", "b": "uniform -10 10"}, "sin(a)**2 + cos(b)**2",
        title="sin² + cos²", kind="expression",
    ),
    Kernel(
        "k6", F, {"x": "normal 3"}, "log1p(exp(-abs(x))) + maximum(x, 0)",
        file="k6_softplus", title="softplus", kind="expression",
    ),
    Kernel(
        "k6", F, {"x": "normal 2"}, "0.5*x*(1 + tanh(0.7978845608028654*(x + 0.044715*x*x*x)))",
        file="k6_gelu", title="gelu (tanh)", kind="expression",
    ),
    Kernel(
        "k7", F, {"s": "uniform 50 150", "k": "uniform 50 150", "t": "uniform 0.1 2"},
        "s*(0.5*(1 + erf(p*0.7071067811865476))) - k*exp(-0.03*t)*(0.5*(1 + erf((p - d)*0.7071067811865476)))",
        lets=[("d", "0.2*sqrt(t)"), ("p", "(log(s/k) + 0.05*t)/d")],
        title="Black-Scholes", kind="pricing",
    ),
    Kernel("k8", F, {"a": PLAIN, "b": PLAIN}, "where(a > b, a - b, a + b*2)", title="where", kind="ten"),
    Kernel("k9", ["u8"], {"a": "integers 0 255", "b": "integers 0 255"}, "", form="blend", title="(3a + b)//4 via u16"),
    Kernel(
        "k10", ["f32"], {"i": "i16 -30000 30000", "x": PLAIN}, "i + x", file="k10_mixed", title="i16 + f32",
    ),
    Kernel(
        "k10", ["f16", "bf16"], {"a": PLAIN, "b": PLAIN, "c": PLAIN}, "a*b + c", file="k2", title="a*b + c", kind="half",
    ),
    Kernel("k11", ["f32"], {"x": "matrix", "m": "row"}, "x - m[None, :]", form="rows", file="k11_centre", title="X - mean[None, :]"),
    Kernel(
        "k11", ["f32"], {"a": "column", "b": "row"}, "a[:, None]*b[None, :]", form="rows", file="k11_outer", title="outer product",
    ),
    Kernel("k12", F, {"a": "double", "b": PLAIN}, "a[::2]*2 + b", form="strided", title="a[::2]*2 + b"),
    Kernel("k13", F, {"a": PLAIN, "b": PLAIN}, "sum(a*b)", form="dot", file="k13_dot", title="sum(a*b)", kind="reduction"),
    Kernel(
        "k13", F, {"a": PLAIN, "b": PLAIN}, "mean((a - b)**2)", form="mse", file="k13_mse", title="mean((a-b)²)", kind="reduction",
    ),
    Kernel("k13", F, {"x": "matrix"}, "sum(x, 0)", form="axis0", file="k13_axis0", title="sum, axis 0", kind="reduction"),
    Kernel("k13", F, {"x": "matrix"}, "sum(x, 1)", form="axis1", file="k13_axis1", title="sum, axis 1", kind="reduction"),
    Kernel("k14", ["c64"], {"z": PLAIN, "c": PLAIN}, "z*z + c", title="z*z + c"),
    Kernel(
        "k15", ["u32", "i64"], {"a": "integers 0 2147483647"}, "(a*1103515245 + 12345) & 2147483647",
        file="k15_lcg", title="LCG",
    ),
    Kernel(
        "k15", ["i32"], {"a": "integers -2147483648 2147483647", "b": "divisor"}, "a // b",
        file="k15_div", title="a // b", kind="division",
    ),
    Kernel(
        "k15", ["i32"], {"a": "integers -2147483648 2147483647", "b": "divisor"}, "a % b",
        file="k15_mod", title="a % b", kind="division",
    ),
    Kernel("exp", F, {"x": "uniform -10 10"}, "exp(x)", title="exp", kind="function"),
    Kernel("log", F, {"x": "uniform 0.001 1000"}, "log(x)", title="log", kind="function"),
    Kernel("sin", F, {"x": "uniform -10 10"}, "sin(x)", title="sin", kind="function"),
    Kernel("tanh", F, {"x": "uniform -5 5"}, "tanh(x)", title="tanh", kind="function"),
    shaped("select", "x[x > 0]", {"x": "values"}, "selection"),
    shaped("gather", "x[i]", {"x": "values", "i": "positions"}, "selection"),
    shaped("sort", "sort", {"x": "values"}, "order"),
    shaped("argsort", "argsort", {"x": "values"}, "order"),
    shaped("median", "median", {"x": "values"}, "order"),
    shaped("unique", "unique", {"x": "few 1000"}, "groups"),
    shaped("bincount", "bincount, 1000 labels", {"g": "integers 0 999"}, "groups", ["i32", "i64"]),
    shaped("segment", "segment_sum, 1000 groups", {"x": "values", "g": "labels 1000"}, "groups"),
    shaped("segment_many", "segment_sum, 1e6 groups", {"x": "values", "g": "labels 1000000"}, "groups", sizes=(10_000_000,)),
    shaped("histogram", "histogram, 100 bins", {"x": "values"}, "groups"),
    shaped("interp", "interp, 1000 knots", {"x": "values", "xp": "knots 1000", "fp": "heights 1000"}, "selection", F),
    shaped("searchsorted", "searchsorted, 1000 knots", {"a": "knots 1000", "x": "values"}, "selection"),
]


def row(number):
    return KERNELS[number]


def bar(kernel, dtype, n, allocates=False):
    """The class of the design's table of targets, its parity bar and its target; nothing where it has none."""
    wide = dtype in ("f64", "c64", "c128", "i64", "u64")
    if n < 50_000:
        return None
    if kernel.kind == "order":
        return "sort", 0.5, 1.0
    if kernel.kind == "groups":
        return ("groups", 1.5, 3.0) if n >= 5_000_000 else ("light f32", 0.95, 1.0)
    if kernel.kind == "selection":
        return ("memory-bound", 0.95, 1.5) if n >= 5_000_000 else ("light f32", 0.95, 1.0)
    if kernel.kind == "division":
        return "integer division", 3.0, 6.0
    if n >= 5_000_000:
        if kernel.kind == "reduction":
            return "reduction 1e7", 1.0, 1.0
        if kernel.kind == "pricing":
            return "Black-Scholes", 0.9, 1.4
        if kernel.kind in ("expression", "function"):
            return "expression 1e7", 0.9, 1.25
        return ("memory-bound, allocating", 1.5, 2.5) if allocates else ("memory-bound", 0.95, 1.5)
    return {
        "light": ("light f64", 1.0, 1.1) if wide else ("light f32", 0.95, 1.0),
        "ten": ("light f64", 1.0, 1.1) if wide else ("ten ops f32", 0.6, 1.0),
        "function": ("one function", 0.9, 1.2),
        "expression": ("expression", 1.2, 1.6),
        "pricing": ("Black-Scholes", 0.9, 1.4),
        "half": ("half", 1.5, 2.5 if dtype == "f16" else 1.7),
        "reduction": ("reduction 1e5", 0.9, 1.0),
    }[kernel.kind]
