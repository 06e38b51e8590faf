# Tests tools/check_layers.py on small trees: each rule once broken, once kept.
# SPDX-License-Identifier: Apache-2.0
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
sys.dont_write_bytecode = True
sys.path.insert(0, str(TOOLS))
import check_layers  # noqa: E402

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"
HEADER = SPDX + "#pragma once\n"  # what follows starts at line 3


def offences(files):
    """What the check says about a tree of these files (path: text)."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            file = pathlib.Path(root, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return list(check_layers.Tree(pathlib.Path(root)).offences())


def offences_of(path, *lines):
    """What it says about one file: a header or source with these lines after its first ones."""
    start = HEADER if path.endswith((".hpp", ".h")) else SPDX
    return offences({path: start + "".join(line + "\n" for line in lines)})


def offence_of(path, *lines):
    (found,) = offences_of(path, *lines)
    return found


def include(path):
    return f'#include "{path}"'


class Table(unittest.TestCase):
    def test_every_room_uses_its_own_folder_and_those_before_it_only(self):
        for room, allowed in check_layers.ROOMS.items():
            for pattern in allowed if room != "tests" else ():
                here, there = room.split("/")[0], pattern.split("/")[0]
                self.assertLessEqual(check_layers.FOLDERS.index(there), check_layers.FOLDERS.index(here), room)

    def test_no_two_rooms_may_include_each_other(self):
        rooms = [room for room in check_layers.ROOMS if room != "tests"]

        def may(room, other):
            return offences_of(f"{room}/a.cpp", include(f"{other}/a.hpp")) == []

        for i, room in enumerate(rooms):
            for other in rooms[:i]:
                self.assertFalse(may(room, other) and may(other, room), f"{room} and {other}")

    def test_list_prints_every_room(self):
        printed = subprocess.run([sys.executable, "-B", TOOLS / "check_layers.py", "--list"], check=True,
                                 capture_output=True, text=True).stdout
        self.assertEqual([line.split()[0] for line in printed.splitlines()], list(check_layers.ROOMS))


class Layers(unittest.TestCase):
    def allows(self, room, *included):
        for path in included:
            self.assertEqual(offences_of(f"{room}/a.cpp", include(path)), [])

    def refuses(self, room, *included):
        for path in included:
            found = offences_of(f"{room}/a.cpp", "", include(path))
            self.assertEqual(len(found), 1, f"{room} includes {path}")
            self.assertTrue(found[0].startswith(f"{room}/a.cpp:3: {room} may not include {path} "), found[0])

    def test_sim(self):
        self.allows("sim/base", "sim/base/units.hpp")
        self.refuses("sim/base", "sim/config/json.hpp", "sim/kernel/lane.hpp", "models/proto/psn.hpp")
        self.allows("sim/config", "sim/base/units.hpp")
        self.refuses("sim/config", "sim/kernel/lane.hpp")
        self.allows("sim/kernel", "sim/base/units.hpp", "sim/config/json.hpp")

    def test_models(self):
        self.allows("models/proto", "sim/base/units.hpp", "sim/config/json.hpp")
        self.refuses("models/proto", "sim/kernel/lane.hpp", "models/ports/ports.hpp")
        self.allows("models/ports", "models/proto/psn.hpp", "sim/kernel/lane.hpp")
        self.refuses("models/ports", "models/wire/wire.hpp")
        self.refuses("models/ports", "models/parts/ranks.hpp")
        self.allows("models/parts", "models/ports/ports.hpp", "models/ledger/ledger.hpp", "sim/kernel/lane.hpp")
        self.refuses("models/ledger", "models/proto/psn.hpp", "sim/kernel/lane.hpp")
        self.allows("models/wire", "models/parts/ranks.hpp", "models/ports/ports.hpp", "models/proto/psn.hpp", "sim/kernel/lane.hpp")
        self.refuses("models/wire", "models/pcie/pcie.hpp", "models/pcie/pcie_params.hpp", "models/nic/nic.hpp")
        self.allows("models/nic", "models/wire/wire.hpp", "models/ports/ports.hpp", "sim/kernel/lane.hpp")
        self.refuses("models/nic", "ndapi/windows/abi/types.h")

    def test_ndapi(self):
        self.refuses("ndapi/windows/abi", "sim/base/units.hpp", "ndapi/core/qp.hpp")
        self.allows("ndapi/core", "ndapi/windows/abi/types.h", "models/ports/ports.hpp", "models/host/host.hpp",
                    "sim/kernel/lane.hpp")
        self.refuses("ndapi/core", "models/wire/wire.hpp", "ndapi/ndk/ndkpi.h")
        self.allows("ndapi/ndk", "ndapi/core/qp.hpp", "ndapi/windows/abi/types.h")
        self.refuses("ndapi/ndk", "ndapi/ndspi/ndspi.h", "ndapi/wsd/ws2san.h", "models/ports/ports.hpp")
        self.allows("ndapi/windows/program", "ndapi/ndspi/ndspi.h", "ndapi/wsd/wsp.h", "ndapi/windows/abi/types.h")
        self.refuses("ndapi/windows/program", "ndapi/core/qp.hpp", "ndapi/wsd/provider.hpp", "ndapi/windows/include/windows.h")
        self.allows("ndapi/windows/include", "ndapi/ndspi/ndspi.h", "ndapi/wsd/ws2san.h", "ndapi/windows/abi/types.h")
        self.refuses("ndapi/windows/abi", "ndapi/windows/include/windows.h")

    def test_scenarios(self):
        self.allows("scenarios/format", "sim/config/json.hpp", "models/proto/psn.hpp", "models/wire/wire_params.hpp")
        self.refuses("scenarios/format", "models/wire/wire.hpp", "sim/kernel/lane.hpp", "scenarios/run/run.hpp")
        self.allows("scenarios/run", "scenarios/hosts/face.hpp", "ndapi/ndk/ndkpi.h", "models/nic/nic.hpp")
        self.refuses("scenarios/run", "tools/cli/run.hpp")
        self.refuses("scenarios/hosts", "scenarios/generators/traffic_runner.hpp", "scenarios/run/run.hpp")

    def test_tools_and_tests(self):
        self.allows("tools/cli", "scenarios/run/run.hpp", "sim/base/units.hpp")
        self.refuses("tools/cli", "tests/support/host.hpp")
        self.allows("tests/models", "tools/cli/run.hpp", "models/wire/wire.hpp", "tests/support/host.hpp")

    def test_an_unknown_room_is_reported_where_it_is_and_where_it_is_used(self):
        self.assertIn("has no models/cable", offence_of("models/cable/a.cpp"))
        self.assertIn("a.cpp:1: the table of rooms", offence_of("sim/a.cpp"))
        self.assertIn("a.cpp:2: the table of rooms", offence_of("models/wire/a.cpp", include("models/cable/a.hpp")))


class SystemC(unittest.TestCase):
    PURE = ("sim/base/a.hpp", "sim/config/a.cpp", "models/proto/a.hpp", "scenarios/format/a.cpp", "ndapi/ndk/ndkpi.h",
            "models/wire/wire_params.hpp")

    def test_is_kept_out_of_the_pure_rooms_and_public_headers(self):
        for path in self.PURE:
            for header in ("systemc", "systemc.h", "sysc/kernel/sc_module.h", "tlm_utils/peq_with_get.h"):
                self.assertIn("must not know SystemC", offence_of(path, f"#include <{header}>"))
            self.assertEqual(offences_of(path, "#include <vector>", "#include <system_error>"), [])

    def test_is_welcome_elsewhere(self):
        for path in ("sim/kernel/a.hpp", "models/wire/wire.hpp", "ndapi/core/core.hpp", "ndapi/ndk/ndk.cpp"):
            self.assertEqual(offences_of(path, "#include <systemc>"), [])

    def test_is_found_behind_other_headers(self):
        tree = {
            "ndapi/ndk/ndkpi.h": HEADER + include("ndapi/core/core.hpp") + "\n",
            "ndapi/core/core.hpp": HEADER + include("sim/kernel/sc_time.hpp") + "\n",
            "sim/kernel/sc_time.hpp": HEADER + "#include <systemc>\n",
        }
        self.assertEqual(offences(tree), [
            "ndapi/ndk/ndkpi.h:3: this file must not know SystemC, which comes in through "
            "ndapi/core/core.hpp -> sim/kernel/sc_time.hpp"])

    def test_headers_that_include_each_other_are_no_trap(self):
        self.assertEqual(offences({
            "sim/base/a.hpp": HEADER + include("sim/base/b.hpp") + "\n",
            "sim/base/b.hpp": HEADER + include("sim/base/a.hpp") + "\n",
        }), [])


class EveryFile(unittest.TestCase):
    def test_includes_are_written_from_the_root(self):
        for path in ("units.hpp", "./units.hpp", "../base/units.hpp", "sim/../sim/base/units.hpp", "nlohmann/json.hpp"):
            self.assertIn("a.cpp:2: \"" + path + "\" is not written from", offence_of("sim/base/a.cpp", include(path)))
        self.assertIn("with quotes", offence_of("sim/config/a.cpp", "#include <sim/base/units.hpp>"))
        self.assertEqual(offences_of("sim/config/a.cpp", include("sim/base/units.hpp"), "#include <CLI/CLI.hpp>"), [])

    def test_no_using_namespace_in_a_header(self):
        for line in ("using namespace std;", "    using namespace std::literals;", "using  namespace ndsim;"):
            self.assertIn("a.hpp:3: no 'using namespace'", offence_of("sim/base/a.hpp", line))
            self.assertIn("a.h:3: no 'using namespace'", offence_of("ndapi/windows/abi/a.h", line))
            self.assertEqual(offences_of("sim/base/a.cpp", line), [])
        self.assertEqual(offences_of("sim/base/a.hpp", "using std::vector;", "namespace ndsim {}"), [])

    def test_what_clang_cannot_compile_is_refused(self):
        for line in ("for (int i : std::views::reverse(all)) {", "std::ranges::rotate(all, all.begin());"):
            self.assertIn("a.cpp:2: Clang 14 cannot compile", offence_of("sim/base/a.cpp", line))
        self.assertEqual(offences_of("sim/base/a.cpp", "std::ranges::sort(all);", "std::rotate(a, b, c);"), [])

    def test_a_header_has_pragma_once(self):
        for path in ("sim/base/a.hpp", "ndapi/windows/abi/a.h"):
            self.assertIn("1: a header needs", offences({path: SPDX})[0])
            self.assertIn("1: a header needs", offences({path: SPDX + "// #pragma once\n"})[0])
            self.assertEqual(offences({path: SPDX + "#pragma once\n"}), [])
        self.assertEqual(offences({"sim/base/a.cpp": SPDX}), [])

    def test_a_file_names_its_licence(self):
        for path, text in (("sim/base/a.cpp", "int a;\n"), ("tools/a.py", "pass\n"), ("tools/cmake/a.cmake", "\n"),
                           (".ci/run", "#!/bin/sh\n")):
            self.assertEqual(len(offences({path: text})), 1, path)
            self.assertEqual(offences({path: text + "# SPDX-License-Identifier: Apache-2.0\n"}), [])
        self.assertEqual(offences({"tools/notes.md": "text\n", "scenarios/library/a.json": "{}\n"}), [])

    def test_comments_and_strings_are_not_code(self):
        self.assertEqual(offences_of(
            "sim/base/a.hpp",
            "// using namespace std;",
            "/*", '#include "sim/kernel/lane.hpp"', "using namespace std; */",
            'auto a = "using namespace \\" std"; auto b = \'"\'; auto c = 1\'000;',
            'auto d = R"x(', '#include "lane.hpp"', ')")x";'), [])

    def test_lines_are_counted_through_comments(self):
        self.assertIn("a.cpp:5: ", offence_of("sim/base/a.cpp", "/* one", "two */ auto a = 0;", "", include("a.hpp")))


class Command(unittest.TestCase):
    def run_on(self, text):
        with tempfile.TemporaryDirectory() as root:
            file = pathlib.Path(root, "sim/base/a.hpp")
            file.parent.mkdir(parents=True)
            file.write_text(text, encoding="utf-8")
            return subprocess.run([sys.executable, "-B", TOOLS / "check_layers.py", "--root", root],
                                  capture_output=True, text=True, check=False)

    def test_is_silent_when_all_is_well(self):
        result = self.run_on(HEADER)
        self.assertEqual((result.returncode, result.stdout), (0, ""))

    def test_exits_with_1_and_says_where(self):
        result = self.run_on(HEADER + "using namespace std;\n")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout, "sim/base/a.hpp:3: no 'using namespace' in a header\n")
