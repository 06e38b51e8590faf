# Runs every command that README.md and docs/ show, and compares what they show of its output with what it prints.
# SPDX-License-Identifier: Apache-2.0
#
# Blocks of pages say what they are. In ```sh each line is a command. In ```console commands stand behind "$ ", and
# below them what they print, in which a line "..." is any number of lines. A ```jsonc block that begins with
# "// NAME", and a ```csv or ```text block that begins with "# NAME", is a file of that name for the commands behind it. A command succeeds, unless the comment behind it or the
# text just before its block says "exits with 3" or "exit code 3". A ```python block is run by
# tests/tools/python/docs_test.py.
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess

from support import HANG, LIBRARY, NDSIM, ROOT, SHARED, CliTest

BUILD = pathlib.Path(os.environ.get("NDSIM_BUILD", ROOT / "build" / "release"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

# Commands, by how they begin, that a test cannot run, and why.
NOT_RUN = {
    "tools/test": "it runs this test",
    ".ci/run": "it runs tools/test",
    "tools/format": "it rewrites sources; .ci/run looks at their format",
    "tools/rule_coverage": "it needs the results of all tests, of which this is one",
    "cmake": "tests/installed/run installs and builds against that",
    "g++": "likewise",
    "tools/ndsim sweep depths.json --engine": "it needs a cluster; slurm_test.py starts one",
    "tools/tidy": "a stage of tools/test",
    "tools/package": "tests/fresh/run makes and installs the package",
    "apt-get install": "likewise",
    "tests/fresh/run": "a stage of tools/test",
    "tools/validate": "a test of its own runs it with --check",
    "gtkwave": "it opens a window",
    "wireshark": "it opens a window",
    "tshark": "packets_test.py runs it, where it is installed",
}

LANGUAGES = {"sh", "console", "json", "jsonc", "cpp", "csv", "text", "python"}
FILES = {"jsonc": "// ", "csv": "# ", "text": "# "}  # blocks that may be files, and what stands before their names
OTHER_BLOCK = re.compile(r"^([ \t]+```|[ \t]*~~~| {4,}(\$ |tools/|ndsim |build/))")
EXIT = re.compile(r"\bexit(?:s with| with| code) (\d+)\b")


@dataclasses.dataclass
class Block:
    language: str
    line: int  # that of the fence
    before: str  # text between the last block and this one
    lines: list


@dataclasses.dataclass
class Command:
    where: str
    text: str
    exit: int
    shown: list = dataclasses.field(default_factory=list)


def blocks_of(page):
    blocks, before, block = [], [], None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if not line.startswith("```"):
            (before if block is None else block.lines).append(line)
        elif block is None:
            block = Block(line[3:], number, "\n".join(before), [])
        else:
            blocks.append(block)
            before, block = [], None
    return blocks


def exit_of(line, block):
    said = EXIT.findall(line.partition(" # ")[2]) or EXIT.findall(block.before.strip().split("\n\n")[-1])
    return int(said[-1]) if said else 0


def commands_of(block, page):
    commands = []
    for number, line in enumerate(block.lines, block.line + 1):
        prompt = "$ " if block.language == "console" else ""
        if block.language not in ("sh", "console") or not line and not prompt:
            continue
        if line.startswith(prompt):
            text = line[len(prompt):]
            commands.append(Command(f"{page.relative_to(ROOT)}:{number}", text, exit_of(text, block)))
        else:
            commands[-1].shown.append(line)
    return commands


def reason_not_to_run(text):
    return next((start for start in NOT_RUN if f"{text} ".startswith(f"{start} ")), None)


def pattern_of(shown):
    lines = [r"(?:.*\n)*" if line == "..." else re.escape(line) + r"\n" for line in shown]
    return re.compile("".join(lines) + r"\Z")


class Docs(CliTest):
    def setUp(self):
        super().setUp()
        # A repository in which "tools/ndsim" is the command that is tested, without building anything.
        shutil.copytree(LIBRARY, self.folder / "scenarios" / "library")
        scripts = {f"tools/{name}": ROOT / "tools" / name for name in ("check_layers.py", "check_classes.py")}
        for link, target in {"tools/ndsim": NDSIM, "build/release": BUILD, **scripts}.items():
            (self.folder / link).parent.mkdir(exist_ok=True)
            (self.folder / link).symlink_to(pathlib.Path(target).resolve())
        SHARED.mkdir(exist_ok=True)
        (self.folder / "out").mkdir()
        for search in ("reads-over-100m-advice",):
            (SHARED / search).mkdir(exist_ok=True)
            (self.folder / "out" / search).symlink_to(SHARED / search)
        self.environment = {**os.environ, "PATH": f"{self.folder}/tools:{os.environ['PATH']}"}

    def check(self, command):
        done = subprocess.run(["bash", "-c", command.text], cwd=self.folder, env=self.environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=HANG,
                              check=False)
        self.assertEqual(done.returncode, command.exit, done.stdout)
        if command.shown and not pattern_of(command.shown).match(done.stdout):
            self.assertEqual(done.stdout, "\n".join(command.shown) + "\n")

    def test_every_command_does_what_the_page_says(self):
        for page in PAGES:
            for block in blocks_of(page):
                before = FILES.get(block.language)
                if before and block.lines[0].startswith(before):
                    self.write(block.lines[0].removeprefix(before), "\n".join(block.lines) + "\n")
                for command in commands_of(block, page):
                    if not reason_not_to_run(command.text):
                        with self.subTest(command.where, command=command.text):
                            self.check(command)

    def test_every_block_says_what_it_is(self):
        for page in PAGES:
            for block in blocks_of(page):
                self.assertIn(block.language, LANGUAGES, f"{page}:{block.line}")
            for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
                self.assertNotRegex(line, OTHER_BLOCK, f"{page}:{number}: a block in a notation that is not looked at")

    def test_every_scenario_of_the_library_is_described_and_there(self):
        page = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
        run = re.findall(r"^tools/ndsim run scenarios/library/([\w-]+)\.json", page, re.MULTILINE)
        described = re.findall(r"^(?:### |\| )`([\w-]+)`", page, re.MULTILINE)
        files = sorted(path.stem for path in LIBRARY.glob("*.json"))
        self.assertEqual(sorted(run), files)
        self.assertEqual(sorted(described), files)

    def test_every_reason_not_to_run_a_command_is_needed(self):
        used = {reason_not_to_run(command.text) for page in PAGES for block in blocks_of(page)
                for command in commands_of(block, page)}
        self.assertEqual(set(NOT_RUN) - used, set())
