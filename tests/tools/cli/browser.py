# A Chromium without a window, driven by the DevTools protocol over two pipes, for tests of pages.
# SPDX-License-Identifier: Apache-2.0
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

from support import HANG


class Unusable(Exception):
    """Why there is no browser here."""


class Browser:
    def __init__(self):
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        if program is None:
            raise Unusable("chromium is not installed")
        self.folder = tempfile.mkdtemp(prefix="chromium")
        commands, ours = os.pipe()
        theirs, answers = os.pipe()
        self.into, self.out = ours, theirs
        self.log = open(os.path.join(self.folder, "log"), "w", encoding="utf-8")
        words = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                 "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
                 "--window-size=1000,1400", f"--user-data-dir={self.folder}/profile", "--remote-debugging-pipe"]
        # The protocol's pipes are descriptors 3 and 4.
        self.process = subprocess.Popen(["bash", "-c", f'exec "$@" 3<&{commands} 4>&{answers}', "chromium", *words],
                                        pass_fds=(commands, answers), stdin=subprocess.DEVNULL, stdout=self.log,
                                        stderr=self.log)
        os.close(commands)
        os.close(answers)
        self.number = 0
        self.rest = b""
        self.events = []
        self.session = None
        try:
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Network", "Log"):
                self.call(f"{domain}.enable")
        except (OSError, TimeoutError) as error:
            self.stop()
            raise Unusable(f"chromium does not start: {error}") from error

    def stop(self):
        for pipe in (self.into, self.out):
            os.close(pipe)
        try:
            self.process.wait(timeout=HANG)  # without its pipes it ends
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def receive(self, deadline):
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.out], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError("no answer")
            piece = os.read(self.out, 1 << 20)
            if not piece:
                raise OSError("it has ended")
            self.rest += piece
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session is not None:
            message["sessionId"] = self.session
        os.write(self.into, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + HANG
        while (said := self.receive(deadline)).get("id") != self.number:
            self.events.append(said)
        if "error" in said:
            raise AssertionError(f"{method}: {said['error']}")
        return said["result"]

    def open(self, path):
        """Shows a file, and waits until it is loaded."""
        self.events.clear()
        self.call("Page.navigate", url=f"file://{path}")
        deadline = time.monotonic() + HANG
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(self.receive(deadline))

    def said(self, *methods):
        return [event["params"] for event in self.events if event["method"] in methods]

    def evaluate(self, expression):
        done = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in done:
            raise AssertionError(f"{expression}: {done['exceptionDetails']}")
        return done["result"].get("value")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, from_x, to_x, y):
        self.mouse("mouseMoved", from_x, y)
        self.mouse("mousePressed", from_x, y, button="left", clickCount=1)
        for step in range(1, 6):
            self.mouse("mouseMoved", from_x + (to_x - from_x) * step / 5, y, button="left", buttons=1)
        self.mouse("mouseReleased", to_x, y, button="left", clickCount=1)

    def double_click(self, x, y):
        for count in (1, 2):
            self.mouse("mousePressed", x, y, button="left", clickCount=count)
            self.mouse("mouseReleased", x, y, button="left", clickCount=count)
