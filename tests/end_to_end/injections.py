"""Causes made on purpose show where they must and are named: a stopped process, a processor quota, the real-time budget, a FIFO hog."""
import json
import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from program import PROGRAM, Case

CPU = max(os.sched_getaffinity(0))
BUDGET = Path("/proc/sys/kernel/sched_rt_runtime_us")

# Runs in real time above the probe for 20 ms of each 200 ms, then gives the core back.
HOG = """
import os, time
os.sched_setaffinity(0, {%d})
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(90))
print("ready", flush=True)
for burst in range(60):
    end = time.monotonic() + 0.02
    while time.monotonic() < end:
        pass
    time.sleep(0.18)
"""


def may_have_real_time():
    try:
        before = os.sched_getscheduler(0)
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        os.sched_setscheduler(0, before, os.sched_param(0))
        return True
    except PermissionError:
        return False


class Injections(Case):
    def profile(self, *arguments, preexec=None):
        out = self.path("p.json")
        done = subprocess.run([PROGRAM, "measure", "--cpus", str(CPU), "--quiet", "-o", str(out), *arguments], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, preexec_fn=preexec)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(out.read_text())

    def signs(self, profile, cause):
        return [sign for sign in profile["signs"] if sign["cause"] == cause] if "signs" in profile else []

    def test_a_stopped_process_is_named_with_the_time_it_stood_still(self):
        out = self.path("p.json")
        process = subprocess.Popen([PROGRAM, "measure", "--cpus", str(CPU), "--probes", "spin", "--duration", "4s", "--warmup", "500ms",
                                    "--quiet", "-o", str(out)], stdout=subprocess.DEVNULL)
        time.sleep(1.5)
        for _ in range(5):
            process.send_signal(signal.SIGSTOP)
            time.sleep(0.05)
            process.send_signal(signal.SIGCONT)
            time.sleep(0.2)
        self.assertEqual(process.wait(), 0)
        signs = self.signs(json.loads(out.read_text()), "stopped")
        self.assertEqual(len(signs), 1)
        self.assertEqual(signs[0]["count"], 5)
        self.assertGreater(signs[0]["lost_ns"], 5 * 45_000_000)
        self.assertLess(signs[0]["lost_ns"], 5 * 100_000_000)

    def test_a_processor_quota_is_named_with_its_group(self):
        folder = self.quota_group()
        try:
            profile = self.profile("--probes", "spin", "--scheduling", "normal", "--duration", "2s", "--warmup", "200ms",
                                   preexec=lambda: (folder / "cgroup.procs").write_text(str(os.getpid())))
        finally:
            folder.rmdir()
        signs = self.signs(profile, "cgroup_quota")
        self.assertEqual(len(signs), 1)
        self.assertIn(f"/{folder.name} used its processor quota up", signs[0]["evidence"])
        self.assertGreater(signs[0]["count"], 10)
        gaps = profile["cores"][0]["probes"]["spin"]["laws"]["events"]
        self.assertGreater(gaps["max_ns"], 20_000_000)  # 50 ms of each 100 ms are not given, shared by all threads of the group

    def quota_group(self):
        name = f"tailcost_test_{os.getpid()}"
        first = Path("/sys/fs/cgroup/cpu")
        try:
            if (first / "cpu.cfs_quota_us").exists() or (first / "tasks").exists():
                folder = first / name
                folder.mkdir()
                (folder / "cpu.cfs_quota_us").write_text("50000")
            else:
                folder = Path("/sys/fs/cgroup") / name
                folder.mkdir()
                (folder / "cpu.max").write_text("50000 100000")
        except OSError as refusal:
            self.skipTest(f"a control group with a quota cannot be made here: {refusal}")
        return folder

    def test_the_kernels_real_time_budget_is_named(self):
        if not may_have_real_time():
            self.skipTest("real-time priority is refused here")
        if BUDGET.read_text().strip() != "950000":
            self.skipTest("kernel.sched_rt_runtime_us is not the usual 950000 here")
        profile = self.profile("--probes", "spin", "--scheduling", "fifo", "--duration", "5s", "--warmup", "200ms")
        signs = self.signs(profile, "rt_throttling")
        self.assertEqual(len(signs), 1)
        self.assertGreaterEqual(signs[0]["count"], 3)
        self.assertGreater(signs[0]["lost_ns"], 3 * 40_000_000)
        self.assertEqual(signs[0]["cpu"], CPU)

    def test_a_fifo_hog_is_named_with_its_process(self):
        if not may_have_real_time():
            self.skipTest("real-time priority is refused here")
        hog = subprocess.Popen([sys.executable, "-c", HOG % CPU], stdout=subprocess.PIPE, text=True)
        try:
            self.assertEqual(hog.stdout.readline(), "ready\n")
            profile = self.profile("--probes", "wakeup", "--scheduling", "fifo", "--priority", "80", "--duration", "5s", "--warmup", "200ms")
        finally:
            hog.kill()
            hog.communicate()
        signs = [sign for sign in self.signs(profile, "real_time_thread") if f"process {hog.pid}," in sign["evidence"]]
        self.assertEqual(len(signs), 1)
        self.assertIn("at priority 90", signs[0]["evidence"])
        self.assertGreater(signs[0]["lost_ns"], 300_000_000)
        laws = profile["cores"][0]["probes"]["wakeup"]["laws"]
        self.assertGreater(laws["deadlines"]["p99_ns"], 15_000_000)  # a tenth of the deadlines falls into 20 ms
        self.assertLess(laws["events"]["p90_ns"], 5_000_000)

    def test_a_quiet_run_names_none_of_these(self):
        profile = self.profile("--probes", "wakeup", "--duration", "1s", "--warmup", "200ms")
        for cause in ("stopped", "cgroup_quota", "rt_throttling", "instrument"):
            self.assertEqual(self.signs(profile, cause), [], cause)


if __name__ == "__main__":
    unittest.main()
