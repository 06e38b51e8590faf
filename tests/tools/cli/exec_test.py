# Tests of "ndsim exec": what runs where, what programs print and how they end, and what is wrong with the command line.
# SPDX-License-Identifier: Apache-2.0
import pathlib

from exec_support import BANDWIDTH, BUILD, ExecTest

PING_PONG = BUILD / "examples" / "nd1_ping_pong.so"
MEMORY_WINDOW = BUILD / "examples" / "nd1_memory_window.so"
LOOK = 0.011  # microseconds: cpu.poll_empty, after which a thread looks again, and the rounding of what is printed
REQUESTS = BUILD / "examples" / "wsd_request_response.so"
CLIENTS = BUILD / "clients"


class Exec(ExecTest):
    def refuse(self, programs, message):
        words = [word for program in programs for word in ("--host", program)]
        out, err = self.ndsim("exec", self.pair, *words, exit=2)
        self.assertEqual(out, "", "before anything runs")
        self.assertEqual(err, f"ndsim: {message}\n")
        self.assertFalse((self.folder / "out").exists())

    def lines_of(self, program, *options):
        """What the server on A and the client on B print."""
        self.ndsim("exec", self.pair, "--host", f"A={program} -s 10.0.0.1:5000",
                   "--host", f"B={program} 10.0.0.2 10.0.0.1:5000", "--out", "out", "--quiet", *options)
        return [(self.folder / "out" / f"output-{host}.txt").read_text().splitlines() for host in "AB"]

    def check_silent(self, on_a, on_b):
        """Runs programs that print what is not as it should be."""
        self.ndsim("exec", self.pair, "--host", f"A={on_a}", "--host", f"B={on_b}", "--out", "out")
        for host in "AB":
            self.assertEqual((self.folder / "out" / f"output-{host}.txt").read_text(), "")

    def half_round_trips(self, *options):
        """By bytes, in microseconds: with polling, and with notifications."""
        server, client = self.lines_of(PING_PONG, *options)
        self.assertEqual(server, [])
        self.assertEqual(client[0].split(), ["bytes", "polling", "notified"])
        for line in client[1:]:
            self.assertRegex(line, r"^ *\d+ +\d+\.\d{3} us +\d+\.\d{3} us$")
        rows = [line.replace("us", "").split() for line in client[1:]]
        return {int(size): (float(polling), float(notified)) for size, polling, notified in rows}

    def test_two_copies_of_a_program_talk_to_each_other(self):
        out, _ = self.bandwidth()
        line = out.splitlines()[0]
        self.assertRegex(line, r"^B: 300 writes of 65536 bytes, 16 under way: \d+\.\d\d Gb/s$")
        # 100 Gb/s less the headers of packets of 4 KiB is 98.04; filling and draining cost the rest of 300 writes.
        rate = float(line.split()[-2])
        self.assertLess(rate, 98.04)
        self.assertGreater(rate, 96)
        self.assertEqual((self.folder / "out" / "output-B.txt").read_text(), line.removeprefix("B: ") + "\n")
        self.assertEqual((self.folder / "out" / "output-A.txt").read_text(), "")
        programs = self.result("out")["programs"]
        self.assertEqual(programs["A"], {"file": str(BANDWIDTH), "arguments": ["-s", "10.0.0.1:5000"],
                                         "exit_code": 0})
        self.assertEqual(programs["B"]["exit_code"], 0)

    def test_a_message_takes_as_long_as_its_way(self):
        times = self.half_round_trips()
        self.assertEqual(list(times), [1, 64, 1024, 4096, 16384, 65536])
        for size, (polling, notified) in times.items():
            # 2 m of cable and both MACs are 102 ns, and each byte is on the lane for 80 ps. Software builds a request
            # of 50 ns and rings for it with a store of 100 ns for the message, notices it 60 ns after it can be seen,
            # and polls it for 60 ns.
            self.assertGreater(polling, 0.102 + size * 80e-6 + 0.27)
            # A sleeper goes on 1.2 us of interrupt and 4 us of waking up after the message can be seen, and who polls
            # 60 ns after that.
            self.assertAlmostEqual(notified, polling + 1.2 + 4 - 0.06, delta=LOOK)

    def test_what_a_message_meets_on_its_way_makes_it_later(self):
        usual = self.half_round_trips()
        # 200 m more at 5 ns per metre.
        for size, (polling, notified) in self.half_round_trips("--set", "link.length=202 m").items():
            self.assertAlmostEqual(polling, usual[size][0] + 1, delta=LOOK)
            self.assertAlmostEqual(notified, usual[size][1] + 1, delta=LOOK)
        # Each message wakes one sleeper, and nobody who polls.
        for size, (polling, notified) in self.half_round_trips("--set", "cpu.event_wakeup=9 us").items():
            self.assertAlmostEqual(polling, usual[size][0], delta=LOOK)
            self.assertAlmostEqual(notified, usual[size][1] + 5, delta=LOOK)

    def test_a_memory_window_until_it_is_closed(self):
        server, client = self.lines_of(MEMORY_WINDOW)
        # Results come in the order of posting (R58, R59), that of a window that the peer closes in front of the
        # Receive of the message that did it (R34). What comes through the window after that ends the connection:
        # ND_REMOTE_ERROR for who sent it, ND_CANCELED for the owner's Receives (R36).
        self.assertEqual(server, [
            "Bind: 00000000 ND_SUCCESS",
            "Send: 00000000 ND_SUCCESS",
            "the window: 00000000 ND_SUCCESS",
            "the last message: 00000000 ND_SUCCESS",
            "written: hello from the client",
            "a message that never comes: c0000120 ND_CANCELED",
        ])
        self.assertEqual(client, [
            "Receive: 00000000 ND_SUCCESS",
            "Read: 00000000 ND_SUCCESS",
            "Write: 00000000 ND_SUCCESS",
            "SendAndInvalidate: 00000000 ND_SUCCESS",
            "read: hello from the server",
            "a late Write: c000013d ND_REMOTE_ERROR",
        ])

    def test_a_memory_window_with_the_statuses_of_the_field(self):
        _, client = self.lines_of(MEMORY_WINDOW, "--set", "profile=infiniband")
        self.assertEqual(client[-1], "a late Write: c0000005 ND_ACCESS_VIOLATION")  # R36

    def test_the_same_command_prints_the_same(self):
        self.assertEqual(self.bandwidth(), self.bandwidth())

    def test_the_name_of_the_folder_changes_nothing(self):
        # It did, where a block of the program's heap began in its page.
        self.bandwidth()
        self.bandwidth(out="a-folder-whose-name-is-long-enough-for-more-of-the-heap" * 3)
        first, second = self.folder.glob("*/completions.csv")
        self.assertEqual(first.read_bytes(), second.read_bytes())

    def test_quiet_and_json_keep_programs_off_the_streams(self):
        self.assertEqual(self.bandwidth("--quiet"), ("", ""))
        said = self.envelope("exec", self.pair, "--host", f"A={BANDWIDTH}", exit=1)
        self.assertEqual(said["error"], "the program of A ended with 2")
        self.assertEqual(said["result"]["programs"]["A"]["exit_code"], 2)

    def test_a_program_that_returns_no_0(self):
        out, err = self.ndsim("exec", self.pair, "--host", f"A={BANDWIDTH} nowhere 10.0.0.1:1", exit=1)
        self.assertEqual(out.splitlines()[0], "A: no address: nowhere")
        self.assertEqual(err, "ndsim: the program of A ended with 2\n")

    def test_a_program_that_waits_for_ever(self):
        _, err = self.ndsim("exec", self.pair, "--host", f"A={BANDWIDTH} -s 10.0.0.1:5000", exit=6)
        self.assertIn("host A waits for a packet of a completion port", err)

    def test_what_is_wrong_with_the_command_line(self):
        self.refuse(["A"], "--host \"A\": expected HOST=FILE ARGUMENTS, such as 'A=libserver.so -s'")
        self.refuse(["A="], "--host \"A=\": expected HOST=FILE ARGUMENTS, such as 'A=libserver.so -s'")
        self.refuse(["server=x.so"], '--host "server=x.so": the scenario has no host "server". There are A, B')
        self.refuse(["A=x.so"], '--host "A=x.so": x.so cannot be read')
        self.refuse([f"A={BANDWIDTH}", f"A={BANDWIDTH}"], f'--host "A={BANDWIDTH}": host "A" has a program already')
        _, err = self.ndsim("exec", self.small, "--host", f"A={BANDWIDTH}", exit=2)
        self.assertIn('generator "t" uses host "A", and no other program can run there', err)
        self.write("text.so", "no program")
        _, err = self.ndsim("exec", self.pair, "--host", "A=text.so", exit=2)
        self.assertIn('--host "A=text.so": text.so cannot be loaded: ', err)

    def test_a_library_that_is_no_program(self):
        import ctypes.util
        library = ctypes.util.find_library("z")
        path = next(pathlib.Path("/usr/lib").rglob(library))
        self.refuse([f"A={path}"], f'--host "A={path}": {path} is not a host program: it is not linked with ndsim::program')

    def round_trip(self, *options, bytes=64):
        """Microseconds from a request to its response."""
        out, _ = self.ndsim("exec", self.pair, "--host", f"A={REQUESTS} -s 10.0.0.1:5000",
                            "--host", f"B={REQUESTS} 10.0.0.2 10.0.0.1:5000 {bytes} 50", "--out", "out", *options)
        client, server = out.splitlines()[:2]
        self.assertRegex(client, rf"^B: 50 requests of {bytes} bytes, there and back: \d+\.\d{{3}} us each$")
        # The server has seen one more, which is not timed, and ends when the client has gone.
        self.assertEqual(server, "A: 51 requests served")
        return float(client.split()[-3])

    # [W30] [W34] [W53] [W63]
    def test_requests_and_responses_over_winsock_direct(self):
        short = self.round_trip()
        # The cable of 2 m and its ends take 102 ns each way, and the server's thread is woken in 4 us.
        self.assertGreater(short, 2 * 0.102 + 4)
        # 500 m more of 5 ns each, each way. A look of 10 ns that finds the response may fall otherwise.
        self.assertAlmostEqual(self.round_trip("--set", "link.length=502 m") - short, 5, delta=0.02)
        # The server is told, the client looks.
        self.assertAlmostEqual(self.round_trip("--set", "hosts.A.cpu.event_wakeup=7 us") - short, 3, delta=0.02)
        self.assertEqual(self.round_trip("--set", "hosts.B.cpu.event_wakeup=7 us"), short)
        # 4092 bytes and their number are one packet, as 64 are: 4028 bytes more at 80 ps each, each way.
        self.assertGreater(self.round_trip(bytes=4092) - short, 2 * 0.32224)

    # [W3] [W4] [W29] [W67] [W69] [W70] [W76] [W83] [W85] [W86] [W88] [W95] [W96] [W99] [W101] [W102]
    def test_pointers_of_winsock_direct(self):
        self.ndsim("exec", self.pair, "--host", f"A={CLIENTS / 'wsd_alone.so'}", "--out", "out")
        self.assertEqual((self.folder / "out" / "output-A.txt").read_text(), "")

    # [W1] [W33] [W34] [W42] [W43] [W44] [W47] [W49] [W65] [W78] [W89] [W90] [W93]
    def test_pointers_of_winsock_direct_between_two_programs(self):
        pair = CLIENTS / "wsd_pair.so"
        self.check_silent(f"{pair} passive", f"{pair} active")

    def test_an_upcall_may_end_its_program(self):
        pair = CLIENTS / "wsd_pair.so"
        _, err = self.ndsim("exec", self.pair, "--host", f"A={pair} ends-in-upcall", "--host", f"B={pair} active",
                            "--out", "out", exit=1)
        self.assertEqual(err, "ndsim: the program of A ended with 7\n")
        # Its peer's socket ends like that of a peer that closes.
        self.assertEqual((self.folder / "out" / "output-B.txt").read_text(), "")

    # [W90] [W94]
    def test_calls_of_winsock_direct_that_are_repeated_until_they_succeed(self):
        polls = CLIENTS / "wsd_polls.so"
        self.check_silent(f"{polls} receive", f"{polls} send 100")

    # [B25] [W101]
    def test_a_program_may_exit_while_another_thread_polls(self):
        polls = CLIENTS / "wsd_polls.so"
        for looks in range(10, 20):  # at two of these the other thread is within a poll
            with self.subTest(looks):
                self.ndsim("exec", self.pair, "--host", f"A={polls} receive {looks}",
                           "--host", f"B={polls} send 10000", "--out", "out")

    # 7 bytes: "from C" and its end
    def test_programs_in_c(self):
        pair = CLIENTS / "c_pair.so"
        self.ndsim("exec", self.pair, "--host", f"A={pair} passive 10.0.0.1",
                   "--host", f"B={pair} active 10.0.0.2 10.0.0.1", "--out", "out")
        self.assertEqual((self.folder / "out" / "output-A.txt").read_text(), "7 bytes: from C\n")

    def test_a_program_may_take_long_and_post_much(self):
        program = f"A={CLIENTS / 'in_c.so'}"
        self.ndsim("exec", self.pair, "--host", program, "--out", "out")
        parameters = self.result("out")["scenario"]["parameters"]
        self.assertEqual(parameters["limits.time"]["value"], "86400 s")
        self.assertTrue((self.folder / "out" / "completions.csv").exists())
        said = self.write("said.json", '{"hosts": {"A": {}, "B": {}}, "limits": {"time": "5 s"}}')
        self.ndsim("exec", said, "--set", "outputs.completions=false", "--host", program, "--out", "out")
        self.assertEqual(self.result("out")["scenario"]["parameters"]["limits.time"]["value"], "5 s")
        self.assertFalse((self.folder / "out" / "completions.csv").exists())

    def test_who_polls_is_busy(self):
        self.ndsim("exec", self.pair, "--host", f"A={CLIENTS / 'busy.so'}", "--out", "out")

    def test_a_locked_heap_keeps_other_threads_out(self):
        self.ndsim("exec", self.pair, "--host", f"A={CLIENTS / 'names.so'} lock", "--out", "out")

    # Programs that check themselves, one of them with its times: of threads that exchange, of waits with an end.
    def test_threads_and_timers(self):
        for client in ("cpp_threads", "thread_locals", "cpp_exceptions", "handles", "wakes"):
            program = CLIENTS / f"{client}.so"
            self.check_silent(program, program)

    # An event is seen at once, so that threads go on while others set events.
    def test_threads_that_meet_at_every_distance_of_time(self):
        program = CLIENTS / "races.so"
        self.ndsim("exec", self.pair, "--host", f"A={program}", "--set", "cpu.event_wakeup=30 ns", "--out", "out")
        self.assertEqual((self.folder / "out" / "output-A.txt").read_text(), "")

    def test_threads_that_are_behind_come_as_far_before_exit_takes_objects_down(self):
        self.ndsim("exec", self.pair, "--host", f"A={CLIENTS / 'races.so'} exit", "--out", "out")
        self.assertEqual((self.folder / "out" / "output-A.txt").read_text(), "")

    def test_the_last_thread_ends_the_program(self):
        _, err = self.ndsim("exec", self.pair, "--host", f"A={CLIENTS / 'races.so'} last-thread", "--out", "out",
                            exit=1)
        self.assertEqual(err, "ndsim: the program of A ended with 7\n")

    def test_calls_queued_to_a_thread_come_before_it_and_in_its_alertable_waits(self):
        self.ndsim("exec", self.pair, "--host", f"A={CLIENTS / 'alerts.so'}", "--out", "out")

    def test_each_thread_has_its_state_of_the_c_library(self):
        program = CLIENTS / "c_library.so"
        self.ndsim("exec", self.pair, "--host", f"A={program} files", "--host", f"B={program}", "--out", "out")

    def test_a_host_may_be_alone(self):
        alone = self.write("alone.json", '{ "hosts": { "A": {} } }')
        self.ndsim("exec", alone, "--host", f"A={CLIENTS / 'in_c.so'}", "--out", "out")

    def test_nothing_to_run(self):
        _, err = self.ndsim("exec", self.pair, exit=2)
        self.assertIn("--host is required", err)
