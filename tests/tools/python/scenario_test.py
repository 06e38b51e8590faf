# Tests loading, overriding, and what is said of a scenario without running it.
# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import pickle

from support import NOBODY_SENDS, ROOT, SMALL, PackageTest

import ndsim


class Loading(PackageTest):
    def test_a_path_a_name_of_the_library_and_a_dictionary_are_scenarios(self):
        path = ROOT / "scenarios" / "library" / "quickstart.json"
        named = ndsim.check("quickstart").result
        for source in ("quickstart.json", path, str(path), ndsim.load(path)):
            with self.subTest(source):
                self.assertEqual(ndsim.check(source).parameters, ndsim.check("quickstart").parameters)
        self.assertEqual((named["hosts"], named["messages"], named["expectations"]), (2, 8, 18))
        self.assertEqual(ndsim.check(SMALL).result["messages"], 100)

    def test_a_folder_hides_no_scenario_of_the_library(self):
        pathlib.Path("quickstart").mkdir()
        self.assertEqual(ndsim.check("quickstart").exit, 0)

    def test_a_dictionary_is_taken_as_it_is_then(self):
        changed = json.loads(json.dumps(SMALL))
        scenario = ndsim.load(changed)
        changed["traffic"]["t"]["count"] = 7
        self.assertEqual(ndsim.check(scenario).result["messages"], 100)

    def test_a_file_is_found_when_python_has_gone_elsewhere(self):
        pathlib.Path("small.json").write_text(json.dumps(SMALL), encoding="utf-8")
        scenario = ndsim.load("small.json")
        os.chdir("/")
        self.assertEqual(ndsim.check(scenario).result["messages"], 100)

    def test_overrides_make_another_scenario_and_the_later_one_counts(self):
        scenario = ndsim.load(SMALL)
        first = scenario.override({"hosts.A.nic.sq.depth": 32, "link.rate": "200 Gbps"})
        second = first.override({"hosts.A.nic.sq.depth": 16, "outputs.waves": True})
        second = second.override({"traffic.t.size": ["64 B", "1 KiB"]})
        paths = ("hosts.A.nic.sq.depth", "hosts.B.nic.sq.depth", "links.l0.rate", "outputs.waves", "traffic.t.size")
        values = [[ndsim.check(each).parameters[path] for path in paths] for each in (scenario, first, second)]
        self.assertEqual(values, [["128", "128", "100 Gbps", "false", "64 B"],  # preset B
                                  ["32", "128", "200 Gbps", "false", "64 B"],
                                  ["16", "128", "200 Gbps", "true", "64 B, 1 KiB"]])

    def test_a_preset_counts_where_nothing_else_says_a_value(self):
        values = '{ "set": { "nic.sq.depth": 64, "nic.rx_pipe": "100 ns" } }'
        pathlib.Path("mine.json").write_text(values, encoding="utf-8")
        scenario = ndsim.load(SMALL, presets="mine.json").override({"nic.sq.depth": 16})
        os.chdir("/")
        parameters = ndsim.check(scenario).parameters
        self.assertEqual((parameters["hosts.A.nic.sq.depth"], parameters["hosts.A.nic.rx_pipe"]), ("16", "100 ns"))


class Wrong(PackageTest):
    def test_a_name_is_never_an_option_of_the_command(self):
        (problem,) = self.problems(ndsim.load("--help"))
        self.assertEqual(str(problem), f"{self.folder}/--help: cannot be opened: No such file or directory")

    def problems(self, scenario):
        for ask in (ndsim.check, ndsim.metrics, lambda each: each.run(), lambda each: each.sweep({"seed": [1, 2]}),
                    lambda each: each.advise("no RNR")):
            with self.assertRaises(ndsim.ScenarioError) as raised:
                ask(scenario)
            found = raised.exception.problems
        self.assertEqual(self.leftovers(), [])
        self.assertEqual(str(raised.exception), "\n".join(map(str, found)))
        return found

    def test_a_problem_has_file_place_path_and_what_was_expected(self):
        pathlib.Path("wrong.json").write_text('{\n  "hosts": { "A": { "nic": { "sq": { "depth": 0 } } }, "B": {} },\n'
                                              '  "traffic": { "t": { "from": "A", "to": "B", "size": "64 B" } } }',
                                              encoding="utf-8")
        (problem,) = self.problems(ndsim.load("wrong.json"))
        column = 1 + '  "hosts": { "A": { "nic": { "sq": { "depth": 0 } } }, "B": {} },'.index("0")
        self.assertEqual(problem, ndsim.Problem(str(self.folder / "wrong.json"), 2, column, "hosts.A.nic.sq.depth",
                                                "expected 1 .. 32768, got 0"))
        self.assertEqual(str(problem),
                         f"{self.folder}/wrong.json:2:{column}: hosts.A.nic.sq.depth: expected 1 .. 32768, got 0")

    def test_a_dictionary_has_the_paths_of_its_problems(self):
        scenario = ndsim.load({**SMALL, "hosts": {"A": {"nic": {"sq": {"depth": 0}}}, "B": {}}})
        (problem,) = self.problems(scenario)
        line = 1 + scenario.text.splitlines().index('          "depth": 0')
        self.assertEqual((problem.file, problem.line, problem.path), ("stdin", line, "hosts.A.nic.sq.depth"))

    def test_problems_go_from_process_to_process(self):
        error = ndsim.ScenarioError((ndsim.Problem("f", 1, 2, "hosts.A", "expected an object"),))
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(again), again.problems), ("f:1:2: hosts.A: expected an object", error.problems))

    def test_all_problems_of_overrides_are_there(self):
        wrong = ndsim.load(SMALL).override({"nic.rq.dept": 64, "nic.sq.depth": 0})
        self.assertEqual({(problem.file, problem.path, problem.message) for problem in self.problems(wrong)},
                         {("--set", "nic.rq.dept", 'there is no such path; did you mean "nic.rq.depth"?'),
                          ("--set", "nic.sq.depth", "expected 1 .. 32768, got 0")})

    def test_a_file_that_is_not_there(self):
        (problem,) = self.problems(ndsim.load("quickstar"))
        self.assertEqual((problem.file, problem.hint), ("quickstar", "did you mean quickstart, of the library?"))


class Questions(PackageTest):
    def test_check_says_how_a_run_surely_ends(self):
        self.assertEqual((ndsim.check(SMALL).ok, ndsim.check(SMALL).exit, ndsim.check(SMALL).error), (True, 0, ""))
        never = ndsim.check(NOBODY_SENDS)
        self.assertEqual((never.ok, never.exit, never.error), (False, 6, "the scenario never ends"))

    def test_metrics_are_those_of_runs_with_units_and_sentences(self):
        known = ndsim.metrics(SMALL)
        run = ndsim.load(SMALL).run()
        self.assertLessEqual(run.units.items(), {name: metric["unit"] for name, metric in known.items()}.items())
        some = ndsim.metrics(SMALL, "t.latency", "p99")
        self.assertEqual(list(some), ["traffic.t.latency.p99", "traffic.t.latency.p99_9", "traffic.t.latency.p99_99"])
        self.assertEqual({metric["unit"] for metric in some.values()}, {"ps"})

    def test_presets_are_those_that_hosts_may_have(self):
        self.assertEqual(list(ndsim.presets()), ["A", "B", "C", "D"])
        for name in ndsim.presets():
            depth = ndsim.preset(name)["nic.sq.depth"]
            parameters = ndsim.check(ndsim.load(SMALL).override({"hosts.A.preset": name})).parameters
            self.assertEqual(depth["value"], parameters["hosts.A.nic.sq.depth"])
            self.assertEqual(set(depth), {"value", "mark", "source", "sentence"})
        with self.assertRaises(ndsim.Failed) as raised:
            ndsim.preset("Z")
        self.assertEqual(raised.exception.code, 2)

    def test_the_version_is_that_of_results(self):
        self.assertEqual(ndsim.version()["ndsim"], ndsim.load(SMALL).run().result["ndsim"])
