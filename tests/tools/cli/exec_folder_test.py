# Tests of the folder that host programs leave: the other commands work on it, and a program that links the library leaves
# the same one.
# SPDX-License-Identifier: Apache-2.0
import os
import re
import subprocess

from exec_support import BANDWIDTH, BUILD, PAIR, ExecTest
from support import HANG


class ExecFolder(ExecTest):
    def check_folder(self, folder, request, requests):
        """explain and report work on the folder of host programs, and advise says why it does not."""
        out, _ = self.ndsim("explain", folder, f"{request}.slowest")
        self.assertIn(f"the slowest of {requests} {request.split('.')[1]}s of {request[0]}, in {folder}\n", out)
        self.assertIn("\n\nAccounts: ", out)
        self.ndsim("report", folder)
        page = (self.folder / folder / "report.html").read_text(encoding="utf-8")
        self.assertEqual(re.findall('<h2 id="(.*?)">', page),
                         ["summary", "latency", "ledger", "occupancy", "stalls", "messages"])
        self.assertNotIn("run it again with outputs.completions=true", page)
        _, err = self.ndsim("advise", folder, "--target", "no RNR", exit=2)
        self.assertEqual(err, f"ndsim: {folder} is the folder of a run with host programs on A, B; advice runs the "
                              "generators of a scenario many times with other depths, and cannot run host programs "
                              'again. Describe the load as "traffic" in a scenario, or run the programs with another '
                              "depth (--set nic.sq.depth=64) and compare both folders with ndsim compare\n")

    def test_the_other_commands_take_its_folder(self):
        self.bandwidth("--timeline")
        self.check_folder("out", "B.write", 300)
        self.ndsim("exec", self.pair, "--host", f"A={BANDWIDTH} -s 10.0.0.1:5000",
                   "--host", f"B={BANDWIDTH} 10.0.0.2 10.0.0.1:5000 65536 300 16", "--set", "link.length=202 m",
                   "--quiet", "--out", "longer")
        out, _ = self.ndsim("compare", "out", "longer", exit=1)
        # 200 m more of 5 ns for the last packet of each Write.
        self.assertRegex(out, r"links\.l0\.length +2 m \(preset\) +202 m \(command line\)")
        wires = [self.result(folder)["metrics"]["ledger.B.write.longest.wire"]["value"] for folder in ("out", "longer")]
        self.assertEqual(wires[1] - wires[0], 1_000_000)
        _, err = self.ndsim("advise", self.pair, "--target", "no RNR", exit=2)
        self.assertEqual(err, 'ndsim: pair.json has no generator ("traffic"); depths are found for those, and not for '
                              "host programs (ndsim exec)\n")
        self.ndsim("run", self.small, "--quiet", "--out", "small")
        _, err = self.ndsim("advise", "small", exit=2)
        self.assertEqual(err, "ndsim: small is the folder of a run; advice runs a scenario many times with other "
                              "depths, so give the scenario's file\n")

    def test_a_program_that_links_the_library_leaves_the_same_folder(self):
        for folder in ("linked", "again"):
            (self.folder / folder).mkdir()
            self.write(f"{folder}/timeline.json", "of an earlier run")
            self.write(f"{folder}/result.json", '{ "ndsim": "0.1.0" }')  # without it nothing is removed
            subprocess.run([BUILD / "bin" / "quickstart_program", folder], cwd=self.folder, check=True,
                           stdout=subprocess.DEVNULL, timeout=HANG)
            self.assertFalse((self.folder / folder / "timeline.json").exists())
        self.check_folder("linked", "A.send", 8)
        out, _ = self.ndsim("compare", "linked", "again")
        self.assertIn("The runs are the same\n", out)
        result = self.result("linked")
        self.assertEqual(result["programs"], {"A": {}, "B": {}})
        self.assertEqual(result["scenario"]["parameters"]["outputs.waves"], {"value": "true", "origin": "file"})
        self.assertEqual(result["files"], ["completions.csv", "waves.vcd", "waves.gtkw"])
        # The same figures as those of a run by ndsim: all but what has to do with its programs.
        self.write("pair.json", PAIR)
        self.ndsim("run", self.pair, "--quiet", "--out", "run")
        self.assertEqual(set(self.result("run")) - set(result), set())

    def test_a_linked_program_hears_of_a_result_that_cannot_be_written(self):
        os.makedirs(self.folder / "linked/result.json/x")
        done = subprocess.run([BUILD / "bin" / "quickstart_program", "linked"], cwd=self.folder, check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=HANG)
        self.assertEqual(done.returncode, 1)
        self.assertIn("linked/result.json: Is a directory\n", done.stderr)
        self.assertEqual(list((self.folder / "linked").glob("*.part")), [])
