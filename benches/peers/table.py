"""Times as tables: ratios of the best peer's time to ours, over rounds that were measured in turns."""

import json
import statistics

from kernels import KERNELS, bar


def marks(name):
    """What stands around the part of a table's file that the README quotes, there and here."""
    part = name.replace("results", "peers")
    return f"<!-- {part}: begin -->", f"<!-- {part}: end -->"


def median(entry):
    return statistics.median(entry["ns"])


def ours(row):
    return next((entry for entry in row["times"] if entry["variant"] == "arr"), None)


def is_ours(variant):
    """Whether a variant is `arr`, or `arr` in another language: no peer."""
    return variant == "arr" or variant.startswith("arr in ")


def best(row, allocating=False):
    """The fastest peer whose results are right; with `allocating`, of those that allocate what they give."""
    peers = [entry for entry in row["times"] if not is_ours(entry["variant"]) and not entry["wrong"]]
    if allocating:
        peers = [entry for entry in peers if not entry["variant"].endswith("out=")]
    return min(peers, key=median, default=None)


def against(entry, own):
    """Median, least and greatest of a variant's time to ours in the same round."""
    each = sorted(theirs / mine for theirs, mine in zip(entry["ns"], own["ns"]))
    return statistics.median(each), each[0], each[-1]


def ratios(row, peer):
    """Median, least and greatest of the ratios of the rounds."""
    return against(peer, ours(row))


def name(entry):
    """A peer, with what is to be known of how it computes."""
    return f"{entry['variant']} ({entry['note']})" if entry.get("note") else entry["variant"]


def verdict(ratio, parity, target):
    return "target" if ratio >= target else "yes" if ratio >= parity else f"{ratio / parity:.2f} of it"


def number(value):
    return f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 100 else f"{value:.0f}"


def range_text(found):
    return f"{found[0]:.2f} [{found[1]:.2f}–{found[2]:.2f}]"


def line(row):
    """One row, while it is being measured."""
    kernel, own, peer = KERNELS[row["kernel"]], ours(row), best(row)
    head = f"{row['threads']} × {row['n']:>9,}  {row['file']:12} {row['dtype']:5}"
    if own is None or peer is None:
        return f"{head} {row['skipped']}"
    wrong = [f"{entry['variant']} {entry['wrong']}" for entry in row["times"] if entry["wrong"]]
    held = bar(kernel, row["dtype"], row["n"])
    ratio = ratios(row, peer)
    met = f"bar {held[1]} {verdict(ratio[0], *held[1:])}" if held else ""
    note = f"  WRONG: {'; '.join(wrong)}" if wrong else ""
    return f"{head} {number(median(own)):>7} ns  {peer['variant']:18} {number(median(peer)):>7}  {range_text(ratio)}  {met}{note}"


def full(rows):
    """The table of one size: everything that is known."""
    lines = [
        "| kernel | dtype | arr ns/el | best peer | ns/el | ratio | best that allocates | ratio | class | bar | target | met |",
        "| --- | --- | --: | --- | --: | --- | --- | --- | --- | --: | --: | --- |",
    ]
    for row in rows:
        kernel, own, peer = KERNELS[row["kernel"]], ours(row), best(row)
        if own is None or peer is None:
            lines.append(f"| {row['file']} | {row['dtype']} | | | | {row['skipped'].get('arr', 'not measured')} |")
            continue
        other = best(row, allocating=True)
        ratio, second = ratios(row, peer), ratios(row, other) if other else None
        held = bar(kernel, row["dtype"], row["n"])
        bars = f"{held[0]} | {held[1]} | {held[2]} | {verdict(ratio[0], *held[1:])}" if held else " | | | "
        wrong = " (differs from NumPy)" if own["wrong"] else ""
        lines.append(
            f"| {kernel.name} {escaped(kernel.title)} | {row['dtype']} | {number(median(own))}{wrong} | {name(peer)} | {number(median(peer))} "
            f"| {range_text(ratio)} | {name(other) if other else ''} | {range_text(second) if second else ''} | {bars} |"
        )
    return "\n".join(lines)


def escaped(text):
    return text.replace("*", "\\*")


# What the README quotes: arithmetic that waits for memory, functions, a long formula, a sum, and halves.
QUOTED = [("k1", "f32"), ("k4", "f32"), ("k7", "f64"), ("k10", "f16"), ("k13", "f32")]


def quoted(results):
    """The first row of each kernel and dtype that the README quotes, by size."""
    found = {}
    for row in results["rows"]:
        kernel = (KERNELS[row["kernel"]].name, row["dtype"])
        if row["threads"] == 1 and row["n"] in (100_000, 10_000_000) and kernel in QUOTED:
            sizes = found.setdefault(kernel, {})
            sizes.setdefault(row["n"], row)
    return [(kernel, found[kernel]) for kernel in QUOTED if kernel in found]


def brief(results):
    """What the README quotes: five kernels, one thread, 1e5 and 1e7."""
    lines = [
        f"Measured on {results['date']}: {results['machine']}; {versions(results)}.",
        "",
        "| kernel | dtype | 1e5 elements | best peer | ratio | 1e7 elements | best peer | ratio |",
        "| --- | --- | --: | --- | --: | --: | --- | --: |",
    ]
    for (_, dtype), sizes in quoted(results):
        title = escaped(KERNELS[next(iter(sizes.values()))["kernel"]].title)
        cells = [title, dtype]
        for n in (100_000, 10_000_000):
            row = sizes.get(n)
            own, peer = (ours(row), best(row)) if row else (None, None)
            if own is None or peer is None:
                cells += ["", "", ""]
                continue
            cells += [f"{number(median(own))} ns", name(peer), f"{ratios(row, peer)[0]:.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def tally(results):
    """How many rows meet their bar, in words."""
    rows = [row for row in results["rows"] if row["threads"] == 1 and row["n"] in (100_000, 10_000_000) and ours(row) and best(row)]
    held = [(ratios(row, best(row))[0], bar(KERNELS[row["kernel"]], row["dtype"], row["n"])) for row in rows]
    parity = sum(ratio >= bars[1] for ratio, bars in held)
    target = sum(ratio >= bars[2] for ratio, bars in held)
    return f"{parity} of {len(held)} rows meet their bar, {target} the target above it."


def versions(results):
    return ", ".join(dict.fromkeys(results["versions"].values()))


def scaling(results):
    """Our time on one thread to that on two."""
    known = {(row["kernel"], row["dtype"], row["n"], row["threads"]): row for row in results["rows"]}
    lines = ["| kernel | dtype | n | 1 thread | 2 threads | scaling |", "| --- | --- | --: | --: | --: | --: |"]
    for (kernel, dtype, n, threads), row in known.items():
        one = known.get((kernel, dtype, n, 1))
        if threads == 2 and one and ours(one) and ours(row):
            first, second = median(ours(one)), median(ours(row))
            lines.append(f"| {KERNELS[kernel].name} {escaped(KERNELS[kernel].title)} | {dtype} | {n:.0e} | {number(first)} | {number(second)} | {first / second:.2f} |")
    return "\n".join(lines) if len(lines) > 2 else ""


def in_python(results):
    """The time of `arr` called from Python to that of `arr` alone, over the rounds."""
    lines = ["| kernel | dtype | n | threads | arr ns/el | in Python | ratio | `out=` | ratio |", "| --- | --- | --: | --: | --: | --: | --- | --: | --- |"]
    for row in results["rows"]:
        own = ours(row)
        entries = {entry["variant"]: entry for entry in row["times"]}
        entries = [entries.get("arr in Python"), entries.get("arr in Python out=")]
        if own is None or entries[0] is None:
            continue
        kernel = KERNELS[row["kernel"]]
        cells = [f"{kernel.name} {escaped(kernel.title)}", row["dtype"], f"{row['n']:.0e}", str(row["threads"]), number(median(own))]
        for entry in entries:
            cells += [number(median(entry)), range_text(against(entry, own))] if entry else ["", ""]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) if len(lines) > 2 else ""


def whole(results, name="results"):
    """Everything, as Markdown."""
    begin, end = marks(name)
    parts = ["# `arr` and its peers", f"{results['date']}, {results['machine']}. {versions(results)}. {results['rounds']} rounds, {results.get('seconds', 0) // 60} minutes."]
    if results["missing"]:
        parts.append("Absent: " + "; ".join(f"{name} ({reason})" for name, reason in results["missing"].items()) + ".")
    parts += [
        "One thread where nothing else is said; nanoseconds for each element; the ratio is the best peer's time to ours, median [least–greatest] of the rounds. `out=`: into an array that is there already. " + tally(results),
        "What the README quotes:",
        begin,
        brief(results),
        end,
    ]
    groups = {}
    for row in results["rows"]:
        groups.setdefault((row["threads"], row["n"]), []).append(row)
    for (threads, n), rows in groups.items():
        parts += [f"## {n:.0e} elements, {threads} thread{'s' if threads > 1 else ''}", full(rows)]
    grown = scaling(results)
    if grown:
        parts += ["## Two threads", "The same rows of the tables above, `arr` alone; the bar is 1.8 from 64k elements on, the target 1.95.", grown]
    called = in_python(results)
    if called:
        parts += ["## From Python", "The package `arrlang` on arrays of NumPy, beside `arr` alone: its time to ours, median [least–greatest] of the rounds.", called]
    notes = differences(results)
    if notes:
        parts += ["## Results that differ", "Compared with NumPy in f64, or in the integers of the kernel; such peers are left out of the ratios.", notes]
    return "\n\n".join(parts) + "\n"


def differences(results):
    found = {}
    for row in results["rows"]:
        for entry in row["times"]:
            if entry["wrong"]:
                found[f"- {row['file']} {row['dtype']}, {entry['variant']}: {entry['wrong']}"] = None
    return "\n".join(found)


def compact(results):
    """JSON with a line for each row."""
    rows = ",\n".join("  " + json.dumps(rounded(row)) for row in results["rows"])
    head = json.dumps({key: value for key, value in results.items() if key != "rows"}, indent=1)
    return f'{head[:-2]},\n "rows": [\n{rows}\n ]\n}}\n'


def rounded(row):
    times = [entry | {key: [float(f"{value:.4g}") for value in entry[key]] for key in ("ns", "min")} for entry in row["times"]]
    return row | {"times": times}


def write(results, here, root, name):
    """Writes the tables, and what the README quotes of them: of a level, behind the whole machine's."""
    (here / f"{name}.md").write_text(whole(results, name))
    readme = root / "README.md"
    text, (begin, end) = readme.read_text(), marks(name)
    if begin not in text:
        first = marks("results")[1]
        text = text.replace(first, f"{first}\n\n{begin}\n{end}")
    before, after = text.split(begin)[0], text.split(end)[1]
    readme.write_text(f"{before}{begin}\n\n{brief(results)}\n\n{end}{after}")
    print(f"{here / name}.md: {tally(results)}")
    return 0
