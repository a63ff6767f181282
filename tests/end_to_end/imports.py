"""Outputs of other tools, made here by those that are installed, become profiles that can be shown, priced where that makes sense, and exported."""
import importlib.util
import json
import re
import shutil
import subprocess
import unittest

from program import Case, pricing_spec

HISTOGRAM_ROW = re.compile(r"^\d{6} (\d+)", re.M)
SAMPLE = re.compile(r"^ +\d+: +\d+: +(\d+)$", re.M)


class Imports(Case):
    def tool(self, *words):
        if shutil.which(words[0]) is None:
            self.skipTest(f"{words[0]} is not installed")
        done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            self.skipTest(f"{words[0]} cannot run here: {done.stderr.strip()[-200:]}")
        return done.stdout

    def imported(self, text, *options):
        file = self.write("tool.txt", text)
        self.good("profiles", "import", file, "-o", self.path("profile.json"), *options)
        profile = json.loads(self.path("profile.json").read_text())
        self.assertEqual(profile["label"], "imported")
        return [probe for core in profile["cores"] for probe in core["probes"].values()]

    def test_each_form_of_cyclictest(self):
        run = ["cyclictest", "-t1", "-i", "1000", "-l", "300"]
        summary = self.tool(*run, "-q")
        self.assertEqual(self.imported(summary)[0]["published"][-1]["latency_ns"], 1000 * int(re.findall(r"Max: +(\d+)", summary)[-1]))

        for option in ("-h", "-H"):
            histogram = self.tool(*run, "-q", option, "5000")
            results = self.imported(histogram)
            self.assertEqual(len(results), 1)  # the column of sums is no thread
            self.assertEqual(results[0]["laws"]["events"]["count"], sum(map(int, HISTOGRAM_ROW.findall(histogram))))

        stream = self.tool(*run, "-v", "-N")
        samples = [int(sample) for sample in SAMPLE.findall(stream)]
        events = self.imported(stream, "--unit", "ns")[0]["laws"]["events"]
        self.assertEqual((events["count"], events["max_ns"]), (len(samples), max(samples)))

        self.tool(*run, "-q", "-h", "5000", "--json=tool.json")
        document = json.loads(self.path("tool.json").read_text())
        counted = sum(document["thread"]["0"]["histogram"].values())
        self.assertEqual(self.imported(json.dumps(document))[0]["laws"]["events"]["count"], counted)

    def test_text_and_json_of_oslat_agree(self):
        text = self.tool("oslat", "-D", "1", "-c", "0", "--json=tool.json")
        self.assertEqual(self.imported(text), self.imported(self.path("tool.json").read_text()))

    def test_an_imported_profile_is_priced_by_its_events_and_refused_where_it_knows_too_little(self):
        self.small_market()
        self.imported("# Histogram\n000005 000090\n000020 000010\n# Min Latencies: 00005\n# Max Latencies: 00020\n")

        def spec(**reaction):
            machines = [{"name": "none", "reaction": {"kind": "none"}},
                        {"name": "other", "reaction": {"profile": "profile.json", "probe": "wakeup", **reaction}}]
            return self.write("price.json", pricing_spec(machines=machines))

        self.good("price", spec(kind="independent_draws", law="events"))
        self.refused(2, "price", spec(kind="independent_draws", law="arrivals"), says="does not say how long was observed")
        self.refused(2, "price", spec(kind="independent_draws", law="deadlines"), says='cyclictest does not give that law')
        self.refused(2, "price", spec(kind="stall_playback"), says="independent_draws")

        self.imported("T: 0 (7) P: 1 I:1000 C: 300 Min: 11 Act: 14 Avg: 15 Max: 34\n")
        self.refused(2, "price", spec(kind="independent_draws"), says="the maximum and no quantile below it")

    @unittest.skipUnless(importlib.util.find_spec("hdrh"), "the Python package hdrhistogram is not installed")
    def test_an_exported_log_is_read_by_the_hdrhistogram_library(self):
        from hdrh.histogram import HdrHistogram
        from hdrh.log import HistogramLogReader

        self.imported("# Histogram\n000005 000090\n000020 000010\n# Min Latencies: 00005\n# Max Latencies: 00020\n")
        self.good("profiles", "export", self.path("profile.json"), "--format", "hdr", "-o", self.path("log.hlog"))
        read = HistogramLogReader(str(self.path("log.hlog")), HdrHistogram(1, 3_600_000_000_000, 3)).get_next_interval_histogram()
        self.assertEqual(read.get_total_count(), 100)
        self.assertAlmostEqual(read.get_value_at_percentile(50), 5000, delta=5)
        self.assertAlmostEqual(read.get_max_value(), 20000, delta=20)


if __name__ == "__main__":
    unittest.main()
