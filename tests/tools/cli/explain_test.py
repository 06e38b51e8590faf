# Tests "ndsim explain": of run folders made by hand, and of runs.
# SPDX-License-Identifier: Apache-2.0
from run_folders import ledger, result, row, settings, write
from support import LIBRARY, QUICKSTART, CliTest

# 2200 ns in all, with two stays in arbitration.
PATH = (("post", 50), ("doorbell", 300), ("arbitration", 20), ("wqe_fetch", 400), ("arbitration", 30), ("payload_read", 700),
        ("wire", 100), ("ack_return", 250), ("cqe", 220), ("poll", 130))
MEAN = ledger("A", "send", 10, post=50, doorbell=300, wqe_fetch=400, payload_read=550, wire=100, ack_return=250, cqe=220,
              poll=130)  # 2000 ns

# Shares of 2200 ns: 2.27, 13.64, 0.91, 18.18, 1.36, 31.82, 4.55, 11.36, 10.0, 5.91 %, of which the sums are rounded:
# 2.3, 15.9, 16.8, 35.0, 36.4, 68.2, 72.7, 84.1, 94.1, 100. The bars have 80 - 2 - 14 - 8 - 9 - 12 = 35 columns, which
# 700 ns fill, so 20 ns are one.
TEXT = """\
send A.7 on A.q0 (0x11), called A.s1, to B.q0
success; began at 1 us, a poll returned it at 3.2 us, so it took 2.2 us

Life: in time order, from its beginning
  from ns   to ns      ns      %  account
      0.0    50.0    50.0    2.3  post          A's software came to it and built the WQE
     50.0   350.0   300.0   13.6  doorbell      its doorbell went over PCIe into A.nic.doorbell and
                                                was decoded
    350.0   370.0    20.0    0.9  arbitration   it waited for its turn at A.nic.wqe
    370.0   770.0   400.0   18.2  wqe_fetch     A.nic.wqe read its WQE from host memory
    770.0   800.0    30.0    1.4  arbitration   it waited for its turn at A.nic.wqe
    800.0  1500.0   700.0   31.8  payload_read  A.nic.dma read the last packet's payload from host
                                                memory
   1500.0  1600.0   100.0    4.5  wire          the last packet was on the lane to B and in flight
   1600.0  1850.0   250.0   11.4  ack_return    its ACK or NAK was built at B and came back, perhaps
                                                behind others
   1850.0  2070.0   220.0   10.0  cqe           A.nic.cq wrote its CQE, until that was visible
   2070.0  2200.0   130.0    5.9  poll          A's software came to poll, until the poll returned
                                                it
                   2200.0  100.0

Accounts: 200 ns more than the mean of 10 (A send), which is 2 us
  payload_read 150.0 ns more, arbitration 50.0 ns more
                    ns  mean ns  difference
  post            50.0     50.0         0.0  ###
  doorbell       300.0    300.0         0.0  ###############
  arbitration     50.0      0.0       +50.0  ###
  wqe_fetch      400.0    400.0         0.0  ####################
  payload_read   700.0    550.0      +150.0  ###################################
  wire           100.0    100.0         0.0  #####
  ack_return     250.0    250.0         0.0  #############
  cqe            220.0    220.0         0.0  ###########
  poll           130.0    130.0         0.0  #######
  total         2200.0   2000.0      +200.0
"""


class HandMade(CliTest):
    def setUp(self):
        super().setUp()
        write(self.folder / "run", result(ledgers=[MEAN]), [row("A.7", 1000, PATH, label="A.s1")])

    def test_the_text(self):
        for name in ("A.7", "A.s1", "slowest"):
            out, err = self.ndsim("explain", "run", name)
            lines = out.splitlines(keepends=True)
            if name == "slowest":
                self.assertEqual(lines.pop(1), "the slowest of 1 request, in run\n")
            self.assertEqual("".join(lines), TEXT)
            self.assertEqual(err, "")
        self.assertEqual(self.ndsim("explain", "run/", "A.7")[0], TEXT)

    def test_json(self):
        said = self.envelope("explain", "run", "A.s1")["result"]
        self.assertEqual((said["request"], said["label"], said["queue_pair"], said["peer"], said["total_ps"]),
                         ("A.7", "A.s1", "A.q0", "B.q0", 2_200_000))
        self.assertEqual([(stay["account"], stay["took_ps"]) for stay in said["path"]],
                         [(account, took * 1000) for account, took in PATH])
        self.assertEqual((said["path"][3]["begin_ps"], said["path"][3]["end_ps"]), (1_370_000, 1_770_000))
        self.assertEqual(said["path"][3]["share_ppm"], 181_818)  # 400 of 2200
        self.assertEqual(said["mean"]["total_ps"], 2_000_000)

    def test_bars_take_the_terminal_s_width_and_colour_is_for_terminals(self):
        text = self.on_terminal("explain", "run", "A.7", stream="stdout")
        self.assertIn("#" * 75 + "\r", text)  # of 120 columns
        self.assertNotIn("#" * 76, text)
        self.assertIn("\033[32msuccess\033[0m", text)
        self.assertNotIn("\033", self.on_terminal("explain", "run", "A.7", stream="stdout", env={"NO_COLOR": "1"}))

    def test_a_kind_that_was_not_measured_has_no_mean(self):
        write(self.folder / "run", result(), [row("A.7", 1000, PATH)])
        out, _ = self.ndsim("explain", "run", "A.7")
        self.assertIn("Accounts: no request of its kind was measured\n", out)
        self.assertRegex(out, r"\n  wire +100\.0 +- +-  #+\n")
        self.assertIsNone(self.envelope("explain", "run", "A.7")["result"]["mean"])

    def test_words_are_those_of_the_kind_and_of_its_place(self):
        scenario = settings()
        scenario["written"] = {"hosts": {"B": {"qps": {"q0": {"srq": "shared"}}}}}
        write(self.folder / "run", result(scenario=scenario), [
            row("A.1", 0, (("payload_read", 5), ("dma_write", 1)), "read", silent=1),
            row("B.1", 0, (("message", 5), ("dma_write", 1)), "receive", "0x12", size=64),
            row("B.2", 0, (("slot", 5), ("retransmit", 1)), qp="0x99", status="io_timeout")])
        read, _ = self.ndsim("explain", "run", "A.1")
        self.assertIn("B.nic.dma read the last packet's payload", read)
        self.assertIn("A.nic.dma wrote the data", read)
        self.assertIn("was acknowledged, without a completion, at", read)
        receive, _ = self.ndsim("explain", "run", "B.1")
        self.assertIn("receive B.1 on B.q0 (0x12), to A.q0\nsuccess, 64 bytes; ", receive)
        self.assertIn("it waited in B.srqs.shared until it was next", receive)
        unknown, _ = self.ndsim("explain", "run", "B.2")
        self.assertIn("send B.2 on queue pair 0x99\nio_timeout; ", unknown)
        self.assertIn("no slot of the send queue of 0x99 on B was free", " ".join(unknown.split()))
        self.assertIn("fails or is flushed skips stages", unknown)


class Choices(CliTest):
    def setUp(self):
        super().setUp()
        # Sends of 10, 30, 20, 30 and 40 ns, the last of which is on another queue pair; lines are in order of their ends.
        sends = ((1, 0, 10, "0x11"), (2, 5, 30, "0x11"), (3, 20, 20, "0x11"), (4, 15, 30, "0x11"), (5, 10, 40, "0x13"))
        rows = [row(f"A.{n}", begin, (("wire", took),), qp=qp) for n, begin, took, qp in sends]
        rows.append(row("B.1", 0, (("message", 1000),), "receive", "0x12"))
        scenario = settings(traffic__t__from="A.q0", traffic__t__operation="send", traffic__t__queue_pairs="1")
        write(self.folder / "run", result(scenario=scenario), rows)

    def test_each_is_the_one_it_says(self):
        for asked, request, how in (
                ("slowest", "A.5", "the slowest of 5 requests"),
                ("traffic.t.slowest", "A.2", "the slowest of 4 sends of generator t"),  # the first of two
                ("fastest", "A.1", "the fastest of 5 requests"),
                ("first", "A.1", "the first posted of 5 requests"),
                ("last", "A.3", "the last posted of 5 requests"),
                ("p20", "A.1", "p20 of 5 requests"),   # ceil(5 x 0.2) = 1
                ("p20.1", "A.3", "p20.1 of 5 requests"),  # ceil(1.005) = 2
                ("p0", "A.1", "p0 of 5 requests"),
                ("traffic.t.p75", "A.2", "p75 of 4 sends of generator t"),  # 10, 20, 30, 30
                ("traffic.t.p99.9", "A.2", "p99.9 of 4 sends of generator t"),
                ("A.send.slowest", "A.5", "the slowest of 5 sends of A"),
                ("B.receive.p50", "B.1", "p50 of 1 receive of B")):
            said = self.envelope("explain", "run", asked)["result"]
            self.assertEqual((asked, said["request"], said["chosen_as"]), (asked, request, how))

    def refuse(self, asked, message):
        out, err = self.ndsim("explain", "run", asked, exit=2)
        self.assertEqual((out, err), ("", f"ndsim: {message}\n"))
        self.assertEqual(self.envelope("explain", "run", asked, exit=2)["error"], message)

    def test_what_there_is_not(self):
        self.refuse("A.6", 'there is no request "A.6" in run, which has A.1 to A.5, B.1')
        self.refuse("4", 'there is no request "4" in run, which has A.1 to A.5, B.1; did you mean A.4?')
        self.refuse("slowets", 'there is no request "slowets" in run, which has A.1 to A.5, B.1; did you mean slowest?')
        self.refuse("A.send.slowst", 'there is no request "A.send.slowst" in run, which has A.1 to A.5, B.1; did you mean '
                                     "A.send.slowest?")
        self.refuse("traffic.t.slowst", 'there is no request "traffic.t.slowst" in run, which has A.1 to A.5, B.1; did you '
                                        "mean traffic.t.slowest?")
        # There is nothing of that kind to suggest.
        for nothing in ("A.send.p50.p60", "A.read.lasst", "traffic.u.lasst", "C.send.lasst"):
            self.refuse(nothing, f'there is no request "{nothing}" in run, which has A.1 to A.5, B.1')
        self.refuse("traffic.u.slowest", 'traffic.u.slowest: there is no generator "u"; there is t')
        self.refuse("C.send.p50", 'C.send.p50: there is no host "C"; there is A, B')
        self.refuse("A.read.first", "A.read.first: no read of A has completed in run")
        self.refuse("A.sent.first", 'A.sent.first: there is no kind of request "sent"; there is receive, send, read, write, '
                                    "bind, fast_register, invalidate")
        self.refuse("p101", "p101: a percentile is p0 to p100, such as p99.9")

    def test_a_run_without_completions(self):
        write(self.folder / "run", result(), [])
        self.refuse("A.1", 'there is no request "A.1" in run, in which none has completed')
        self.refuse("slowest", "slowest: no request of a send queue has completed in run; HOST.receive.slowest asks for "
                               "receives")


class Folders(CliTest):
    def refuse(self, folder, pattern):
        _, err = self.ndsim("explain", folder, "A.1", exit=2)
        self.assertRegex(err, f"^ndsim: {pattern}\n$")

    def test_that_are_none_of_a_run(self):
        write(self.folder / "out/stream", result(), None)
        write(self.folder / "out/quick", result())
        self.refuse("out/strem", r"out/strem: there is no such folder; did you mean out/stream\?")
        self.refuse("elsewhere/x", "elsewhere/x: there is no such folder")
        self.refuse("out/quick/result.json", r"out/quick/result\.json: is a file; give the folder of the run")
        self.refuse("out", r"out: has no result\.json, so it is not the folder of a run that has ended; runs are in "
                           "out/quick, out/stream")
        self.refuse("out/stream", r"out/stream: has no completions\.csv; run the scenario with --set "
                                  r"outputs\.completions=true")

    def test_of_another_version(self):
        said = result(ndsim="9.0.0")
        del said["queue_pairs"]
        write(self.folder / "new", said)
        self.refuse("new", r"new/result\.json: key 'queue_pairs' not found; ndsim 9\.0\.0 wrote it, and this is ndsim "
                           r"\d+\.\d+\.\d+\. Run the scenario again")
        (self.folder / "new/result.json").write_text('{"ndsim"')
        self.refuse("new", r"new/result\.json: is not JSON, or is cut off; something else wrote it, .*")
        write(self.folder / "old", result(), [])
        (self.folder / "old/completions.csv").write_text("request,qp\n")
        self.refuse("old", r"old/completions\.csv: the columns are not those that this version of ndsim writes; run the "
                           "scenario again")

    def test_whose_lines_are_damaged(self):
        good = row("A.1", 0, (("wire", 5),))
        write(self.folder / "run", result(), [good, good[:30]])
        _, err = self.ndsim("explain", "run", "A.2", exit=2)
        self.assertIn("run/completions.csv:3: expected a request whose accounts add up to its total", err)
        write(self.folder / "run", result(), [good[:-4] + "tx"])
        _, err = self.ndsim("explain", "run", "A.1", exit=2)
        self.assertEqual(err, "ndsim: A.1: the times of its path do not add up to its life: tx\n")

    def test_whose_last_lines_are_missing(self):
        write(self.folder / "run", result(), [row(f"A.{number}", 0, (("wire", 5),)) for number in (1, 2, 3)])
        path = self.folder / "run" / "completions.csv"
        path.write_text("".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[:-1]), encoding="utf-8")
        for command in (("explain", "run", "slowest"), ("compare", "run", "run"), ("report", "run")):
            _, err = self.ndsim(*command, exit=2)
            self.assertIn("run/completions.csv: it has 2 requests, and the run had 3; the file is cut off", err)


class Runs(CliTest):
    def explained(self, *words):
        said = self.envelope("explain", *words)["result"]
        at = said["begin_ps"]
        for stay in said["path"]:  # one begins where the other ends
            self.assertEqual(stay["begin_ps"], at)
            self.assertEqual(stay["end_ps"], at + stay["took_ps"])
            self.assertGreater(stay["took_ps"], 0)
            at = stay["end_ps"]
        self.assertEqual(at, said["end_ps"])
        return said

    def test_a_fenced_send(self):
        self.ndsim("run", LIBRARY / "fence-order.json", "--out", "fence")
        send = self.explained("fence", "A.send")
        read = self.explained("fence", "A.read")
        fence = [stay for stay in send["path"] if stay["account"] == "fence"]
        self.assertEqual(len(fence), 1)
        self.assertGreater(fence[0]["share_ppm"], 900_000)
        # The Send leaves when the Read's data is in A's memory.
        visible = [stay["end_ps"] for stay in read["path"] if stay["account"] == "dma_write"]
        self.assertEqual(fence[0]["end_ps"], visible[-1])
        # Built in 50 ns, behind the Read: 100 ns for its doorbell, 207.1 to the queue, 397.3 to fetch it.
        out, _ = self.ndsim("explain", "fence", "A.send")
        self.assertRegex(out, r"\n +754\.4 +\d+\.\d +\d+\.\d +9\d\.\d  fence +a fence held it at A\.nic\.wqe ")
        self.assertIn("called A.send, to B.q0\n", out)

    def test_a_counted_post(self):
        self.write("counted.json", """{
          "hosts": { "A": { "buffers": { "tx": { "size": "64 B" } } }, "B": { "buffers": { "rx": { "size": "64 B" } } } },
          "programs": {
            "A": [ { "sleep": "20 us" }, { "post": "send", "buffer": "tx", "count": 3, "as": "s" }, { "poll": "q0.send", "count": 3 },
                   { "disconnect": "q0", "as": "bye" } ],
            "B": [ { "post": "receive", "buffer": "rx", "count": 4, "as": "r" }, { "poll": "q0.receive", "count": 3 },
                   { "disconnect": "q0", "as": "bye" } ] } }""")
        self.ndsim("run", "counted.json", "--out", "out")
        self.assertEqual(self.explained("out", "A.s[1]")["request"], "A.2")
        for asked, message in (("A.s", "A.s is 3 requests: A.s[0] to A.s[2]; name one"),
                               ("A.bye", "A.bye is a step of a connection, and only requests of queues have ledgers")):
            self.assertEqual(self.ndsim("explain", "out", asked, exit=2)[1], f"ndsim: {message}\n")

    def test_a_request_that_never_completed(self):
        self.write("late.json", """{
          "hosts": { "A": {}, "B": { "buffers": { "rx": { "size": "64 B" } } } },
          "programs": { "B": [ { "post": "receive", "buffer": "rx", "as": "late" } ] },
          "links": { "l0": {} } }""")
        self.ndsim("run", "late.json", "--out", "out")
        self.assertEqual(self.ndsim("explain", "out", "B.late", exit=2)[1],
                         "ndsim: B.late was refused, or did not complete before the run ended, so it has no ledger\n")

    def test_the_slowest_of_a_kind_is_the_greatest_of_the_metric(self):
        self.ndsim("run", QUICKSTART, "--out", "quick")
        metrics = self.result("quick")["metrics"]
        self.assertEqual(self.explained("quick", "A.send.slowest")["total_ps"], metrics["ledger.A.send.max"]["value"])
        self.assertEqual(self.explained("quick", "A.send.fastest")["total_ps"], metrics["ledger.A.send.min"]["value"])

    def test_of_a_long_file_not_more_than_a_line_is_kept(self):
        rows = [row(f"A.{n}", n, (("post", 50), ("wire", 100 + n % 7), ("poll", 100))) for n in range(1, 12_001)]
        write(self.folder / "long", result(), rows)
        size = (self.folder / "long/completions.csv").stat().st_size
        self.assertGreater(size, 1_200_000)
        # The first with 6 ns more than the least.
        self.assertEqual(self.explained("long", "slowest")["request"], "A.6")
        self.assertLess(self.instructions("explain", "long", "slowest") / size, 130)  # twice through it; 102 with checks of undefined behaviour
