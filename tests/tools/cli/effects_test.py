# Tests --show-effect by turning what it lists: none of it may change a figure of the run.
# SPDX-License-Identifier: Apache-2.0
import json
import re
import subprocess

from support import LIBRARY, NDSIM, CliTest

# What a parameter changes by itself: the figures of the pool that it sizes, or for which it says how long entries stay.
OWN = {
    "nic.global_rate": r"nic\.wqe\.(busy|idle)$",
    "nic.mtt_page": r"nic\.translation\.entries\.",
    "pcie.update_fc": r"pcie\.(posted_headers|posted_data|nonposted_headers|bar_headers)\.",
}
SIZES = (".capacity", ".full")


class Effects(CliTest):
    def result(self, scenario, overrides=()):
        words = [word for path, value in overrides for word in ("--set", f"{path}={value}")]
        return self.envelope("run", scenario, "--show-effect", "--out", "out", *words)["result"]

    def turned(self, value, found):
        """The value doubled, or halved where more may matter, or switched; none for a choice of words."""
        if value in ("true", "false"):
            return "false" if value == "true" else "true"
        if number := re.fullmatch(r"(\d+(?:\.\d+)?)( .+)?", value):
            factor = 0.5 if "most_percent" in found else 2
            other = f"{float(number[1]) * factor:.6f}".rstrip("0").rstrip(".") + (number[2] or "")
            return other if other != value else None
        return None

    def allowed(self, scenario, overrides):
        """Those of them that the scenario can have."""
        while True:
            words = [word for path, value in overrides for word in ("--set", f"{path}={value}")]
            done = subprocess.run([NDSIM, "check", str(scenario), "--json", *words], capture_output=True, check=False)
            if done.returncode == 0:
                return overrides
            wrong = {problem["path"] for problem in json.loads(done.stdout)["problems"]}
            left = [(path, value) for path, value in overrides if path not in wrong]
            self.assertLess(len(left), len(overrides), wrong)
            overrides = left

    def figures(self, result, overrides=()):
        own = [re.compile(re.escape(path.split(".")[1]) + r"\." + OWN[parameter]) for path, _ in overrides
               if (parameter := path.split(".", 2)[2]) in OWN]
        return {name: metric["value"] for name, metric in result["metrics"].items()
                if not name.endswith(SIZES) and not any(pattern.match(name) for pattern in own)}

    def check(self, name, at_least):
        scenario = LIBRARY / name
        before = self.result(scenario)
        listed = self.allowed(scenario, [
            (path, other) for path, found in before["without_effect"].items()
            if (other := self.turned(before["scenario"]["parameters"][path]["value"], found))])
        self.assertGreaterEqual(len(listed), at_least)
        if self.figures(self.result(scenario, listed), listed) == self.figures(before, listed):
            return
        for path, other in listed:  # which was it?
            with self.subTest(path, value=other):
                after = self.figures(self.result(scenario, [(path, other)]), [(path, other)])
                self.assertEqual(after, self.figures(before, [(path, other)]))

    def test_a_sender_with_credits_has_another_pace_although_every_message_finds_a_receive(self):
        scenario = self.write("sends.json", """{ "hosts": { "A": {}, "B": {} }, "traffic": {
            "t": { "from": "A", "to": "B", "size": "512 B", "window": 8, "count": 1500 } } }""")
        before = self.result(scenario)
        self.assertNotIn("hosts.B.nic.overflow", before["without_effect"])
        self.assertEqual(before["without_effect"]["hosts.A.nic.overflow"]["why"], "no message needed a receive")
        self.assertEqual(before["metrics"]["B.nic.rq.none_posted"]["value"], 0)
        with_credits = {host: self.figures(self.result(scenario, [(f"hosts.{host}.nic.overflow", "credit")]))
                        for host in "AB"}
        self.assertNotEqual(with_credits["B"], self.figures(before))
        self.assertEqual(with_credits["A"], self.figures(before))

    def test_other_software_delays_the_set_up_of_a_host_without_a_program(self):
        scenario = self.write("writes.json", """{ "hosts": { "A": {}, "B": {} }, "traffic": {
            "t": { "from": "A", "to": "B", "operation": "write", "size": "512 B", "window": 1, "count": 100 } } }""")
        before = self.result(scenario)
        self.assertNotIn("hosts.B.cpu.preempt_every", before["without_effect"])
        preempted = self.result(scenario, [("hosts.B.cpu.preempt_every", "1 us")])
        self.assertGreater(preempted["metrics"]["run.started"]["value"], before["metrics"]["run.started"]["value"])

    def test_what_is_listed_changes_nothing_in_a_stream(self):
        self.check("stream.json", 60)

    def test_what_is_listed_changes_nothing_in_a_program(self):
        self.check("quickstart.json", 60)

    def test_what_is_listed_changes_nothing_behind_a_fence(self):
        self.check("fence-order.json", 60)

    def test_what_is_listed_changes_nothing_where_programs_connect(self):
        self.check("connection-steps.json", 60)
