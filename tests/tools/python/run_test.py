# Tests one run from Python: figures, ledgers, requests, folders, and how it ends.
# SPDX-License-Identifier: Apache-2.0
import gc
import json
import pickle
import sys
import unittest
from unittest import mock

from support import NOBODY_SENDS, SMALL, PackageTest, needs

import ndsim

ONE = {"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B", "size": "64 B", "count": 1}}}


class Result(PackageTest):
    def test_the_result_is_that_of_the_file(self):
        run = ndsim.load("quickstart").run(out="q", waves=False)
        written = json.loads((self.folder / "q" / "result.json").read_text(encoding="utf-8"))
        self.assertLessEqual(written.items(), run.result.items())
        self.assertEqual((run.exit, run.ok, run.error, run.folder), (0, True, "", self.folder / "q"))
        self.assertEqual(written["files"], ["completions.csv"])
        self.assertEqual(repr(run), "<Run of quickstart.json: finished>")

    def test_a_flag_is_anything_that_is_true_or_false(self):
        run = ndsim.load("quickstart").run(waves=0, timeline=1, prove_limits=0)
        self.assertEqual(sorted(run.result["files"]), ["completions.csv", "timeline.json"])

    def test_figures_are_whole_numbers_with_units(self):
        run = ndsim.load(SMALL).run()
        self.assertEqual(run["traffic.t.messages"], 100)
        self.assertEqual(run["traffic.t.bytes"], 100 * 64)
        self.assertEqual([run.units[f"traffic.t.{name}"] for name in ("messages", "bytes", "goodput", "latency.mean")],
                         ["count", "B", "bps", "ps"])
        self.assertEqual(set(run.metrics), set(run.units))
        self.assertEqual({type(value) for value in run.metrics.values()}, {int})
        # 64 B are 512 bits, and both rates are rounded to whole numbers.
        self.assertLessEqual(abs(run["traffic.t.goodput"] - 512 * run["traffic.t.message_rate"]), 512 + 1)
        with self.assertRaisesRegex(KeyError, "no metric traffic.t.goodptu; did you mean traffic.t.goodput?"):
            run["traffic.t.goodptu"]

    def test_the_accounts_of_each_request_add_up_to_its_total(self):
        run = ndsim.load("quickstart").run(waves=False)
        completions = run.completions()
        # Eight Sends and the eight Receives that they match.
        self.assertEqual([request["operation"] for request in completions].count("send"), 8)
        self.assertEqual(len(completions), 16)
        for request in completions:
            accounts = [value for name, value in request.items()
                        if name.endswith("_ps") and name not in ("begin_ps", "end_ps", "total_ps")]
            self.assertEqual(sum(accounts), request["total_ps"])
            self.assertEqual(request["end_ps"] - request["begin_ps"], request["total_ps"])
            self.assertEqual((request["status"], request["silent"]), ("success", False))
            self.assertEqual(request["bytes"], 4096 if request["operation"] == "receive" else 0)

    # Timer code 1 is 10 us, and each wait is a piece of the path of more than 50 letters.
    def test_a_request_may_have_waited_a_thousand_times(self):
        run = ndsim.load({
            "hosts": {"A": {"buffers": {"tx": {}}},
                      "B": {"buffers": {"rx": {}}, "nic": {"overflow": "rnr", "rnr_retry": 7, "rnr_timer": 1}}},
            "programs": {"A": [{"post": "send", "buffer": "tx", "size": "64 B"}, {"poll": "q0.send"}],
                         "B": [{"sleep": "40 ms"}, {"post": "receive", "buffer": "rx"}, {"poll": "q0.receive"}]}}).run()
        self.assertGreater(max(len(request["path"]) for request in run.completions()), 131_072)

    def test_the_mean_ledger_adds_up_to_the_mean(self):
        run = ndsim.load("quickstart").run(waves=False)
        total = sum(run.ledger("A", "send").values())
        self.assertEqual(total, next(each["mean_total_ps"] for each in run.result["ledgers"] if each["host"] == "A"))
        self.assertEqual(total, sum(request["total_ps"] for request in run.completions()
                                    if request["operation"] == "send") // 8)
        with self.assertRaisesRegex(KeyError, "no ledger A sen; did you mean A send?"):
            run.ledger("A", "sen")

    def test_an_override_changes_what_it_should(self):
        # 100 m more are 100 x 5 ns (wire.md: delay_per_metre) each way: for the packet, and for its acknowledgement.
        requests = {}
        for length in ("2 m", "102 m"):
            completions = ndsim.load(ONE).override({"link.length": length}).run().completions()
            requests[length] = next(each for each in completions if each["operation"] == "send")
        times = [name for name in requests["2 m"] if name.endswith("_ps") and name not in ("begin_ps", "end_ps")]
        longer = {name: requests["102 m"][name] - requests["2 m"][name] for name in times}
        self.assertEqual({name: more for name, more in longer.items() if more},
                         {"wire_ps": 500_000, "ack_return_ps": 500_000, "total_ps": 1_000_000})

    def test_silent_requests_are_flagged(self):
        scenario = {"hosts": {"A": {"buffers": {"tx": {}}}, "B": {"buffers": {"rx": {}}}},
                    "programs": {"A": [{"post": "write", "buffer": "tx", "to": "B.rx", "flags": ["silent_success"]},
                                       {"post": "write", "buffer": "tx", "to": "B.rx"},
                                       {"poll": "q0.send"}]}}
        self.assertEqual([each["silent"] for each in ndsim.load(scenario).run().completions()], [True, False])

    def test_recordings_and_more_runs_are_asked_for(self):
        run = ndsim.load(ONE).run(waves=True, packets=True, timeline=True, show_effect=True, prove_limits=True)
        for file in ("waves.vcd", "packets.pcapng", "timeline.json"):
            self.assertTrue((run.folder / file).is_file(), file)
        self.assertIn("hosts.A.nic.rnr_timer", run.result["without_effect"])  # a message that finds its receive
        self.assertNotIn("without_effect", ndsim.load(ONE).run().result)


class Endings(PackageTest):
    def test_an_expectation_that_is_not_met_is_a_result(self):
        scenario = ndsim.load(SMALL).override({"traffic.t.count": 99})  # 100 are expected
        run = scenario.run()
        self.assertEqual((run.exit, run.ok, run.error), (1, False, "1 of 1 expectations was not met"))
        self.assertEqual((run["traffic.t.messages"], len(run.completions())), (99, 2 * 99))
        self.assertEqual([verdict["found"] for verdict in run.result["expectations"]], ["99"])
        with self.assertRaisesRegex(ndsim.Failed, "ndsim ended with 1: 1 of 1 expectations was not met") as raised:
            scenario.run(check=True)
        self.assertEqual(raised.exception.code, 1)
        self.assertEqual(raised.exception.result["metrics"]["traffic.t.messages"]["value"], 99)
        self.assertTrue(ndsim.load(SMALL).run(check=True).ok)

    def test_a_limit_and_a_stall_raise_with_what_there_is(self):
        for scenario, code, outcome, why in (
                (ndsim.load(SMALL).override({"limits.items": 500}), 5, "item_limit", "stopped at a limit"),
                (ndsim.load(NOBODY_SENDS), 6, "stalled", "polls q0.receive")):
            with self.subTest(outcome), self.assertRaisesRegex(ndsim.Failed, why) as raised:
                scenario.run()
            self.assertEqual((raised.exception.code, raised.exception.result["outcome"]), (code, outcome))
            copy = pickle.loads(pickle.dumps(raised.exception))  # as from a worker process
            self.assertEqual((copy.code, copy.why, copy.stderr, copy.result, str(copy)),
                             (code, raised.exception.why, raised.exception.stderr, raised.exception.result,
                              str(raised.exception)))
        self.assertEqual(self.leftovers(), [])

    def test_an_output_that_cannot_be_written_raises(self):
        (self.folder / "file").write_text("", encoding="utf-8")
        with self.assertRaises(ndsim.Failed) as raised:
            ndsim.load(SMALL).run(out="file/folder")
        self.assertEqual(raised.exception.code, 7)


class Folders(PackageTest):
    def test_a_temporary_folder_goes_with_its_run(self):
        run = ndsim.load(SMALL).run()
        self.assertEqual(self.leftovers(), [run.folder.name])
        del run
        gc.collect()
        self.assertEqual(self.leftovers(), [])

    def test_a_temporary_folder_goes_when_the_run_is_closed(self):
        with ndsim.load(SMALL).run() as run:
            self.assertEqual(len(run.completions()), 200)
        self.assertEqual(self.leftovers(), [])
        self.assertEqual(run["traffic.t.messages"], 100)  # figures stay
        with self.assertRaises(FileNotFoundError):
            run.completions()

    def test_a_folder_that_was_named_stays(self):
        with ndsim.load(SMALL).run(out="kept") as run:
            pass
        del run
        gc.collect()
        self.assertTrue((self.folder / "kept" / "result.json").is_file())
        self.assertEqual(self.leftovers(), [])


class Frames(PackageTest):
    @needs("pandas")
    def test_a_frame_has_the_requests(self):
        run = ndsim.load("quickstart").run(waves=False)
        frame = run.frame()
        self.assertEqual(frame.to_dict("records"), run.completions())
        self.assertEqual(frame.groupby("operation").total_ps.count().to_dict(), {"receive": 8, "send": 8})

    def test_without_pandas_it_says_what_is_missing(self):
        run = ndsim.load(SMALL).run()
        with mock.patch.dict(sys.modules, {"pandas": None}), self.assertRaisesRegex(ImportError, "needs pandas"):
            run.frame()
