"""Every shell block that README.md and docs/ mark as ```sh test works as it stands, in a folder of its own, with tailcost installed."""
import os
import re
import subprocess
import unittest

from program import SOURCE, Case, install

BLOCK = re.compile(r"^```sh test\n(.*?)^```$", re.M | re.S)


class Documents(Case):
    def test_marked_blocks_run(self):
        documents = [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("*.md"))]
        self.assertTrue(any(BLOCK.search(document.read_text()) for document in documents))
        prefix = self.path("installed")
        install(prefix)
        environment = {**os.environ, "PATH": f"{prefix}/bin:{os.environ['PATH']}", "CMAKE_PREFIX_PATH": str(prefix), "XDG_DATA_HOME": str(self.path("data"))}
        for document in documents:
            folder = self.path(document.stem)
            folder.mkdir()
            for block in BLOCK.findall(document.read_text()):  # in one folder, in order: later blocks use what earlier ones made
                with self.subTest(document.name + ": " + block.splitlines()[0]):
                    done = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=folder, env=environment, capture_output=True, text=True, timeout=240)
                    self.assertEqual(done.returncode, 0, block + done.stderr)


if __name__ == "__main__":
    unittest.main()
