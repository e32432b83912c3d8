"""The worker of one Python library: a line of JSON in, a line of JSON out, as `worker.rs` is for `arr`.

Each library offers variants of a kernel, `torch`, `torch out=`, `torch.compile` and so on: functions without
arguments over operands that are in memory already. What a library cannot do, or what it does otherwise than asked,
is told by `prepare` as skipped, with the reason.
"""

import json
import os
import sys
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import data
import kernels


#: Nanoseconds from which a run is measured once in each turn.
LONG = 50_000_000


class Skipped(Exception):
    """Why there is no such variant."""


class Peer:
    def __init__(self, name, threads):
        self.name, self.threads = name, threads
        self.library = __import__(f"libraries.{name}", fromlist=["variants"])
        self.library.start(threads)
        self.operands, self.variants, self.expected, self.rounded = {}, [], None, None

    def prepare(self, request):
        # The arrays of the last kernel go first.
        self.operands, self.variants = {}, []
        kernel = kernels.row(request["kernel"])
        folder = Path(request["folder"])
        try:
            self.operands = {name: data.load(folder / f"{name}.npy") for name in kernel.operands}
        except ImportError as error:
            return {"variants": [], "once": [], "skipped": {self.name: str(error)}}
        skipped = {}
        names, once = [], []
        job = Job(kernel, request["dtype"], request["n"], self.operands, self.threads)
        for name, make in self.library.variants(job):
            try:
                run = make()
                run()
                once.append(least(run))
                self.variants.append(run)
                names.append(name)
            except Exception as error:  # Whatever a library says no with.
                reason = str(error).strip().splitlines() or [type(error).__name__]
                skipped[name] = reason[0][:100]
        return {"variants": names, "once": once, "skipped": skipped}

    def result(self, request):
        result = self.library.array(self.variants[request["variant"]]())
        data.np.save(request["file"], data.sample(result))
        return {}

    def time(self, request):
        """Runs for a while; nanoseconds of a run. Short runs are timed in batches."""
        run, whole = self.variants[request["variant"]], request["ms"] * 1_000_000
        clock = time.perf_counter_ns
        begun = clock()
        kept = run()
        kept = run()
        once = (clock() - begun) // 2
        batch = min(1000, max(1, 50_000 // max(1, once)))
        samples, begun = [], clock()
        while len(samples) < (3 if once < LONG else 1) or clock() - begun < whole:
            started = clock()
            for _ in range(batch):
                kept = run()
            samples.append((clock() - started) / batch)
        del kept
        samples.sort()
        return {"median": samples[len(samples) // 2], "min": samples[0], "calls": len(samples) * batch}

    def data(self, request):
        """Writes the operands of a kernel and keeps what it should give."""
        kernel, element, n = kernels.row(request["kernel"]), request["dtype"], request["n"]
        operands = {name: data.operand(what, name, element, n) for name, what in kernel.operands.items()}
        for name, array in operands.items():
            file = Path(request["folder"]) / f"{name}.npy"
            data.np.save(file, array.view("V2") if array.dtype.name == "bfloat16" else array)
        from libraries import numpy_peer

        # Elements that are equal may stand in any order: what lies at the positions is compared.
        self.through = operands["x"] if kernel.file == "argsort" else None
        self.expected = data.sample(numpy_peer.reference(kernel, element, operands))
        if self.through is not None:
            self.expected = self.through[self.expected]
        # Every operation rounded to the dtype, as NumPy and `arr` do.
        self.rounded = data.sample(numpy_peer.function(kernel)(*operands.values())) if kernel.kind == "half" else None
        return {}

    def compare(self, request):
        found = data.load(request["file"])
        kernel = kernels.row(request["kernel"])
        if self.through is not None:
            found = self.through[found.astype(int)]
        wrong = data.difference(found, self.expected, request["dtype"], kernel.kind in ("reduction", "groups"))
        once = self.rounded is not None and not data.np.array_equal(found, self.rounded)
        return {"wrong": wrong, "note": "rounds once" if once else None}

    def version(self, _):
        return {"version": self.library.version()}


def least(run):
    """The shortest of a few runs, in nanoseconds."""
    clock, samples, begun = time.perf_counter_ns, [], time.perf_counter_ns()
    while len(samples) < 2 or (len(samples) < 20 and clock() - begun < 30_000_000):
        started = clock()
        run()
        samples.append(clock() - started)
    return min(samples)


class Job:
    """A kernel with its operands."""

    def __init__(self, kernel, element, n, operands, threads):
        self.kernel, self.dtype, self.n, self.operands, self.threads = kernel, element, n, operands, threads

    @property
    def out_shape(self):
        shape = data.shape(self.n)
        by_form = {"rows": shape, "axis0": shape[1:], "axis1": shape[:1], "dot": (), "mse": ()}
        return by_form.get(self.kernel.form, (self.n,))

    @property
    def floats(self):
        return self.dtype in ("f16", "bf16", "f32", "f64", "c64")


def main():
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    peer = Peer(sys.argv[1], int(sys.argv[2]))
    for line in sys.stdin:
        request = json.loads(line)
        try:
            reply = getattr(peer, request["do"])(request)
        except Exception as error:
            traceback.print_exc()
            reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), file=out, flush=True)


if __name__ == "__main__":
    main()
