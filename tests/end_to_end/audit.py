"""The audit of the machine that runs the tests: its forms agree, its page lists every check, and it writes nothing."""
import json
import re
import unittest
from pathlib import Path

from program import SOURCE, Case, run


class Audit(Case):
    def test_the_page_lists_exactly_the_checks_there_are(self):
        page = (SOURCE / "docs" / "audit.md").read_text()
        listed = re.findall(r"^  (\w+) \(\w+\): ", self.good("audit", "--list"), re.M)
        self.assertEqual(sorted(re.findall(r"^\| `(\w+)` \|", page, re.M)), sorted(listed))

    def test_json_is_printed_and_written_alike_and_the_text_counts_every_finding(self):
        document = self.good_json("audit", "--json", "-o", self.path("audit.json"))
        self.assertEqual(json.loads(self.path("audit.json").read_text()), document)
        summary = self.good("audit").splitlines()[-1]
        self.assertEqual(sum(int(number) for number in re.findall(r"\d+", summary)), len(document["findings"]))

    def test_only_the_wanted_checks_are_made(self):
        document = json.loads(self.good("audit", "--json", "--only", "rt_throttling,swappiness"))
        self.assertEqual({each["id"] for each in document["findings"]}, {"rt_throttling", "swappiness"})

    def test_a_dry_run_leaves_the_settings_as_they_were(self):
        setting = Path("/proc/sys/vm/stat_interval")
        before = setting.read_text()
        self.good("audit", "--fix", "--dry-run")
        self.assertEqual(setting.read_text(), before)

    def test_a_finding_that_is_bad_crosses_the_threshold_and_only_where_asked(self):
        document = json.loads(self.good("audit", "--json", "--only", "rt_throttling"))
        if document["findings"][0]["verdict"] != "bad":
            self.skipTest("rt_throttling is not bad on this machine")
        self.assertEqual(run("audit", "--only", "rt_throttling", "--fail-on", "bad").returncode, 3)

    def test_wrong_questions_are_refused(self):
        self.refused(2, "audit", "--only", "no_such_check", says="--list")
        self.refused(2, "audit", "--fix", says="--dry-run")
        self.refused(2, "audit", "--cpus", "99999", says="not online")
        self.refused(2, "audit", "--workload", "dance", says="spin, sleep")


if __name__ == "__main__":
    unittest.main()
