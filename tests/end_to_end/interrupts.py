"""SIGINT and SIGTERM: what was measured is kept, everything else leaves nothing behind."""
import json
import os
import signal
import subprocess
import time
import unittest

from program import PROGRAM, Case, pricing_spec


class Interrupts(Case):
    def interrupted(self, number, after, *words):
        process = subprocess.Popen([PROGRAM, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(after)
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("interrupted", err.splitlines()[-1])
        return out, err

    def test_measure_keeps_what_it_has(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            out, _ = self.interrupted(number, 1.5, "measure", "--duration", "60s", "--warmup", "100ms", "--quiet", "--json", "-o", self.path("p.json"))
            profile = json.loads(self.path("p.json").read_text())
            self.assertEqual(profile, json.loads(out))
            for core in profile["cores"]:
                self.assertFalse(core["probes"]["wakeup"]["complete"])
                self.assertGreater(core["probes"]["wakeup"]["laws"]["events"]["count"], 0)
            self.path("p.json").unlink()

    def test_generate_leaves_nothing(self):
        self.interrupted(signal.SIGINT, 1.0, "data", "generate", "--duration", "7d", "-o", self.path("market"))
        self.assertEqual(os.listdir(self.folder), [])

    def test_price_leaves_nothing(self):
        self.good("data", "generate", "--duration", "20m", "-o", self.path("market"))
        machines = [{"name": "none", "reaction": {"kind": "none"}}] + [{"name": str(i), "reaction": {"kind": "constant", "constant_ns": i}} for i in range(1, 500)]
        spec = self.write("spec.json", pricing_spec(machines=machines, strategies=[{"name": "mean_reversion"}], block_ns=60_000_000_000))
        self.interrupted(signal.SIGINT, 2.0, "price", spec, "-o", self.path("result.json"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["market", "spec.json"])


if __name__ == "__main__":
    unittest.main()
