#!/usr/bin/env python3
"""Counts the instructions of a backtest on a fixed synthetic session and compares them with bench/instructions.json.

    bench/instructions.py BUILD_FOLDER [--write]

Instructions, unlike seconds, are the same on a busy machine. More than 10 % above the record fails; more than 10 % below is told, so that the
record can follow with --write. Other compilers make other instructions: the record is g++ 12's at -O2, of the release preset.
"""
import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ALLOWED = 0.10
RECORD = Path(__file__).resolve().parent / "instructions.json"
RUNS = {"replay": ["--mode", "replay"], "grid": ["--mode", "grid"], "grid of 20 lanes": ["--mode", "grid", "--lanes", "20"]}


def count(bench, data, options):
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={scratch}/out", "--toggle-collect=tailcost::run_backtest(*",
             bench, data, *options, "--repeat", "1"], capture_output=True, text=True, check=False)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not collected:
        sys.exit(f"valgrind failed: {done.stderr[-500:]}")
    return int(collected[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    if not shutil.which("valgrind"):
        print("skipped: valgrind is not installed")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        data = f"{scratch}/session"
        subprocess.run([args.build / "tailcost/cli/tailcost", "data", "generate", "-o", data, "--seed", "7", "--duration", "3m", "--quiet"],
                       check=True, stdout=subprocess.DEVNULL)
        counts = {name: count(args.build / "bench/backtest_bench", data, options) for name, options in RUNS.items()}
    if args.write:
        RECORD.write_text(json.dumps(counts, indent=2) + "\n")
    record = json.loads(RECORD.read_text())
    worse = 0
    for name, found in counts.items():
        change = found / record[name] - 1
        print(f"{name}: {found:,} instructions, {change:+.1%} of the record")
        if change > ALLOWED:
            worse += 1
        elif change < -ALLOWED:
            print(f"  fewer: bring the record up to date with bench/instructions.py {args.build} --write")
    if worse:
        print(f"{worse} of {len(counts)} take more than {ALLOWED:.0%} more instructions than recorded: find out why, or say in the commit why it is worth it")
    return min(worse, 1)


if __name__ == "__main__":
    sys.exit(main())
