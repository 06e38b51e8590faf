# Tests "ndsim report" of runs: what its pages say, of run folders made by hand and of runs. How they look to a browser is
# in report_browser_test.py.
# SPDX-License-Identifier: Apache-2.0
import csv
import os
import re
import resource

from report_pages import SVG, ReportTest
from run_folders import ledger, metric, result, row, settings, write
from support import LIBRARY

BYTES = {"unit": "bytes", "parameter": "hosts.A.nic.tx_fifo", "kept_full": False}
CHAPTERS = ["Summary", "Latency", "Ledger", "Occupancy", "Stalls", "Messages"]


class Page(ReportTest):
    def test_has_its_chapters_and_each_id_once(self):
        page = self.library("quickstart")
        self.assertEqual(re.findall("<h2 id=.*?>(.*?)</h2>", page), CHAPTERS)
        self.assertEqual(re.findall('<a href="#(.*?)">', page), re.findall('<h2 id="(.*?)">', page))
        ids = re.findall(r' id="([^"]*)"', re.sub("<script>.*?</script>", "", page, flags=re.DOTALL))
        self.assertEqual(len(ids), len(set(ids)), ids)

    def test_needs_no_other_file_and_no_network(self):
        page = self.library("quickstart")
        for reference in ("src=", "url(", "@import", "<link", "<iframe", "sourceMappingURL"):
            found = page.replace("url(#", "")  # heads of arrows, in the page
            found = re.sub(r"<script>.*?</script>", "", found, flags=re.DOTALL)
            self.assertNotIn(reference, found)
        self.assertNotIn("sourceMappingURL", page)
        self.assertIn("default-src 'none'", page)
        self.assertIn("dygraphs/blob/v2", page, "the library's licence stays with it")

    # 32 KiB are 8 packets. The third is lost, so 6 are sent again; the next message's acknowledgement is lost, so 1 is.
    def test_tells_what_was_lost_and_sent_again(self):
        page = self.library("lost-packet")
        self.assertIn("<h3>Recovery, in the whole run</h3>", page)
        counters = "".join(f'<td class="n">{count}</td>' for count in (7, 1, 1, 0))
        self.assertIn(f"<tr><td>A</td>{counters}</tr>", page)
        for lane in ("l0_A_to_B", "l0_B_to_A"):
            self.assertIn(f'<tr><td>{lane}_faults.drop</td><td class="n">1</td></tr>', page)
        self.assertNotIn("<h3>Recovery", self.library("quickstart"))

    def test_tells_of_connections_that_ended_by_an_error(self):
        page = self.library("receive-too-small")
        self.assertRegex(page, r"<h3>Ended connections</h3>\n.*\n.*\n<tr><td>B.q0 to A.q0</td><td class=\"n\">[^<]* us</td>"
                               r"<td>a message was larger than its receive \(loc_len\)</td><td>expected</td></tr>")
        self.assertNotIn("<h3>Ended connections", self.library("quickstart"))

    def test_figures_are_pictures_or_curves(self):
        page = self.library("quickstart")
        pictures = self.pictures(page)
        for name in ("ledger-1", "ledger-2", "stall-bars", "ladder"):
            self.assertGreater(len(self.texts(pictures[name])), 3, name)
        curves = self.curves(page)
        for name in ("latency-curve", "receive-curve", "occupancy-1"):
            self.assertGreater(len(curves[name]["series"][0]["points"]), 3, name)
        self.assertFalse(set(pictures) & set(curves))

    def test_the_same_run_makes_the_same_bytes(self):
        first = self.library("rnr-recovery")
        self.ndsim("run", LIBRARY / "rnr-recovery.json", "--timeline", "--out", "elsewhere/again")
        self.assertEqual(self.page("elsewhere/again"), first)
        self.assertNotIn(str(self.folder), first)

    def test_is_in_the_folder_by_default_and_a_new_run_removes_it(self):
        self.ndsim("run", self.small, "--out", "run")
        out, _ = self.ndsim("report", "run")
        self.assertEqual(out, "run/report.html: open it in a browser\n")
        said = self.envelope("report", "run/")
        self.assertEqual(said["result"]["bytes"], (self.folder / "run/report.html").stat().st_size)
        self.ndsim("run", self.small, "--out", "run")
        self.assertFalse((self.folder / "run/report.html").exists())

    def test_names_stand_in_it_as_text(self):
        page = self.made(scenario={**result()["scenario"], "about": "<script>alert(1)</script> & \"more\""})
        self.assertIn("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;", page)
        self.assertNotIn("<script>alert", page)


class Head(ReportTest):
    def parameters(self, **origins):
        written = result()["scenario"]
        return {**written, "parameters": {path.replace("__", "."): {"value": value, "origin": origin}
                                          for path, (value, origin) in origins.items()}}

    def test_names_the_presets_and_lists_what_is_not_theirs(self):
        page = self.made(scenario=self.parameters(
            hosts__A__preset=("B", "default"), hosts__B__preset=("C", "file"), hosts__A__nic__mtu=("4096", "preset"),
            hosts__A__nic__sq__depth=("32", "command line")))
        self.assertIn("presets B and C, seed", page)
        listed = re.search("<details><summary>(.*?)</summary>(.*?)</details>", page, re.DOTALL)
        self.assertEqual(listed[1], "2 parameters set by the scenario or the command line")
        self.assertEqual(re.findall("<tr><td>(.*?)</td><td class=\"n\">(.*?)</td><td>(.*?)</td></tr>", listed[2]),
                         [("hosts.A.nic.sq.depth", "32", "command line"), ("hosts.B.preset", "C", "file")])

    def test_has_the_version_and_the_command_that_makes_the_run_again(self):
        written = {**result()["scenario"], "overrides": ["nic.mtu=1024", "hosts.A.preset=C", "traffic.t.size=8 KiB"]}
        page = self.made(scenario=written)
        self.assertIn("ndsim 0.1.0: <code>ndsim run made.json --set nic.mtu=1024 --set hosts.A.preset=C "
                      "--set &#39;traffic.t.size=8 KiB&#39;</code>", page)
        page = self.made(programs={"A": {"file": "a.so", "arguments": ["-s", "two words"], "exit_code": 3}})
        self.assertIn("<code>ndsim exec made.json --host &#39;A=a.so -s &quot;two words&quot;&#39;</code>", page)
        self.assertRegex(page, r'(?s)<h3>Programs</h3>.*<td[^>]*>A</td><td[^>]*>a\.so</td><td[^>]*>3</td>')
        # A program that is no shared object has no command.
        page = self.made(programs={"A": {}})
        self.assertIn("<p class=\"made-by\">ndsim 0.1.0</p>", page)
        self.assertNotIn("<h3>Programs</h3>", page)

    def test_has_no_list_where_all_is_the_presets(self):
        page = self.made(scenario=self.parameters(hosts__A__preset=("B", "default")))
        self.assertIn("preset B, seed", page)
        self.assertNotIn("<details>", page)


class SideBySide(ReportTest):
    def test_what_several_generators_reach_together_stands_below_their_rates(self):
        rates = {"goodput": 30, "slowest": 10, "fastest": 20}
        page = self.made(metrics={
            **{f"run.to_R.{name}": metric(gbps * 10**9, "bps") for name, gbps in rates.items()},
            "run.to_R.steady": metric(0), "run.to_Q.goodput": metric(10**9, "bps")})
        cells = "".join(f'<td class="n">{gbps} Gbps</td>' for gbps in rates.values())
        self.assertIn("<h3>Side by side</h3>", page)
        self.assertIn(f"<td>to R</td>{cells}<td>not steady</td>", page)
        self.assertNotIn("to Q", page)  # of one generator it is its own


class Limits(ReportTest):
    def test_what_is_not_proved_is_left_out_and_what_is_shared_says_with_what(self):
        def limit(what, parameter, **proof):
            return {"kind": "pool", "what": what, "share_ppm": 200_000, "binds": True, "parameter": parameter,
                    "value": "1", "basis": "chosen", **({"proof": proof} if proof else {})}
        metrics = {"traffic.t.goodput": metric(1, "bps")}
        page = self.made(metrics=metrics, limits=[
            limit("one", "nic.a", verdict="proved"), limit("two", "nic.b", verdict="shared", **{"with": ["nic.x"]}),
            limit("three", "nic.c", verdict="proved together", **{"with": ["nic.y", "nic.z"]}),
            limit("four", "nic.d", verdict="not proved"), limit("five", "nic.d"), limit("six", "nic.e")])
        rows = [re.sub("<.*?>", "|", row) for row in re.findall("<tr>(<td>.*?pool.*?)</tr>", page)]
        self.assertEqual([(row.split("|")[1], row.split("|")[-2]) for row in rows],
                         [("one", ""), ("two", "shared with nic.x"), ("three", "only together with nic.y, nic.z"),
                          ("six", "")])
        page = self.made(metrics=metrics, limits=[limit("four", "nic.d", verdict="not proved")])
        self.assertIn("no limit is proved", page)


class Refusals(ReportTest):
    def test_a_folder_that_is_none_of_a_run(self):
        self.ndsim("run", self.small, "--out", "out/small")
        _, err = self.ndsim("report", "out/smal", exit=2)
        self.assertEqual(err, "ndsim: out/smal: there is no such folder; did you mean out/small?\n")
        _, err = self.ndsim("report", "out", exit=2)
        self.assertIn("out: has no result.json, so it is not the folder of a run that has ended; runs are in out/small", err)
        _, err = self.ndsim("report", self.small, exit=2)
        self.assertIn("is a file; give the folder of the run", err)

    def test_files_that_are_not_as_ndsim_writes_them(self):
        self.ndsim("run", self.small, "--timeline", "--out", "run")
        timeline = self.folder / "run/timeline.json"
        lines = timeline.read_text(encoding="utf-8").splitlines()
        number = next(i for i, line in enumerate(lines) if line.startswith('{"ph":"C"'))
        lines[number] = lines[number][:20]
        timeline.write_text("\n".join(lines), encoding="utf-8")
        _, err = self.ndsim("report", "run", exit=2)
        self.assertIn(f"run/timeline.json:{number + 1}: expected an event of a timeline", err)

    def test_a_compressed_timeline_that_is_cut_off(self):
        self.ndsim("run", self.small, "--set", "outputs.timeline.compressed=true", "--out", "run")
        path = self.folder / "run/timeline.json.gz"
        path.write_bytes(path.read_bytes()[:-9])  # the checksum and the length are 8 bytes
        _, err = self.ndsim("report", "run", exit=2)
        self.assertEqual(err, "ndsim: run/timeline.json.gz: the file is damaged or cut off\n")

    def test_a_result_of_another_version(self):
        said = result()
        write(self.folder / "made", said)  # without engines
        _, err = self.ndsim("report", "made", exit=2)
        self.assertEqual(err, "ndsim: made/result.json: is not what this version of ndsim writes; run the scenario again\n")

    def test_options(self):
        self.ndsim("run", self.small, "--out", "run")
        for words in (["--messages", "0"], ["--from", "soon"], ["-o", ""]):
            self.ndsim("report", "run", *words, exit=2)
        _, err = self.ndsim("report", "run", "--from", "5", exit=2)
        self.assertIn('--from: expected a number and a unit, such as', err)

    def test_a_page_does_not_replace_what_it_is_made_from(self):
        self.ndsim("run", self.small, "--out", "run")
        before = (self.folder / "run" / "result.json").read_bytes()
        for file in ("run/result.json", "./run/completions.csv"):
            _, err = self.ndsim("report", "run", "-o", file, exit=2)
            self.assertEqual(err, f"ndsim: -o {file}: the page is made from this file\n")
        self.assertEqual((self.folder / "run" / "result.json").read_bytes(), before)

    def test_a_page_that_cannot_be_written_leaves_the_old_one(self):
        self.ndsim("run", self.small, "--out", "run")
        self.write("page.html", "the old one")
        _, err = self.ndsim("report", "run", "-o", "page.html", exit=7,
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000)))
        self.assertEqual(err, "ndsim: page.html: File too large\n")
        self.assertEqual((self.folder / "page.html").read_text(encoding="utf-8"), "the old one")
        self.assertEqual([name for name in os.listdir(self.folder) if name.endswith(".part")], [])
        _, err = self.ndsim("report", "run", "-o", "nowhere/page.html", exit=7)
        self.assertIn("nowhere/page.html: No such file or directory", err)


class Run(ReportTest):
    def test_says_how_to_get_what_is_missing(self):
        self.ndsim("run", self.small, "--set", "outputs.completions=false", "--out", "run")
        page = self.page("run")
        self.assertEqual(page.count("run it again with --timeline"), 2)
        self.assertIn("run it again with outputs.completions=true", page)
        self.assertEqual(re.findall("<h2 id=.*?>(.*?)</h2>", page), CHAPTERS)

    def test_a_compressed_timeline_makes_the_same_page(self):
        self.ndsim("run", self.small, "--timeline", "--out", "plain")
        self.ndsim("run", self.small, "--set", "outputs.timeline.compressed=true", "--out", "packed")
        plain, packed = (dict(re.findall('<h2 id="(.*?)">(.*?)(?=<h2|</body>)', self.page(folder), re.DOTALL))
                         for folder in ("plain", "packed"))
        for chapter in ("occupancy", "messages"):
            self.assertGreater(len(plain[chapter]), 1000)
            self.assertEqual(packed[chapter], plain[chapter])

    def test_latency_curve_has_a_step_for_each_latency(self):
        # Three of 100 ns, one of 300: 75 % took no longer than 100 ns. One that failed does not count.
        rows = [row(f"A.{i}", 1000 * i, [("post", time)]) for i, time in enumerate((100, 100, 300, 100), 1)]
        page = self.made([*rows, row("A.5", 9000, [("post", 50)], status="flushed")])
        self.assertIn('"points":[[100.0,0.0],[100.0,75.0],[300.0,100.0]]', page)
        self.assertIn("Not in the curves: 1 request that did not succeed.", page)

    def test_ledger_bars_have_the_figures_of_the_table(self):
        page = self.made(ledgers=[ledger("A", "send", 4, post=100, wire=300, poll=600)])
        titles = self.titles(self.pictures(page)["ledger-1"])
        self.assertEqual(titles, ["post: 100.0 ns, 10.0 %", "wire: 300.0 ns, 30.0 %", "poll: 600.0 ns, 60.0 %"])

    def test_ledger_bars_stand_behind_each_other(self):
        page = self.made(ledgers=[ledger("A", "send", 4, post=100, wire=300, poll=600)])
        bars = [rect for rect in self.pictures(page)["ledger-1"].iter(f"{SVG}rect") if rect.find(f"{SVG}title") is not None]
        begins = [float(bar.get("x")) for bar in bars]
        widths = [float(bar.get("width")) for bar in bars]
        self.assertAlmostEqual(begins[1], begins[0] + widths[0], delta=0.2)
        self.assertAlmostEqual(begins[2], begins[1] + widths[1], delta=0.2)
        self.assertAlmostEqual(widths[2] / widths[0], 6, delta=0.05)

    def test_stalls_name_their_causes(self):
        engine = {"engine": "A.nic.wqe", "idle_ps": 500, "busy_ps": 100, "blocked_ps": 400,
                  "blocked_by_ps": {"tags": 100, "fence": 300, "credits": 0}}
        write(self.folder / "made", result(engines=[engine]))
        picture = self.pictures(self.page("made"))["stall-bars"]
        self.assertIn("fence 30.0 %, tags 10.0 %", self.texts(picture))
        self.assertEqual(self.titles(picture), ["A.nic.wqe: busy, 10.0 % (100 ps)",
                                                "A.nic.wqe: waits for fence, 30.0 % (300 ps)",
                                                "A.nic.wqe: waits for tags, 10.0 % (100 ps)"])

    def test_the_engine_that_worked_most_is_shown_beside_those_that_waited(self):
        # 24 have room; 30 engines waited, and the lane never did.
        waits = [{"engine": f"S{n}.nic.tx", "idle_ps": 900 - n, "busy_ps": 0, "blocked_ps": 100 + n,
                  "blocked_by_ps": {"pause": 100 + n}} for n in range(30)]
        lane = {"engine": "l8_s0_to_R", "idle_ps": 0, "busy_ps": 1000, "blocked_ps": 0, "blocked_by_ps": {}}
        write(self.folder / "made", result(engines=[*waits, lane]))
        titles = self.titles(self.pictures(self.page("made"))["stall-bars"])
        self.assertEqual(len(titles), 24)
        self.assertEqual(titles[0], "S29.nic.tx: waits for pause, 12.9 % (129 ps)")
        self.assertEqual(titles[-1], "l8_s0_to_R: busy, 100.0 % (1 ns)")

    def test_the_fullest_buffer_and_queue_of_a_switch_are_among_the_pools(self):
        # Eleven pools that are fuller; the table has ten.
        pools = {f"S{n}.nic.tx.tx_fifo": 90 for n in range(11)} | {"s0.buffer": 30, "s0.R.queue": 29, "s0.S1.queue": 3}
        metrics = {}
        for pool, most in pools.items():
            metrics |= {f"{pool}.high_water": metric(most), f"{pool}.capacity": metric(100)}
        page = self.made(metrics=metrics, pools={pool: BYTES for pool in pools}, scenario=settings(switches__s0__buffer="16 MiB"))
        rows = re.findall(r"<tr><td>([\w.]+)</td><td class=\"n\">\d+</td><td class=\"n\">100</td>", page)
        self.assertEqual(len(rows), 12)
        self.assertEqual(rows[-2:], ["s0.buffer", "s0.R.queue"])

    def test_pools_are_listed_by_how_full_they_were(self):
        page = self.made(metrics={"A.x.small.high_water": metric(9), "A.x.small.capacity": metric(10),
                                  "A.x.large.high_water": metric(50), "A.x.large.capacity": metric(100)},
                         pools={"A.x.small": BYTES, "A.x.large": BYTES})
        self.assertLess(page.index("A.x.small"), page.index("A.x.large"))

    def test_curves_over_time_are_of_the_part_that_the_timeline_has(self):
        self.ndsim("run", self.small, "--out", "run")
        said = self.result("run")
        begin, end = ((said["started_ps"] * (4 - part) + said["ended_ps"] * part) // 4 for part in (1, 3))
        self.ndsim("run", self.small, "--timeline", "--set", f"outputs.timeline.start={begin} ps",
                   "--set", f"outputs.timeline.stop={end} ps", "--out", "run")
        ranges = re.findall(r'"label":"time \[us\]".*?"range":\[([\d.]+),([\d.]+)\]', self.page("run"))
        self.assertGreater(len(ranges), 2)
        for low, high in ranges:
            self.assertAlmostEqual(float(low), begin / 1e6, places=6)
            self.assertAlmostEqual(float(high), end / 1e6, places=6)

    def test_expectations_that_fail_come_first(self):
        self.ndsim("run", self.small, "--set", "traffic.t.count=10", "--out", "run", exit=1)
        page = self.page("run")
        self.assertIn("0 of 1 expectations met.", page)
        self.assertIn("<td>NOT MET</td>", page)

    def test_a_long_run_makes_a_small_page_that_keeps_its_peaks(self):
        self.ndsim("run", self.small, "--timeline", "--set", "traffic.t.count=4000", "--out", "run")
        page = self.page("run")
        self.assertLess(len(page), 1_500_000)
        self.assertIn("Thinned to what the picture can show", page)
        most = re.findall(r"<h3>(A\.qps\.\w+\.sq), at most (\d+) of \d+</h3>", page)
        self.assertEqual([value for _, value in most], ["4"])  # its window
        self.assertIn("Messages and acknowledgements 1 to 60 of ", page)


class Ladder(ReportTest):
    def ladder(self, name, *words):
        return self.pictures(self.library(name, *words))["ladder"]

    def test_a_send_that_invalidates_is_named_and_its_end_and_the_refusal_of_what_came_late(self):
        texts = self.texts(self.ladder("send-and-invalidate"))
        rung, = (text for text in texts if re.fullmatch(r"SendAndInvalidate \(key 0x[0-9a-f]+\) 64 B, A\.2", text))
        self.assertIn("NAK: remote_access", texts)
        self.assertIn("A.late: remote_resources", texts)
        self.assertLess(texts.index(rung), texts.index("NAK: remote_access"))

    def test_an_rnr_nak_its_wait_and_what_is_sent_again_are_named(self):
        texts = self.texts(self.ladder("rnr-recovery"))
        # The metric counts what B has sent.
        naks = self.result("rnr-recovery")["metrics"]["B.nic.responder.rnr_naks"]["value"]
        self.assertGreater(naks, 0)
        self.assertEqual(texts.count("RNR NAK"), naks)
        self.assertEqual(sum(text.startswith("A.1 RNR wait: ") for text in texts), naks)
        self.assertIn("Send 4 KiB, A.1, sent again", texts)

    def test_a_fence_is_named_with_its_time(self):
        texts = self.texts(self.ladder("fence-order"))
        with open(self.folder / "fence-order/completions.csv", encoding="utf-8", newline="") as file:
            held = [int(request["fence_ps"]) for request in csv.DictReader(file) if int(request["fence_ps"]) > 0]
        self.assertEqual(len(held), 1)
        label = next(text for text in texts if "at the fence: " in text)
        self.assertAlmostEqual(float(label.split(": ")[1].split()[0]), held[0] / 1e6, delta=0.01)
        self.assertIn("Read data 256 KiB in 64 packets, A.1", texts)

    def test_what_is_lost_is_named(self):
        self.assertIn("Send 4 KiB, A.1, lost", self.texts(self.ladder("lost-packet")))

    def test_messages_and_from_choose_the_part(self):
        texts = self.texts(self.ladder("rnr-recovery", "--messages", "2", "--from", "100 us"))
        times = [float(text) for text in texts if re.fullmatch(r"\d+\.\d{3}", text)]
        self.assertEqual(len(times), 2)
        self.assertTrue(all(time >= 100 for time in times), times)

    def test_hosts_behind_a_switch_have_lanes_and_messages_go_from_host_to_host(self):
        page = self.library("incast-drops", "--messages", "30")
        titles = self.titles(self.pictures(page)["ladder"])
        self.assertTrue(any(re.search(r"^Send .*, from \w+, begun at .*, all at R at ", title) for title in titles), titles)
