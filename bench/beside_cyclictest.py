#!/usr/bin/env python3
"""bench/beside_cyclictest.py PROGRAM [PAIRS] [SECONDS]   our wake-up probe beside cyclictest, in alternating runs on one core.

Same fixed period (200 us), priority (95) and core (1), nanoseconds, every sample. Prints each pair and the median ratio of our events law to
cyclictest's samples at p50 and p90, and how many of the expected deadlines each of them counted. Needs rt-tests and root."""
import json
import math
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PERIOD_US = 200
CORE = 1


def quantile(ascending, q):
    return ascending[max(0, math.ceil(q * len(ascending)) - 1)]


def cyclictest(seconds):
    text = subprocess.run(["cyclictest", "-m", "-t1", "-p95", "-i", str(PERIOD_US), "-a", str(CORE), "-N", "-v", "-D", str(seconds)],
                          check=True, capture_output=True, text=True).stdout
    values = sorted(int(found.group(1)) for found in re.finditer(r"^\s*0:\s*\d+:\s*(\d+)", text, re.M))
    return {"p50": quantile(values, 0.5), "p90": quantile(values, 0.9), "p99.9": quantile(values, 0.999), "counted": len(values)}


def ours(program, seconds, folder):
    out = Path(folder) / "profile.json"
    subprocess.run([program, "measure", "--probes", "wakeup", "--cpus", str(CORE), "--scheduling", "fifo", "--priority", "95",
                    "--fixed-period", "--period", f"{PERIOD_US}us", "--duration", f"{seconds}s", "--quiet", "-o", str(out)],
                   check=True, stdout=subprocess.DEVNULL)
    result = json.loads(out.read_text())["cores"][0]["probes"]["wakeup"]
    events = result["laws"]["events"]
    return {"p50": events["p50_ns"], "p90": events["p90_ns"], "p99.9": events["p99_9_ns"], "counted": result["deadlines_expected"],
            "missed": result["deadlines_missed"], "deadlines p99.9": result["laws"]["deadlines"]["p99_9_ns"]}


def main():
    program = sys.argv[1]
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    seconds = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    expected = pairs * seconds * 1_000_000 / PERIOD_US
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for pair in range(pairs):
            if pair % 2:
                mine, theirs = ours(program, seconds, folder), cyclictest(seconds)
            else:
                theirs, mine = cyclictest(seconds), ours(program, seconds, folder)
            rows.append((mine, theirs))
            print(pair, "cyclictest", theirs, "tailcost", mine, flush=True)
    for q in ("p50", "p90"):
        print(f"median ratio at {q}: {statistics.median(mine[q] / theirs[q] for mine, theirs in rows):.3f}")
    for name, index in (("tailcost", 0), ("cyclictest", 1)):
        print(f"{name} counted {100 * sum(row[index]['counted'] for row in rows) / expected:.2f} % of the expected deadlines")


if __name__ == "__main__":
    main()
