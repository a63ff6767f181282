#!/usr/bin/env python3
"""Times the engine beside the reference engine's published package: same file, same core, alternating; prints the ratios with their spread.

    python3 -m venv peer && peer/bin/pip install hftbacktest==2.4.4
    bench/beside_peer.py --peer-python peer/bin/python --peer-script GRID_HFTBACKTEST.py DATA.npz [--rounds 7] [--cpu 1]

The peer's script times its faster (ROI) book without loading and compiling; ours is timed from opening the imported dataset to the result.
Each round takes the median of a few repeats of either; a ratio is one round's, so that what slows the machine slows both.
"""
import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path


def last_line(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--peer-python", type=Path, required=True)
    parser.add_argument("--peer-script", type=Path, required=True)
    parser.add_argument("--bench", type=Path, default=Path(__file__).resolve().parent.parent / "build/release/bench/backtest_bench")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--cpu", type=int, default=1)
    parser.add_argument("--lanes", type=int, default=1000)
    args = parser.parse_args()
    pin = ["taskset", "-c", str(args.cpu)]
    ratios = {"replay": [], "grid": [], "lanes": []}
    rates = {"replay": [], "grid": []}
    for number in range(args.rounds):
        for mode in ("replay", "grid"):
            peer = last_line([*pin, args.peer_python, args.peer_script, args.data, "--depth", "roi", "--mode", mode, "--repeat", "5"])
            ours = last_line([*pin, args.bench, args.data, "--mode", mode, "--repeat", "9"])
            if mode == "replay" and peer[0]["checksum"] != ours[0]["checksum"]:
                sys.exit(f"the books differ: checksum {ours[0]['checksum']} beside the peer's {peer[0]['checksum']}")
            if mode == "grid" and (peer[0]["submits"], peer[0]["trades"]) != (ours[0]["submits"], ours[0]["trades"]):
                sys.exit("the grids differ in submits or trades")
            theirs, own = peer[-1]["median_rows_per_s"], ours[-1]["median_rows_per_s"]
            ratios[mode].append(own / theirs)
            rates[mode].append((own, theirs))
            if mode == "grid":
                many = last_line([*pin, args.bench, args.data, "--mode", "grid", "--lanes", str(args.lanes), "--repeat", "1"])
                ratios["lanes"].append(many[0]["seconds"] / (ours[0]["rows"] / theirs))
        print(f"round {number + 1}: replay {ratios['replay'][-1]:.1f}x, grid {ratios['grid'][-1]:.1f}x, "
              f"{args.lanes} lanes in {ratios['lanes'][-1]:.0f} grid runs of the peer", flush=True)
    for name, values in ratios.items():
        line = {"figure": name, "median": round(statistics.median(values), 2), "min": round(min(values), 2), "max": round(max(values), 2)}
        if name in rates:
            line["rows_per_s"] = round(statistics.median(own for own, _ in rates[name]))
            line["peer_rows_per_s"] = round(statistics.median(theirs for _, theirs in rates[name]))
        print(json.dumps(line))


if __name__ == "__main__":
    main()
