#!/usr/bin/env python3
"""tools/tidy.py: checks that a compiler cannot make. Prints each fault with its place, or "tidy"."""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULE = re.compile(r"^\s*tailcost_module\((\w+)(?:\s+LINKS\s+([\w\s]+?))?\s*(?:(?:LIBRARIES|PRIVATE_LIBRARIES)\b[^)]*)?\)", re.M)
INCLUDE = re.compile(r'^#include "(?:tailcost/)?(\w+)/', re.M)

# Outside the modules' tree: these may include every module, but the product may include none of them.
OUTSIDE = ["tests", "bench", "fuzz", "examples"]

# Words that only some files may hold, and why the others may not.
BANNED = [
    (r"\bclock_gettime\b|\brdtscp?\b|__rdtscp?\b|_clock::now\b", r"^tailcost/host/(timer|clocks)\.(hpp|cpp)$|^bench/", "time comes in as an argument; only host/clocks and host/timer ask for it"),
    (r"\bstd::rand\b|\bsrand\b|\bstd::random_device\b", r"$^", "random numbers are keyed by seed, purpose and index (core/random.hpp)"),
    (r"\bstd::cout\b|\bprintf\s*\(", r"^(tailcost/cli/|tests/|bench/|fuzz/|examples/)|_test\.cpp$", "modules return values; the cli prints"),
    (r"\b(?:class|struct)\s+\w*(?:Manager|Handler|Helper|Util)\w*\b", r"$^", "a name that says nothing; what is it?"),
    (r"#include <CLI/", r"^tailcost/cli/parser\.cpp$", "8 seconds to compile: parser.cpp alone"),
    (r"#include <toml\+\+/", r"^tailcost/cli/spec_file\.cpp$", "4 seconds to compile: spec_file.cpp alone"),
]
TODO = re.compile(r"\b(?:TODO|FIXME|XXX)\b(?!\(#\d+\))")

# Sources without a test of their own beside them, each with the reason.
UNTESTED = {
    "tailcost/core/assert.cpp": "ends the process",
    "tailcost/audit/audit_schema.cpp": "a document, held against audits in audit_json_test",
    "tailcost/cli/main.cpp": "four lines",
    "tailcost/host/restore_failure.cpp": "one line to standard error",
    "tailcost/measure/probe_run.cpp": "real threads on real cores: run by profiler_test and in tests/end_to_end",
}
UNTESTED_PATTERNS = [
    (r"tailcost/audit/(setting|effect)_checks\.cpp$", "every check is seen good and bad in tailcost/audit/check_test.cpp"),
    (r"tailcost/cli/.*_command\.cpp$", "run as a user does, in tests/end_to_end"),
    (r"tailcost/cli/.*_with_progress\.cpp$", "run as a user does, in tests/end_to_end"),
    (r"tailcost/cli/measuring_left_out\.cpp$", "only where measuring is left out: run there, in tests/end_to_end"),
    (r"tailcost/cli/(commands|load_inputs|interrupt|demo_settings)\.cpp$", "run as a user does, in tests/end_to_end"),
]


def allowed_includes() -> dict[str, set[str]]:
    """Reads the link lines of CMakeLists.txt, so that the rule is written down once."""
    links = {name: set((deps or "").split()) for name, deps in MODULE.findall((ROOT / "CMakeLists.txt").read_text())}
    for name, deps in links.items():  # bottom first: what we link is already closed
        links[name] = {name} | deps.union(*(links[d] for d in deps))
    return links


def include_faults(path: Path, allowed: set[str]) -> list[str]:
    test_support = {"tests"} if path.name.endswith("_test.cpp") else set()
    return [f"{name(path)}: must not include {m}/" for m in INCLUDE.findall(path.read_text()) if m not in allowed | test_support]


def word_faults(path: Path) -> list[str]:
    faults = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        for pattern, exempt, reason in BANNED:
            if re.search(pattern, line.split("//")[0]) and not re.search(exempt, name(path)):
                faults.append(f"{name(path)}:{number}: {re.search(pattern, line)[0].strip()}: {reason}")
        if TODO.search(line):
            faults.append(f"{name(path)}:{number}: a TODO without the number of its issue: TODO(#12)")
    return faults


def test_faults(path: Path) -> list[str]:
    if path.name.endswith("_test.cpp") or path.with_name(path.stem + "_test.cpp").exists() or name(path) in UNTESTED:
        return []
    if any(re.search(pattern, name(path)) for pattern, _ in UNTESTED_PATTERNS):
        return []
    return [f"{name(path)}: no {path.stem}_test.cpp beside it"]


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.[ch]pp"))


def main() -> int:
    modules = allowed_includes()
    everything = set(modules) | {"cli"}
    faults = []
    for folder in sorted(p.name for p in (ROOT / "tailcost").iterdir() if p.is_dir()):
        if folder not in everything:
            faults.append(f"tailcost/{folder}: not a module of CMakeLists.txt")
        for path in sources(f"tailcost/{folder}"):
            faults += include_faults(path, modules.get(folder, everything)) + word_faults(path)
            faults += test_faults(path) if path.suffix == ".cpp" else []
    for folder in OUTSIDE:
        for path in sources(folder):
            faults += include_faults(path, everything | set(OUTSIDE)) + word_faults(path)
    print("\n".join(faults) or "tidy")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
