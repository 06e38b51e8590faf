# What the tests of "ndsim exec" share: two hosts, and a client that measures bandwidth between them.
# SPDX-License-Identifier: Apache-2.0
import os
import pathlib

from support import ROOT, CliTest

BUILD = pathlib.Path(os.environ.get("NDSIM_BUILD", ROOT / "build" / "release"))
BANDWIDTH = BUILD / "examples" / "nd2_bandwidth.so"
PAIR = '{ "hosts": { "A": {}, "B": {} } }'


class ExecTest(CliTest):
    def setUp(self):
        super().setUp()
        self.pair = self.write("pair.json", PAIR)

    def bandwidth(self, *options, exit=0, out="out"):
        return self.ndsim("exec", self.pair, "--host", f"A={BANDWIDTH} -s 10.0.0.1:5000",
                          "--host", f"B={BANDWIDTH} 10.0.0.2 10.0.0.1:5000 65536 300 16", "--out", out, *options,
                          exit=exit)
