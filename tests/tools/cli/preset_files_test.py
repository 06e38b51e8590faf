# Tests --preset: values from a file, where neither the scenario's file nor --set says another.
# SPDX-License-Identifier: Apache-2.0
import json

from support import CliTest

PAIR = """{
  "hosts": { "A": { "nic": { "rx_pipe": "200 ns" } }, "B": {} },
  "traffic": { "t": { "from": "A", "to": "B", "operation": "write", "size": "64 B", "count": 50, "window": 1 } }
}
"""
PRESET = """{
  "about": "a NIC that was looked at",
  "set": {
    "nic.rx_pipe": "333 ns",
    "link.fec": "77 ns",
    "nic.mtu": 1024,
    "switch.latency": "1 us"
  }
}
"""


class PresetFiles(CliTest):
    def setUp(self):
        super().setUp()
        self.write("pair.json", PAIR)
        self.write("mine.json", PRESET)

    def parameters(self, *words):
        known = self.envelope("check", "pair.json", *words)["result"]["parameters"]
        return {path: (each["value"], each["origin"]) for path, each in known.items()}

    def test_the_file_and_set_count_more(self):
        known = self.parameters("--preset", "mine.json", "--set", "links.l0.fec=55 ns")
        self.assertEqual(known["hosts.A.nic.rx_pipe"], ("200 ns", "file"))
        self.assertEqual(known["hosts.B.nic.rx_pipe"], ("333 ns", "preset"))
        self.assertEqual(known["hosts.A.nic.mtu"], ("1024", "preset"))
        self.assertEqual(known["links.l0.fec"], ("55 ns", "command line"))

    def test_of_two_files_the_later_one_counts(self):
        self.write("other.json", '{"set": {"hosts.B.nic.rx_pipe": "444 ns"}}')
        self.assertEqual(self.parameters("--preset", "mine.json", "--preset", "other.json")["hosts.B.nic.rx_pipe"],
                         ("444 ns", "preset"))
        self.assertEqual(self.parameters("--preset", "other.json", "--preset", "mine.json")["hosts.B.nic.rx_pipe"],
                         ("333 ns", "preset"))

    def latency(self, *words):
        return self.envelope("run", "pair.json", "--out", "out", *words)["result"]["metrics"]["traffic.t.latency.mean"]

    def test_each_command_takes_it(self):
        same = ["--set=hosts.B.nic.rx_pipe=333 ns", "--set=link.fec=77 ns", "--set=nic.mtu=1024"]
        wanted = self.latency(*same)
        self.assertNotEqual(self.latency(), wanted)
        self.assertEqual(self.latency("--preset", "mine.json"), wanted)

        self.ndsim("sweep", "pair.json", "--preset", "mine.json", "--vary", "seed=1", "--quiet")
        row, = (self.folder / "out/pair-sweep/sweep.ndjson").read_text(encoding="utf-8").splitlines()
        self.assertEqual(json.loads(row)["metrics"]["traffic.t.latency.mean"]["value"], wanted["value"])

        said = self.envelope("sensitivity", "pair.json", "--preset", "mine.json", "--metric", "traffic.t.latency.mean")
        self.assertEqual(said["result"]["metrics"][0]["value"], wanted["value"])
        # What a preset's file says is no estimate of ours.
        fec = next(each for each in said["result"]["parameters"] if each["name"] == "link.fec")
        self.assertEqual((fec["value"], fec["estimate"]), ("77 ns", False))

        said = self.envelope("advise", "pair.json", "--preset", "mine.json", "--target", "goodput > 1 Mbps")
        self.assertIn("result", said)

    def refused(self, text):
        self.write("bad.json", text)
        _, err = self.ndsim("check", "pair.json", "--preset", "bad.json", exit=3)
        return err

    def test_what_is_wrong_stands_in_the_file(self):
        self.assertEqual(self.refused('{\n  "abuot": "x",\n  "set": {\n    "nic.rx_pip": "1 ns",\n    "link.fec": "1 parsec"\n  }\n}\n'),
                         'bad.json:2:3: unknown key "abuot"; did you mean "about"? (a preset\'s file has "about" and "set")\n'
                         "ndsim: 1 problem; nothing was run\n")
        self.assertEqual(self.refused('{"set": {"link.fec": {}, "nic.mtu": null}}'),
                         "bad.json:1:22: link.fec: expected a value as --set takes it, got an object\n"
                         "bad.json:1:37: nic.mtu: expected a value as --set takes it, got null\n"
                         "ndsim: 2 problems; nothing was run\n")
        self.assertEqual(self.refused('{}'), 'bad.json:1:1: "set" is missing (such as {"set": {"nic.rx_pipe": "100 ns"}})\n'
                                             "ndsim: 1 problem; nothing was run\n")
        self.assertEqual(self.refused('{"set": []}'), 'bad.json:1:9: set: expected an object, got a list (such as {"set": '
                                                      '{"nic.rx_pipe": "100 ns"}})\nndsim: 1 problem; nothing was run\n')

    def test_a_path_or_a_value_that_there_is_not(self):
        # Line 3 has its value in column 19, behind 4 spaces, the 12 characters of the key, and ": ".
        self.assertEqual(self.refused('{\n  "set": {\n    "nic.rx_pip": "1 ns"\n  }\n}\n'),
                         'bad.json:3:19: nic.rx_pip: there is no such path; did you mean "nic.rx_pipe"?\n'
                         "ndsim: 1 problem; nothing was run\n")
        # It is said once of both hosts, and of B alone where A has its own value.
        for path in ("nic.rx_pipe", "nic.tx_pipe"):
            self.assertRegex(self.refused(f'{{"set": {{"{path}": "fast"}}}}'),
                             r"^bad\.json:1:25: " + path.replace(".", r"\.") + r": expected .*\nndsim: 1 problem; nothing was run\n$")
        _, err = self.ndsim("check", "pair.json", "--preset", "none.json", exit=3)
        self.assertEqual(err, "none.json: cannot be opened: No such file or directory\nndsim: 1 problem; nothing was run\n")
        # What --set says is still its own.
        _, err = self.ndsim("check", "pair.json", "--preset", "mine.json", "--set", "link.fec=slow", exit=3)
        self.assertRegex(err, r"^--set: link\.fec: expected ")
