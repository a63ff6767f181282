"""No coordinated omission: a process that stands still for 50 ms in every second misses its deadlines, and the deadlines law says so."""
import json
import signal
import subprocess
import time
import unittest

from program import PROGRAM, Case


class StoppedProcess(Case):
    def test_the_deadlines_law_sees_what_the_events_law_does_not(self):
        command = [PROGRAM, "measure", "--probes", "wakeup", "--period", "200us", "--duration", "20s", "--warmup", "500ms", "--quiet",
                   "-o", str(self.path("p.json"))]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        due = time.monotonic() + 1.0
        while process.poll() is None:
            time.sleep(max(0.0, due - time.monotonic()))
            stopped = time.monotonic()
            process.send_signal(signal.SIGSTOP)
            time.sleep(max(0.0, stopped + 0.050 - time.monotonic()))
            process.send_signal(signal.SIGCONT)
            due += 1.0
        self.assertEqual(process.returncode, 0)
        core = json.loads(self.path("p.json").read_text())["cores"][0]
        laws = core["probes"]["wakeup"]["laws"]
        self.assertGreater(laws["deadlines"]["p99_ns"], 35_000_000)
        self.assertLess(laws["deadlines"]["p99_ns"], 45_000_000)
        self.assertLess(laws["events"]["p99_ns"], 5_000_000)


if __name__ == "__main__":
    unittest.main()
