# Tests "ndsim wave": WaveJSON of a waveform made by hand, and of a run.
# SPDX-License-Identifier: Apache-2.0
import json

from support import LIBRARY, CliTest

WAVES = """\
$date ndsim $end
$version ndsim $end
$timescale 1ps $end
$scope module A $end
$scope module nic $end
$comment lane: what is on it; states: 0 idle, 1 SEND_ONLY, 2 RNR_NAK $end
$var wire 2 ! lane [1:0] $end
$comment busy: it works $end
$var wire 1 " busy $end
$upscope $end
$upscope $end
$scope module l0 $end
$comment psn: PSN of the packet $end
$var wire 32 # psn [31:0] $end
$upscope $end
$enddefinitions $end
#0
$dumpvars
b0 !
0"
b0 #
$end
#1500
b1 !
1"
#2000
b0 !
b111 #
#640000000
b10 !
#640000001
"""


class Wave(CliTest):
    def setUp(self):
        super().setUp()
        (self.folder / "r").mkdir()
        self.write("r/waves.vcd", WAVES)

    def wave(self, *words):
        out, err = self.ndsim("wave", *words)
        self.assertEqual(err, "")
        return json.loads(out)

    def test_each_change_is_a_step_with_its_time(self):
        said = self.wave("r")
        self.assertEqual(said["signal"], [
            {"name": "A.nic.lane", "wave": "z=z=", "data": ["SEND_ONLY", "RNR_NAK"]},
            {"name": "A.nic.busy", "wave": "01.."},
            {"name": "l0.psn", "wave": "=.=.", "data": ["0", "7"]}])
        self.assertEqual(said["foot"]["tick"], ["0", "1.5", "2", "640000"])
        self.assertEqual(said["head"]["text"], "r, 0 ps to 640.000001 us")

    def test_the_time_shown_begins_with_the_values_of_its_start(self):
        said = self.wave("r/", "--from", "1.6 ns", "--to", "2 ns")
        self.assertEqual(said["signal"], [  # busy does not change in this time
            {"name": "A.nic.lane", "wave": "=z", "data": ["SEND_ONLY"]},
            {"name": "l0.psn", "wave": "==", "data": ["0", "7"]}])
        self.assertEqual(said["foot"]["tick"], ["1.6", "2", ""])  # WaveDrom takes two for something else

    def test_nothing_is_read_behind_the_time_shown(self):
        # Behind 2 ns there is a line that no waveform has. Only a picture that reaches it is refused.
        (self.folder / "rest").mkdir()
        self.write("rest/waves.vcd", WAVES.replace("#640000001", "rest"))
        short = self.wave("rest", "--from", "1.6 ns", "--to", "2 ns")
        self.assertEqual(short["signal"], self.wave("r", "--from", "1.6 ns", "--to", "2 ns")["signal"])
        _, err = self.ndsim("wave", "rest", "--from", "1.6 ns", exit=2)
        self.assertIn("not a line of a waveform of ndsim", err)

    def test_a_picture_behind_all_changes_has_their_values(self):
        # From 3 ns on the lane is idle, since 2 ns, and the PSN 7.
        said = self.wave("r", "--from", "3 ns", "--to", "1 us", "--signals", "*")
        self.assertEqual(said["signal"], [
            {"name": "A.nic.lane", "wave": "z"}, {"name": "A.nic.busy", "wave": "1"},
            {"name": "l0.psn", "wave": "=", "data": ["7"]}])

    def test_signals_are_chosen_by_pattern(self):
        names = lambda *words: [signal["name"] for signal in self.wave("r", *words)["signal"]]
        self.assertEqual(names("--signals", "A.*"), ["A.nic.lane", "A.nic.busy"])
        self.assertEqual(names("--signals", "*.psn", "--signals", "A.nic.busy"), ["A.nic.busy", "l0.psn"])
        self.assertEqual(names("--signals", "*n*"), ["A.nic.lane", "A.nic.busy", "l0.psn"])
        _, err = self.ndsim("wave", "r", "--signals", "A", exit=2)
        self.assertIn("no signal of the waveform fits --signals", err)

    def test_requests_have_their_names(self):
        (self.folder / "named").mkdir()
        more = "$var string 1 $ request $end\n$upscope $end\n$enddefinitions $end\n"
        text = WAVES.replace("$upscope $end\n$enddefinitions $end\n", more)
        for time, value in (("#0", "-"), ("#1500", "A.12"), ("#2000", "B.7"), ("#640000000", "A.12")):
            text = text.replace(f"\n{time}\n", f"\n{time}\ns{value} $\n", 1)
        self.write("named/waves.vcd", text)
        self.assertEqual(self.wave("named", "--signals", "l0.request")["signal"],
                         [{"name": "l0.request", "wave": "z===", "data": ["A.12", "B.7", "A.12"]}])
        self.write("named/waves.vcd", text.replace("sB.7 $", "sB.7"))
        _, err = self.ndsim("wave", "named", exit=2)
        self.assertIn("not a line of a waveform of ndsim", err)

    def test_keys_are_hexadecimal(self):
        (self.folder / "keys").mkdir()
        self.write("keys/waves.vcd", WAVES.replace("psn", "key").replace("b111 #", "b11111111 #"))
        self.assertEqual(self.wave("keys", "--signals", "*.key")["signal"],
                         [{"name": "l0.key", "wave": "==", "data": ["0x0", "0xff"]}])

    def test_a_file_instead_of_stdout(self):
        out, _ = self.ndsim("wave", "r", "--out", "w.json")
        self.assertEqual(out, "")
        self.assertEqual(json.loads((self.folder / "w.json").read_text(encoding="utf-8")), self.wave("r"))
        self.ndsim("wave", "r", "--out", "nowhere/w.json", exit=7)

    def test_refusals(self):
        (self.folder / "empty").mkdir()
        (self.folder / "bad").mkdir()
        self.write("bad/waves.vcd", WAVES.replace("b111 #", "b121 #"))
        for words, why in ((("empty",), "empty has no waveform, waves.vcd: \"ndsim run FILE --waves\" records one"),
                           (("bad",), "bad/waves.vcd:28: not a line of a waveform of ndsim"),
                           (("r", "--from", "soon"), "--from: "),
                           (("r", "--from", "2 ns", "--to", "1 ns"), "--from: 2 ns is later than --to, 1 ns"),
                           (("r", "--from", "1 ms"), "nothing between 1 ms and 640.000001 us"),
                           (("r", "--from", "3 ns", "--to", "4 ns"), "no signal changes in this time")):
            _, err = self.ndsim("wave", *words, exit=2)
            self.assertIn(why, err)

    def test_too_many_steps_are_refused(self):
        (self.folder / "long").mkdir()
        more = "".join(f"#{at}\n{at % 2}\"\n" for at in range(3000, 4001))  # 1001 changes and the start
        self.write("long/waves.vcd", WAVES[:WAVES.index("#1500")] + more)
        _, err = self.ndsim("wave", "long", exit=2)
        self.assertIn("more than 1000 steps up to 3.999 ns are too many", err)  # 1 + 1000, with the last one at 3.999 ns
        self.assertEqual(len(self.wave("long", "--to", "3.998 ns")["foot"]["tick"]), 1000)

    def test_a_run_shows_its_nak_by_name(self):
        self.ndsim("run", LIBRARY / "receive-overflow-rnr.json", "--waves", "--out", "o")
        said = self.wave("o", "--from", "69 us", "--signals", "l0_*.packet")
        self.assertEqual([(signal["name"], [name for name in signal["data"]]) for signal in said["signal"]],
                         [("l0_A_to_B.packet", ["SEND_ONLY"] * 3), ("l0_B_to_A.packet", ["ACK", "RNR_NAK", "ACK"])])
