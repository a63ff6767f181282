"""What the end-to-end tests share: running the program, and small inputs made from nothing but the standard library."""
import json
import os
import struct
import subprocess
import tempfile
import unittest
import zipfile
from pathlib import Path

PROGRAM = os.environ["TAILCOST"]
SOURCE = Path(os.environ["TAILCOST_SOURCE"])
CMAKE = os.environ["CMAKE"]  # takes the compiler and its flags from CXX and CXXFLAGS

EXCHANGE, LOCAL, BUY, SELL = 1 << 31, 1 << 30, 1 << 29, 1 << 28
DEPTH, TRADE = 1, 2
FIELDS = ["ev <u8", "exch_ts <i8", "local_ts <i8", "px <f8", "qty <f8", "order_id <u8", "ival <i8", "fval <f8"]


def run(*words, cwd=None, env=None, prefix=(), timeout=120):
    environment = {**os.environ, **(env or {})}
    return subprocess.run([*prefix, PROGRAM, *map(str, words)], cwd=cwd, env=environment, capture_output=True, text=True, timeout=timeout)


def install(prefix):
    subprocess.run([CMAKE, "--install", os.environ["TAILCOST_BUILD"], "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)


def npy(rows, fields=FIELDS):
    """A .npy of packed 8-byte fields, as numpy writes it."""
    names = ", ".join("('%s', '%s')" % tuple(field.split()) for field in fields)
    header = "{'descr': [%s], 'fortran_order': False, 'shape': (%d,), }" % (names, len(rows))
    header += " " * (-(len(header) + 11) % 64) + "\n"
    layout = "<" + "".join({"u": "Q", "i": "q", "f": "d"}[field.split()[1][1]] for field in fields)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + b"".join(struct.pack(layout, *row) for row in rows)


def npz(path, rows, fields=FIELDS):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data.npy", npy(rows, fields))
    return path


def market_rows(count=2000):
    """Both sides' best levels now and then, and trades between: enough for a strategy to do something."""
    rows, start = [], 1_700_000_000_000_000_000
    for i in range(count):
        exch = start + i * 5_000_000
        side, tick = (BUY, 1000 - i % 7) if i % 2 == 0 else (SELL, 1001 + i % 7)
        kind = TRADE if i % 5 == 4 else DEPTH
        rows.append((EXCHANGE | LOCAL | side | kind, exch, exch + 1_000_000, tick * 0.1, 1.0 + i % 3, 0, 0, 0.0))
    return rows


class Case(unittest.TestCase):
    """A test in a folder of its own."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="tailcost_")
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        os.chmod(self.folder, 0o755)

    def path(self, name):
        return self.folder / name

    def good(self, *words, **options):
        done = run(*words, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def good_json(self, *words, **options):
        document = json.loads(self.good(*words, **options))
        self.assertIn("schema", document)
        self.assertIn("version", document)
        return document

    def refused(self, code, *words, says=(), **options):
        """Exactly one line on standard error, nothing on standard output, and that exit code."""
        done = run(*words, **options)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertTrue(done.stderr.startswith("tailcost: "), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for words_expected in [says] if isinstance(says, str) else says:
            self.assertIn(words_expected, done.stderr)

    def small_market(self, name="market"):
        npz(self.path("small.npz"), market_rows())
        self.good("data", "import", self.path("small.npz"), "-o", self.path(name), "--tick", "0.1", "--lot", "0.001", "--symbol", "TEST", "--currency", "USD")
        return name

    def write(self, name, value):
        self.path(name).write_text(value if isinstance(value, str) else json.dumps(value))
        return self.path(name)


def run_spec(**changes):
    return {"schema": "tailcost.run_spec", "version": 1, "datasets": ["market"], "strategy": {"name": "grid"},
            "lanes": [{"name": "now"}], **changes}


def pricing_spec(**changes):
    return {"schema": "tailcost.pricing_spec", "version": 1, "datasets": ["market"], "strategies": [{"name": "grid"}],
            "machines": [{"name": "none", "reaction": {"kind": "none"}}, {"name": "slow", "reaction": {"kind": "constant", "constant_ns": 2000000}}],
            "baseline": "none", "block_ns": 500000000, **changes}
