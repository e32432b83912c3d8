"""The peers on this machine: virtual environments, the worker of `arr`, and what the machine is."""

import json
import os
import platform
import subprocess
import sys
import venv

PACKAGES = ["numpy", "scipy", "ml_dtypes", "numexpr", "numba", "jax", "pandas", "polars"]
#: PyTorch without the libraries of graphics cards.
TORCH = ["torch", "--index-url", "https://download.pytorch.org/whl/cpu"]
#: The last Numba whose LLVM knows Intel's short vector math library.
SVML = ["numba==0.60.*", "numpy<2.1", "scipy", "intel-cmplr-lib-rt"]


def install(options, folder):
    """The Python of each environment; installs what is not there."""
    places = {}
    for name, given, default in (("peers", options.venv, "venv"), ("svml", options.svml_venv, "venv-svml")):
        path = (given or folder / default).absolute()
        if not path.exists() and not given and not options.offline:
            create(path, name)
        python = path / "bin" / "python"
        places[name] = python if python.exists() else None
    return places


def create(path, name):
    print(f"installing {name} into {path}", file=sys.stderr, flush=True)
    venv.create(path, with_pip=True)
    pip = [str(path / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check"]
    if name == "svml":
        wanted = [SVML]
    else:
        # Where the index of PyTorch is out of reach, the larger package of PyPI does as well.
        wanted = [PACKAGES, TORCH] if subprocess.run(pip + TORCH, check=False).returncode == 0 else [PACKAGES, ["torch"]]
    for packages in wanted:
        if subprocess.run(pip + packages, check=False).returncode != 0:
            print(f"could not install {' '.join(packages)}", file=sys.stderr, flush=True)


def lacks(python, module):
    """Why a peer is missing, in words; nothing when it is there."""
    if python is None:
        return "no virtual environment"
    found = subprocess.run([str(python), "-c", f"import {module}"], capture_output=True, text=True)
    lines = found.stderr.strip().splitlines() or [""]
    return None if found.returncode == 0 else lines[-1][:120]


def build(root):
    """Builds the worker of `arr`, and remembers where it is."""
    command = ["cargo", "build", "--release", "--bench", "worker", "--message-format", "json"]
    built = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, text=True, check=True)
    for line in built.stdout.splitlines():
        message = json.loads(line)
        if message.get("executable") and message["target"]["name"] == "worker":
            PLACE["worker"] = message["executable"]


def bind(root, python):
    """Installs `arr` for Python as it is now; without it the rows of others are measured all the same."""
    if python is not None:
        command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(root / "python")]
        subprocess.run(command, env=os.environ | {"CARGO_TARGET_DIR": str(root / "target" / "python")}, check=False)


PLACE = {}


def worker(_root):
    return PLACE["worker"]


def machine(isa):
    """What the table was measured on; `isa` is what everybody was held to."""
    text = open("/proc/cpuinfo").read()
    line = next((line for line in text.splitlines() if line.startswith("model name")), ": " + platform.processor())
    flags = next((line for line in text.splitlines() if line.startswith("flags")), "").split()
    held = f" held to {isa.upper()}" if isa else ""
    wide = "AVX-512" if "avx512f" in flags else "AVX2" if "avx2" in flags else "no AVX2"
    return f"{line.split(':', 1)[1].strip()}, {wide}{held}, {len(os.sched_getaffinity(0))} processors, Linux {platform.release()}"
