"""Holds every peer to a level of instructions, so that one machine measures the tables of several.

A peer is held by what it documents for that: variables of its environment, and for PyTorch's compiler a setting.
"""

import json
import subprocess

LEVELS = ["avx2"]

#: What LLVM may use. The processor is named too, for its costs: the last of its maker without AVX-512.
FEATURES = "+sse3,+ssse3,+sse4.1,+sse4.2,+popcnt,+cx16,+movbe,+avx,+avx2,+fma,+f16c,+bmi,+bmi2,+lzcnt"
PROCESSORS = {"AuthenticAMD": "znver3", "GenuineIntel": "haswell"}

#: What NumPy chooses from, by names that changed between its versions.
ASK_NUMPY = """
import json
from numpy._core._multiarray_umath import __cpu_dispatch__
print(json.dumps(list(__cpu_dispatch__)))
"""


def variables(level, peer, python):
    """The environment that holds a peer to a level; nothing without one."""
    if level is None:
        return {}
    if peer == "arr":
        return {"ARR_ISA": level}
    held = {"NPY_DISABLE_CPU_FEATURES": " ".join(beyond(python)), "ARR_PEERS_ISA": level}
    if peer in ("numba", "svml"):
        held |= {"NUMBA_CPU_NAME": PROCESSORS.get(maker(), "haswell"), "NUMBA_CPU_FEATURES": FEATURES}
    if peer == "jax":
        held["XLA_FLAGS"] = "--xla_cpu_max_isa=AVX2"
    if peer == "torch":
        held["ATEN_CPU_CAPABILITY"] = "avx2"
        # PyTorch calls it for functions of contiguous arrays, and it looks at the processor itself.
        held["MKL_ENABLE_INSTRUCTIONS"] = "AVX2"
    return held


def beyond(python):
    """The instructions of AVX-512 that this NumPy has code for."""
    found = subprocess.run([str(python), "-c", ASK_NUMPY], capture_output=True, text=True)
    names = json.loads(found.stdout) if found.returncode == 0 else []
    return [name for name in names if "512" in name or name == "X86_V4"]


def maker():
    with open("/proc/cpuinfo") as text:
        return next((line.split(":", 1)[1].strip() for line in text if line.startswith("vendor_id")), "")
