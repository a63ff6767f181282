"""Help, completion and bad usage."""
import re
import subprocess
import unittest

from program import PROGRAM, SOURCE, Case

COMMANDS = [["measure"], ["audit"], ["data", "import"], ["data", "generate"], ["data", "inspect"], ["backtest"], ["price"], ["report"],
            ["profiles", "list"], ["profiles", "show"], ["demo"], ["schema"], ["completion"], ["version"]]


def options_in(help_text):
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", help_text.split("Example:")[0])) - {"--help"}


class Usage(Case):
    def test_every_command_is_in_the_help_and_its_help_has_an_example(self):
        top = self.good("--help")
        for command in COMMANDS:
            self.assertIn(command[0], top)
            text = self.good(*command, "--help")
            self.assertRegex(text, r"Example:\n  (sudo |source <\()?tailcost " + " ".join(command))

    def test_every_option_is_in_every_shells_completion(self):
        scripts = {shell: self.good("completion", shell) for shell in ("bash", "zsh", "fish")}
        for command in COMMANDS:
            for option in options_in(self.good(*command, "--help")):
                self.assertIn(option, scripts["bash"])
                self.assertIn(option, scripts["zsh"])
                self.assertIn(" -l " + option[2:], scripts["fish"])

    def test_every_option_is_in_the_documentation(self):
        page = (SOURCE / "docs" / "cli.md").read_text()
        for command in COMMANDS:
            for option in options_in(self.good(*command, "--help")):
                self.assertIn("`" + option, page, " ".join(command))

    def test_bash_completes_commands_options_and_choices(self):
        self.write("completion.bash", self.good("completion", "bash"))

        def complete(*words):
            script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tailcost; printf "%s\\n" "${COMPREPLY[@]}"'
            done = subprocess.run(["bash", "-uc", script, "bash", self.path("completion.bash"), "tailcost", *words], capture_output=True, text=True)
            self.assertEqual(done.stderr, "")
            return done.stdout.split()

        self.assertIn("measure", complete("me"))
        self.assertEqual(complete("data", "ins"), ["inspect"])
        self.assertEqual(complete("data", "inspect", "--ver"), ["--verify"])
        self.assertEqual(complete("measure", "--scheduling", "f"), ["fifo"])
        self.assertIn("--dry-run", complete("price", "spec.json", "--d"))

    def test_bad_usage_is_exit_code_2_and_one_line(self):
        self.refused(2, says="no command")
        self.refused(2, "mesure", says="did you mean measure?")
        self.refused(2, "measure", "--duraton", "1s", says="did you mean --duration?")
        self.refused(2, "measure", "--duration", "10", says=["--duration", "unit"])
        self.refused(2, "measure", "--scheduling", "rr", says="auto, fifo, normal")
        self.refused(2, "measure", "--probes", "wakeup,sleep", says="wakeup, spin")
        self.refused(2, "measure", "--cpus", "1,x", says="--cpus")
        self.refused(2, "price", says="SPEC")
        self.refused(2, "data", "import", "x.npz", "-o", "d", says="--tick")
        self.refused(2, "schema", "no_such", says="run_spec")
        self.refused(2, "completion", "tcsh", says="bash, zsh, fish")

    def test_output_that_cannot_be_written_is_an_error(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "schema", "run_spec"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
