"""A setting of the kernel that a run changed is as before, whoever is killed and when. Real settings and signals: needs root."""
import os
import shutil
import signal
import subprocess
import threading
import time
import unittest
from pathlib import Path

from program import PROGRAM, Case, run

SETTING = Path("/proc/sys/kernel/sched_rt_runtime_us")
NOTES = Path("/run/tailcost")
CORES = sorted(os.sched_getaffinity(0))
LIFTED = ["measure", "--lift-rt-throttling", "--warmup", "100ms", "--quiet"]


def value():
    return SETTING.read_text().strip()


def wait_until(what, condition, seconds):
    """How long it took."""
    started = time.monotonic()
    while not condition():
        if time.monotonic() - started > seconds:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.005)
    return time.monotonic() - started


def guardian_of(process):
    """The child that leads a session of its own."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return next(int(child) for child in children if os.getsid(int(child)) == int(child))


def is_there(process):
    """False for one that has ended and that nobody has waited for."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@unittest.skipUnless(os.geteuid() == 0 and os.access(SETTING, os.W_OK), f"only root, outside of a container, may change {SETTING}")
@unittest.skipUnless(len(CORES) > 1, "a real-time spinner needs a core that is not the test's")
class KilledRun(Case):
    def setUp(self):
        super().setUp()
        self.before = value()
        if self.before == "-1":
            self.skipTest(f"{SETTING} is -1 already, so that there is nothing to lift")
        self.addCleanup(self.put_back)
        os.sched_setaffinity(0, CORES[:1])
        self.addCleanup(os.sched_setaffinity, 0, CORES)

    def put_back(self):
        if value() != self.before:
            SETTING.write_text(self.before)

    def start(self, *words, prefix=()):
        """A run that may use all cores, though the test keeps to the lowest."""
        process = subprocess.Popen([*prefix, PROGRAM, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   preexec_fn=lambda: os.sched_setaffinity(0, CORES))
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def start_lifted(self, *words):
        process = self.start(*LIFTED, "--duration", "20s", *words)
        wait_until("the budget is lifted", lambda: value() == "-1", 5)
        return process

    def notes(self):
        return [note.name for note in NOTES.glob("*.undo")]

    def test_a_run_that_ends_well_has_put_back_and_left_no_note(self):
        process = self.start(*LIFTED, "--duration", "200ms", "--probes", "wakeup")
        wait_until("the budget is lifted", lambda: value() == "-1", 5)
        guardian = guardian_of(process)
        self.assertEqual(process.wait(timeout=20), 0)
        self.assertEqual((value(), self.notes(), is_there(guardian)), (self.before, [], False))
        self.assertEqual(process.stderr.read(), "")

    def test_without_root_it_is_refused_with_what_to_do(self):
        self.refused(1, *LIFTED, says=[f"cannot set {SETTING} to -1", "run as root"], prefix=["setpriv", "--reuid", "65534", "--clear-groups"])

    def test_the_guardian_puts_back_within_a_second_after_the_run_is_killed(self):
        for number in (signal.SIGKILL, signal.SIGSEGV):
            process = self.start_lifted()
            guardian = guardian_of(process)
            time.sleep(0.5)
            process.send_signal(number)
            wait_until("the guardian puts back", lambda: value() == self.before, 1)
            wait_until("the guardian ends", lambda: not is_there(guardian), 1)
            self.assertIn(f"put back {SETTING} to {self.before}, which process {process.pid} had set to -1", process.stderr.read())
            self.assertEqual(self.notes(), [])

    def test_an_interrupted_run_puts_back_by_itself(self):
        process = self.start_lifted()
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=20), 130, process.stderr.read())
        self.assertEqual((value(), self.notes()), (self.before, []))

    def test_a_run_whose_guardian_is_killed_says_so_and_puts_back_by_itself(self):
        process = self.start(*LIFTED, "--duration", "1s", "--probes", "wakeup")
        wait_until("the budget is lifted", lambda: value() == "-1", 5)
        os.kill(guardian_of(process), signal.SIGKILL)
        self.assertEqual(process.wait(timeout=20), 0)
        self.assertIn("the guardian process was ended by somebody", process.stderr.read())
        self.assertEqual((value(), self.notes()), (self.before, []))

    def test_the_next_start_puts_back_where_guardian_and_run_are_killed(self):
        process = self.start_lifted()
        os.kill(guardian_of(process), signal.SIGKILL)
        process.kill()
        process.wait()
        self.assertEqual((value(), len(self.notes())), ("-1", 1))
        done = run("version")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, f"tailcost: put back {SETTING} to {self.before}, which process {process.pid} had set to -1\n")
        self.assertEqual((value(), self.notes()), (self.before, []))
        self.assertEqual(run("version").stderr, "")

    def test_what_somebody_else_set_meanwhile_stays(self):
        process = self.start_lifted()
        other = str(int(self.before) + 1)  # groups with a budget of their own forbid less
        SETTING.write_text(other)
        process.kill()
        said = process.stderr.read()  # until the guardian has ended as well
        self.assertEqual((value(), self.notes()), (other, []))
        self.assertIn(f"is left at {other}: somebody changed it", said)

    def test_a_second_run_does_not_change_what_the_first_has_changed(self):
        self.start_lifted("--probes", "wakeup")
        SETTING.write_text(self.before)
        done = run(*LIFTED, "--duration", "200ms", "--probes", "wakeup")
        self.assertEqual(done.returncode, 1)
        self.assertIn("has changed it too; wait for its end", done.stderr)

    @unittest.skipUnless(shutil.which("strace"), "only strace can kill between two given calls")
    def test_a_run_that_is_killed_between_note_and_change_has_changed_nothing(self):
        process = self.start(*LIFTED, "--duration", "5s", "--probes", "wakeup",
                             prefix=["strace", "-f", "-qq", "-s", "200", "-o", str(self.path("calls")), "-e", "trace=fsync,write", "-e", "inject=fsync:signal=SIGKILL:when=2"])
        said = process.stderr.read()
        calls = self.path("calls").read_text()
        self.assertIn(f"{SETTING}\\n{self.before}\\n-1\\n", calls)
        self.assertIn("killed by SIGKILL", calls)
        self.assertNotIn('"-1"', calls)
        self.assertNotIn("put back", said)
        self.assertEqual((value(), self.notes()), (self.before, []))

    def test_two_real_time_spinners_on_one_core_and_all_cores_asked_for_leave_the_machine_alive(self):
        everything = ["--probes", "spin", "--scheduling", "fifo", "--cpus", ",".join(map(str, CORES))]
        first = self.start_lifted(*everything)
        time.sleep(0.5)
        second = self.start("measure", "--warmup", "100ms", "--duration", "1s", "--quiet", *everything)
        pauses, is_over = [], threading.Event()

        def beat():
            while not is_over.is_set():
                due = time.monotonic() + 0.01
                time.sleep(0.01)
                pauses.append(time.monotonic() - due)

        heart = threading.Thread(target=beat)
        heart.start()
        time.sleep(2)
        self.assertEqual(value(), "-1")
        first.kill()
        took = wait_until("the guardian puts back", lambda: value() == self.before, 1)
        code = second.wait(timeout=20)
        is_over.set()
        heart.join()
        print(f"put back after {took * 1e3:.0f} ms; longest pause of a normal thread {max(pauses) * 1e3:.0f} ms; the other spinner ended with {code}")
        said = second.stderr.read()
        if code != 0:  # on all cores the program's own threads run on measured ones, and it says so where that is too much
            self.assertEqual(code, 1, said)
            self.assertIn("the measuring program itself took", said)
        self.assertLess(max(pauses), 2)
        self.assertEqual(self.notes(), [])


if __name__ == "__main__":
    unittest.main()
