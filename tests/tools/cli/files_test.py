# Tests files that a command writes whole, which replace what is there already or are written through, and files that it
# reads and that are not whole.
# SPDX-License-Identifier: Apache-2.0
import os
import stat
import threading

from support import CliTest


class WholeFile(CliTest):
    def setUp(self):
        super().setUp()
        self.ndsim("run", self.small, "--waves")
        self.ndsim("report", "out/small", "-o", "page.html")
        self.page = (self.folder / "page.html").read_bytes()

    def report(self, file):
        self.ndsim("report", "out/small", "-o", file)

    def check(self, file):
        self.assertEqual((self.folder / file).read_bytes(), self.page)
        self.assertEqual(list(self.folder.rglob("*.part")), [])

    # Reads the FIFO while the command runs, and returns what came.
    def through(self, *words):
        came = []
        reader = threading.Thread(target=lambda: came.append((self.folder / "fifo").read_bytes()))
        os.mkfifo(self.folder / "fifo")
        reader.start()
        self.ndsim(*words)
        reader.join()
        self.assertTrue(stat.S_ISFIFO(os.stat(self.folder / "fifo").st_mode))
        return came[0]

    def test_a_pipe_stays_one(self):
        self.assertEqual(self.through("report", "out/small", "-o", "fifo"), self.page)

    def test_a_pipe_stays_one_for_waves(self):
        words = ("wave", "out/small", "--signals", "l0_*.packet", "--to", "75us")
        out, _ = self.ndsim(*words)
        self.assertEqual(self.through(*words, "--out", "fifo").decode(), out)

    def test_a_link_to_a_pipe_stays_one(self):
        os.symlink("fifo", self.folder / "link")
        self.assertEqual(self.through("report", "out/small", "-o", "link"), self.page)
        self.assertEqual(os.readlink(self.folder / "link"), "fifo")

    def test_a_link_stays_and_its_file_is_replaced(self):
        os.mkdir(self.folder / "pages")
        self.write("pages/real.html", "old")
        os.symlink("pages/real.html", self.folder / "second")
        os.symlink(self.folder / "second", self.folder / "first")  # an absolute one to a relative one
        self.report("first")
        self.assertTrue((self.folder / "first").is_symlink() and (self.folder / "second").is_symlink())
        self.check("pages/real.html")

    def test_a_link_to_nothing_makes_its_file(self):
        os.symlink("new.html", self.folder / "link")
        self.report("link")
        self.assertTrue((self.folder / "link").is_symlink())
        self.check("new.html")

    def test_a_ring_of_links_is_refused(self):
        os.symlink("b", self.folder / "a")
        os.symlink("a", self.folder / "b")
        _, err = self.ndsim("report", "out/small", "-o", "a", exit=7)
        self.assertEqual(err, "ndsim: a: Too many levels of symbolic links\n")
        self.assertEqual(os.readlink(self.folder / "a"), "b")

    def test_a_file_keeps_its_mode(self):
        self.write("mine.html", "old")
        for mode in (0o600, 0o754):
            os.chmod(self.folder / "mine.html", mode)
            self.report("mine.html")
            self.assertEqual(stat.S_IMODE(os.stat(self.folder / "mine.html").st_mode), mode)
            self.check("mine.html")

    def test_a_descriptor_is_written_through(self):
        os.symlink("/proc/self/fd/1", self.folder / "stdout")
        out, _ = self.ndsim("report", "out/small", "-o", "stdout")
        self.assertEqual(out.encode(), self.page, "and nothing else")
        with open(self.folder / "redirected", "wb") as file:
            self.ndsim("report", "out/small", "-o", "stdout", stdout=file)
        self.check("redirected")
        self.assertTrue((self.folder / "stdout").is_symlink())

    def test_a_folder_is_refused(self):
        os.mkdir(self.folder / "folder")
        _, err = self.ndsim("report", "out/small", "-o", "folder", exit=7)
        self.assertEqual(err, "ndsim: folder: Is a directory\n")


class CutOff(CliTest):
    def test_a_timeline_that_is_cut_off_between_lines(self):
        self.ndsim("run", self.small, "--timeline", "--out", "run")
        path = self.folder / "run/timeline.json"
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        self.assertEqual(lines[-1], "]}\n")
        for kept in (0, 1, len(lines) // 2, len(lines) - 1):
            path.write_text("".join(lines[:kept]), encoding="utf-8")
            _, err = self.ndsim("report", "run", exit=2)
            self.assertEqual(err, "ndsim: run/timeline.json: the file is damaged or cut off\n")
