# Tests tools/check_classes.py on small trees: each rule once broken, once kept.
# SPDX-License-Identifier: Apache-2.0
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
sys.dont_write_bytecode = True
sys.path.insert(0, str(TOOLS))
import check_classes  # noqa: E402


def classes(files):
    """What the check finds in a tree of these files (path: lines)."""
    with tempfile.TemporaryDirectory() as root:
        for path, lines in files.items():
            file = pathlib.Path(root, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("namespace ndsim {\n" + "\n".join(lines) + "\n}\n", encoding="utf-8")
        return check_classes.Classes(pathlib.Path(root))


def files_of(*sources):
    """In how many files each class has functions, if each source is the lines of a .cpp."""
    found = classes({f"models/wire/{n}.cpp": lines for n, lines in enumerate(sources)})
    return {name: len(files) for name, files in found.files.items()}


def public_functions(*lines):
    """How many public functions the class `Wire` of a header has."""
    return classes({"models/wire/wire.hpp": lines}).functions["ndsim::Wire"]


class OneSource(unittest.TestCase):
    def test_a_class_of_two_files_is_counted_so(self):
        self.assertEqual(files_of(["void Wire::put() {}", "int Wire::space() const {", "    return 1;", "}"]),
                         {"ndsim::Wire": 1})
        self.assertEqual(files_of(["void Wire::put() {}"], ["int Wire::space() const { return 1; }"]), {"ndsim::Wire": 2})

    def test_all_kinds_of_functions_count(self):
        for definition in ("Wire::Wire(int rate)\n    : rate_{rate} {}", "Wire::~Wire() = default;",
                           "std::optional<std::pair<int, int>> Wire::put() {}", "Wire& Wire::operator=(Wire&&) {}",
                           "const std::vector<int>& Wire::all() const {}", "[[nodiscard]] bool Wire::put() {}",
                           "template <class T>\nvoid Wire::put() {}", "bool Wire::operator()() {}",
                           "Wire::Entry* Wire::put(\n    int a) {}"):
            self.assertEqual(files_of(definition.split("\n"), ["void Wire::get() {}"]), {"ndsim::Wire": 2}, definition)

    def test_uses_are_no_definitions(self):
        for text in ("void f() {", "Wire::put();", "}"), ("const int a = Wire::put();",), ("// void Wire::put() {}",), (
                'auto a = R"(', 'void Wire::put() {}', ')";'), ("    Wire::put();",), ("void host::put() {}",), (
                "int Wire::count = 0;",):
            self.assertEqual(files_of(text), {}, text)

    def test_classes_of_one_name_in_two_namespaces_are_two(self):
        self.assertEqual(files_of(["void Wire::put() {}"], ["namespace test {", "void Wire::put() {}", "}"],
                                  ["namespace {", "}", "void Wire::put() {}"]),
                         {"ndsim::Wire": 2, "ndsim::test::Wire": 1})

    def test_a_class_inside_another_is_one_of_its_own(self):
        self.assertEqual(files_of(["void Wire::put() {}"], ["void Wire::Lane::put() {}"]),
                         {"ndsim::Wire": 1, "ndsim::Wire::Lane": 1})

    def test_arguments_of_templates_are_no_other_class(self):
        self.assertEqual(files_of(["template <class T>", "void Wire<T>::put() {}"], ["void Wire<int>::get() {}"]),
                         {"ndsim::Wire": 2})


class PublicFunctions(unittest.TestCase):
    def test_those_of_a_class_are_counted(self):
        self.assertEqual(public_functions(
            "class Wire final : public Unit {",
            "public:",
            "    explicit Wire(int rate) : rate_{rate}, other_(2) {}",
            "    ~Wire() override = default;",
            "    [[nodiscard]] int rate() const { return f(rate_); }",
            "    template <class T>",
            "    void put(const std::function<void(T)>& done = {});",
            "    bool operator==(const Wire&) const;",
            "private:",
            "    void hidden();",
            "public:",
            "    auto last() -> int;",
            "};"), 6)

    def test_data_and_types_are_none(self):
        self.assertEqual(public_functions(
            "struct Wire {",
            "    using Done = void (*)(int);",
            "    friend bool operator<(const Wire&, const Wire&) { return false; }",
            "    static_assert(sizeof(int) == 4);",
            "    enum class State { idle };",
            "    struct Lane { void put(); int get(); };",
            "    std::function<void(int)> done;",
            "    int (*call)(int);",
            "    int a = f(1);",
            "    int b{f(2)};",
            "};"), 0)

    def test_a_class_hides_what_comes_first_and_a_struct_shows_it(self):
        self.assertEqual(public_functions("class Wire {", "    void put();", "};"), 0)
        self.assertEqual(public_functions("struct Wire {", "    void put();", "};"), 1)

    def test_classes_inside_others_are_counted_alone(self):
        found = classes({"models/wire/wire.hpp": ["struct Wire {", "    struct Lane { void put(); int get(); };", "};"]})
        self.assertEqual(dict(found.functions), {"ndsim::Wire": 0, "ndsim::Wire::Lane": 2})

    def test_forty_are_allowed(self):
        for count, found in ((40, {}), (41, {"ndsim::Wire": 41})):
            wires = classes({"models/wire/wire.hpp": [
                "struct Wire {", *(f"    void put{n}();" for n in range(count)), "};"]})
            self.assertEqual(wires.with_many_functions(), found)


class Exceptions(unittest.TestCase):
    def offences(self, listed, files=2):
        found = classes({f"models/wire/{n}.cpp": ["void Wire::put() {}"] for n in range(files)})
        return check_classes.all_offences(found, listed, {})

    def test_a_class_that_is_not_listed_may_not_be_split(self):
        (offence,) = self.offences({})
        self.assertEqual(offence, "ndsim::Wire has 2 .cpp files, at most 1 allowed: look for the second class in it")
        self.assertEqual(self.offences({}, files=1), [])

    def test_one_that_is_listed_keeps_its_number(self):
        self.assertEqual(self.offences({"ndsim::Wire": 2}), [])
        self.assertIn("has 3 .cpp files, more than the 2", self.offences({"ndsim::Wire": 2}, files=3)[0])

    def test_the_list_follows_what_has_become_smaller(self):
        self.assertIn("write 2 in IN_SEVERAL_FILES", self.offences({"ndsim::Wire": 3})[0])
        for gone in (self.offences({"ndsim::Wire": 2}, files=1), self.offences({"ndsim::Lane": 2}, files=0)):
            self.assertIn("no longer has 2 .cpp files: take it out of IN_SEVERAL_FILES", gone[0])


class Command(unittest.TestCase):
    def test_says_what_is_wrong_and_exits_with_1(self):
        with tempfile.TemporaryDirectory() as root:
            result = subprocess.run([sys.executable, "-B", TOOLS / "check_classes.py", "--root", root],
                                    capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 1 if check_classes.IN_SEVERAL_FILES else 0)
        self.assertEqual(len(result.stdout.splitlines()),
                         len(check_classes.IN_SEVERAL_FILES) + len(check_classes.WITH_MANY_FUNCTIONS))

    def test_the_code_of_this_repository_keeps_the_rules(self):
        result = subprocess.run([sys.executable, "-B", TOOLS / "check_classes.py"], capture_output=True, text=True,
                                check=False)
        self.assertEqual((result.returncode, result.stdout), (0, ""))
