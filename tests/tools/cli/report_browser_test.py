# Tests the pages of "ndsim report" in a browser: points at curves, zooms, and compares what is shown with the files.
# Where Chromium is not installed or cannot be started the test is skipped, and says why.
# SPDX-License-Identifier: Apache-2.0
import csv
import re
import unittest

from browser import Browser, Unusable
from support import LIBRARY, CliTest


class Pages(CliTest):
    @classmethod
    def setUpClass(cls):
        try:
            cls.browser = Browser()
        except Unusable as why:
            raise unittest.SkipTest(str(why)) from why
        cls.addClassCleanup(cls.browser.stop)

    def show(self, *words):
        self.ndsim("report", *words, "-o", "page.html")
        self.browser.open(self.folder / "page.html")

    def run_small(self):
        self.ndsim("run", self.small, "--timeline", "--out", "run")
        self.show("run")

    def rows(self, path):
        with open(self.folder / path, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def place(self, figure, x):
        """Where the value x of a chart's axis is on the screen, in the middle of its height."""
        left, top = self.browser.evaluate(f"""(() => {{
            const figure = document.getElementById('{figure}');
            figure.scrollIntoView({{block: 'center'}});
            const box = figure.querySelector('.chart').getBoundingClientRect();
            const area = figure.chart.getArea();
            return [box.x + area.x + figure.chart.toPercentXCoord({x}) * area.w, box.y + area.y + area.h / 2];
        }})()""")
        return left, top

    def values(self, figure):
        """What stands above a chart: names and the values of what is pointed at."""
        text = self.browser.evaluate(
            f"Array.from(document.querySelectorAll('#{figure} .values span'), span => span.textContent)")
        return {name: float(value.split()[0]) for name, _, value in (part.rpartition(": ") for part in text) if name}

    def range(self, figure):
        return self.browser.evaluate(f"document.getElementById('{figure}').chart.xAxisRange()")

    def test_pointing_at_the_latency_curve_shows_what_the_file_has(self):
        self.run_small()
        latencies = sorted(int(row["total_ps"]) for row in self.rows("run/completions.csv") if row["operation"] == "send")
        for wanted in (latencies[10], latencies[50], latencies[-2]):
            x, y = self.place("latency-curve", wanted / 1e6)
            self.browser.mouse("mouseMoved", x, y)
            shown = self.values("latency-curve")
            at = round(shown["latency [us]"] * 1e6)
            self.assertIn(at, latencies)
            # A pixel is some thousandth of the axis.
            self.assertAlmostEqual(at, wanted, delta=(latencies[-1] - latencies[0]) / 400)
            upto = sum(latency <= at for latency in latencies)
            self.assertAlmostEqual(shown["A send (100)"], 100 * upto / len(latencies), places=6)

    def test_pointing_beside_shows_no_values(self):
        self.run_small()
        self.browser.evaluate("document.querySelector('h1').scrollIntoView()")
        self.browser.mouse("mouseMoved", 5, 5)
        self.assertEqual(self.values("latency-curve"), {})

    def test_dragging_zooms_all_curves_over_time_and_a_double_click_shows_all_again(self):
        self.run_small()
        whole = self.range("occupancy-1")
        result = self.result("run")
        self.assertAlmostEqual(whole[0], result["started_ps"] / 1e6, places=6)
        self.assertAlmostEqual(whole[1], result["ended_ps"] / 1e6, places=6)
        low, high = (whole[0] + (whole[1] - whole[0]) * share for share in (0.25, 0.5))
        (left, y), (right, _) = self.place("occupancy-1", low), self.place("occupancy-1", high)
        self.browser.drag(left, right, y)
        zoomed = self.range("occupancy-1")
        pixel = (whole[1] - whole[0]) / 700
        self.assertAlmostEqual(zoomed[0], low, delta=2 * pixel)
        self.assertAlmostEqual(zoomed[1], high, delta=2 * pixel)
        self.assertEqual(self.range("occupancy-2"), zoomed)
        self.assertNotEqual(self.range("latency-curve"), zoomed)
        self.browser.double_click((left + right) / 2, y)
        for figure in ("occupancy-1", "occupancy-2"):
            for shown, expected in zip(self.range(figure), whole):
                self.assertAlmostEqual(shown, expected, places=6)

    def test_the_knee_is_on_the_curve_and_pointing_there_shows_its_value(self):
        self.write("sweep.json", self.sweep(8))
        self.ndsim("sweep", "sweep.json", "--out", "swept")
        self.show("swept")
        rows = self.rows("swept/sweep.csv")
        goodput = {int(row["traffic.t.window"]): int(row["traffic.t.goodput [bps]"]) / 1e9 for row in rows}
        best = max(goodput.values())
        knee = next(window for window in goodput
                    if all(value >= 0.99 * best for other, value in goodput.items() if other >= window))
        marks = self.browser.evaluate("JSON.parse(document.querySelector('#curve-1 script.data').textContent).marks")
        self.assertEqual([(mark["x"], mark["label"]) for mark in marks], [(knee, f"knee at {knee}")])
        self.browser.mouse("mouseMoved", *self.place("curve-1", knee))
        shown = self.values("curve-1")
        self.assertEqual(shown["traffic.t.window"], knee)
        self.assertAlmostEqual(shown["traffic.t.goodput"], goodput[knee], places=6)

    @staticmethod
    def sweep(most):
        return ('{"about": "a window", "hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B", "size": '
                f'"64 KiB", "count": 60, "window": 4}}}}, "sweep": [{{"vary": "traffic.t.window", "values": "1..{most}*2"}}]}}')

    def test_nothing_is_loaded_and_nothing_is_wrong(self):
        self.ndsim("run", LIBRARY / "rnr-recovery.json", "--timeline", "--out", "run")
        self.show("run")
        loaded = [event["request"]["url"] for event in self.browser.said("Network.requestWillBeSent")]
        self.assertEqual(loaded, [f"file://{self.folder}/page.html"])
        self.assertEqual(self.browser.said("Runtime.exceptionThrown", "Log.entryAdded"), [])

    def test_on_paper_curves_are_light_and_as_wide_as_a4(self):
        colours = """Array.from(document.querySelectorAll('figure'), figure => figure.chart).filter(chart => chart).map(
            chart => chart.getOption('gridLineColor'))"""
        dark = [{"name": "prefers-color-scheme", "value": "dark"}]
        self.browser.call("Emulation.setEmulatedMedia", features=dark)
        self.addCleanup(self.browser.call, "Emulation.setEmulatedMedia", features=[])
        self.run_small()
        self.assertEqual(set(self.browser.evaluate(colours)), {"#3a3d42"})
        self.browser.evaluate("dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(set(self.browser.evaluate(colours)), {"#ddd"})
        self.browser.evaluate("dispatchEvent(new Event('afterprint'))")
        self.assertEqual(set(self.browser.evaluate(colours)), {"#3a3d42"})
        self.browser.call("Emulation.setEmulatedMedia", media="print", features=dark)
        widths = self.browser.evaluate(
            "Array.from(document.querySelectorAll('.chart canvas'), canvas => canvas.getBoundingClientRect().width)")
        self.assertGreater(len(widths), 3)
        self.assertTrue(all(width <= 680 for width in widths), widths)  # 210 mm less margins of 15 mm

    def test_without_script_a_figure_of_curves_says_so(self):
        self.run_small()
        charts = self.browser.evaluate("document.querySelectorAll('.chart').length")
        self.assertGreater(charts, 3)
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        self.addCleanup(self.browser.call, "Emulation.setScriptExecutionDisabled", value=False)
        self.browser.open(self.folder / "page.html")
        said = self.browser.evaluate("Array.from(document.querySelectorAll('figure noscript'), each => each.textContent)")
        self.assertEqual(len(said), charts)
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('.chart').length"), 0)

    def test_no_text_of_a_picture_is_cut(self):
        for name in ("rnr-recovery", "fence-order", "send-and-invalidate", "lost-packet"):
            self.ndsim("run", LIBRARY / f"{name}.json", "--timeline", "--out", name)
            self.show(name)
            cut = self.browser.evaluate("""(() => {
                return Array.from(document.querySelectorAll('.picture svg text')).filter(text => {
                    const box = text.getBoundingClientRect();
                    const all = text.ownerSVGElement.getBoundingClientRect();
                    return box.left < all.left || box.right > all.right || box.top < all.top || box.bottom > all.bottom;
                }).map(text => text.textContent);
            })()""")
            self.assertEqual(cut, [], name)

    def test_in_the_dark_every_text_stands_out(self):
        """The contrast of each text with the page (WCAG 2, 4.5 to 1), in pictures and out of them, in both schemes."""
        self.ndsim("run", LIBRARY / "rnr-recovery.json", "--timeline", "--out", "run")
        self.addCleanup(self.browser.call, "Emulation.setEmulatedMedia", features=[])
        grounds = []
        for scheme in ("light", "dark"):
            self.browser.call("Emulation.setEmulatedMedia",
                              features=[{"name": "prefers-color-scheme", "value": scheme}])
            self.show("run")
            grounds.append(self.browser.evaluate("getComputedStyle(document.body).backgroundColor"))
            texts = self.browser.evaluate("""(() => {
                const light = colour => {
                    const parts = colour.match(/[0-9.]+/g).slice(0, 3).map(value => value / 255).map(
                        value => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
                    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] + 0.05;
                };
                const ground = light(getComputedStyle(document.body).backgroundColor);
                return Array.from(document.querySelectorAll('p, td, th, h2, h3, a, summary, svg text')).map(text => {
                    const style = getComputedStyle(text);
                    const ink = light(text.tagName == 'text' ? style.fill : style.color);
                    return [Math.max(ink, ground) / Math.min(ink, ground), text.textContent];
                });
            })()""")
            self.assertGreater(len(texts), 100)
            self.assertEqual([text for text in texts if text[0] < 4.5], [], scheme)
        self.assertNotEqual(*grounds)

    def test_a_narrow_window_has_no_scroll_bar_and_whole_charts(self):
        self.run_small()
        self.ndsim("advise", self.small, "--target", "1 % of line rate", "--seeds", "0", "--out", "advice")
        self.browser.call("Emulation.setDeviceMetricsOverride", width=400, height=800, deviceScaleFactor=1, mobile=False)
        self.addCleanup(self.browser.call, "Emulation.clearDeviceMetricsOverride")
        for folder in ("run", "advice"):
            self.show(folder)
            self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 400, folder)
            charts = self.browser.evaluate("""Array.from(document.querySelectorAll('.chart canvas'),
                canvas => canvas.getBoundingClientRect().right)""")
            self.assertGreater(len(charts), 3)
            self.assertTrue(all(right <= 400 for right in charts), charts)

    def test_a_narrow_window_has_whole_bars_and_a_whole_ladder(self):
        """The pictures for a narrow screen fit it, their letters are not shrunk, and no text leaves its picture."""
        for name in ("send-and-invalidate", "fence-order", "rnr-recovery"):
            self.ndsim("run", LIBRARY / f"{name}.json", "--timeline", "--out", name)
            self.ndsim("report", name, "-o", "page.html")
            self.browser.call("Emulation.setDeviceMetricsOverride", width=400, height=800, deviceScaleFactor=1,
                              mobile=False)
            self.addCleanup(self.browser.call, "Emulation.clearDeviceMetricsOverride")
            self.browser.open(self.folder / "page.html")
            pictures = self.browser.evaluate("""Array.from(document.querySelectorAll('.narrow svg'), svg => {
                const all = svg.getBoundingClientRect();
                const out = Array.from(svg.querySelectorAll('text')).filter(text => {
                    const box = text.getBoundingClientRect();
                    return box.left < all.left || box.right > all.right || box.bottom > all.bottom;
                }).map(text => text.textContent);
                return [all.width, all.right, out];
            })""")
            self.assertGreater(len(pictures), 2)
            for width, right, out in pictures:
                self.assertEqual(width, 360)
                self.assertLessEqual(right, 400)
                self.assertEqual(out, [], name)
            shown = self.browser.evaluate("""Array.from(document.querySelectorAll('.has-narrow'),
                picture => getComputedStyle(picture).display)""")
            self.assertEqual(set(shown), {"none"})

    def test_text_in_the_cells_of_a_map_stands_out(self):
        """The contrast of each text with the rectangle that is drawn right below it, in both schemes."""
        self.write("sweep.json", self.sweep(8).replace("]}", ', {"vary": "nic.mtu", "values": [1024, 4096]}]}'))
        self.ndsim("sweep", "sweep.json", "--out", "swept")
        self.addCleanup(self.browser.call, "Emulation.setEmulatedMedia", features=[])
        for scheme in ("light", "dark"):
            self.browser.call("Emulation.setEmulatedMedia",
                              features=[{"name": "prefers-color-scheme", "value": scheme}])
            self.show("swept")
            texts = self.browser.evaluate("""(() => {
                const light = colour => {
                    const parts = colour.match(/[0-9.]+/g).slice(0, 3).map(value => value / 255).map(
                        value => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
                    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] + 0.05;
                };
                return Array.from(document.querySelectorAll('[id^=heatmap] text, #bound-map text')).map(text => {
                    const box = text.getBoundingClientRect();
                    const cells = Array.from(text.ownerSVGElement.querySelectorAll('rect')).filter(rect => {
                        const place = rect.getBoundingClientRect();
                        return place.left <= box.left && place.right >= box.right && place.top <= box.top + 2 &&
                            place.bottom >= box.bottom - 2;
                    });
                    return cells.map(rect => {
                        const [ink, ground] = [text, rect].map(each => light(getComputedStyle(each).fill));
                        return [Math.max(ink, ground) / Math.min(ink, ground), text.textContent];
                    });
                }).flat();
            })()""")
            self.assertGreaterEqual(len(texts), 16)  # eight points in two maps at least
            self.assertEqual([text for text in texts if text[0] < 4.5], [], scheme)

    def test_pointing_at_a_rung_says_when(self):
        self.ndsim("run", LIBRARY / "send-and-invalidate.json", "--timeline", "--out", "run")
        self.show("run")
        titles = self.browser.evaluate("Array.from(document.querySelectorAll('#ladder title'), title => title.textContent)")
        self.assertTrue(any(re.match(r"SendAndInvalidate \(key 0x[0-9a-f]+\) 64 B, A\.2, from A, begun at [\d.]+ us, all at B at ", title)
                            for title in titles), titles)
