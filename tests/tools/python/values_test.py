# Tests how values of Python become what --set and --vary take.
# SPDX-License-Identifier: Apache-2.0
import fractions
import inspect
import pathlib
import unittest

import support

import ndsim
from ndsim.values import axis_of, options_of, setting_of, text_of, value_of


class Texts(unittest.TestCase):
    def test_values_are_as_set_takes_them(self):
        for value, text in ((64, "64"), ("25 Gbps", "25 Gbps"), (True, "true"), (False, "false"), (0.5, "0.5"),
                            (["64 B", "4 KiB"], '["64 B", "4 KiB"]'), ((1, 2), "[1, 2]"),
                            ({"start": "1 us"}, '{"start": "1 us"}'), (fractions.Fraction(1, 4), "0.25")):
            with self.subTest(value):
                self.assertEqual(text_of(value), text)

    def test_a_flag_of_another_library_is_a_flag(self):
        class Flag:
            def item(self):
                return False

        self.assertEqual(text_of(Flag()), "false")
        self.assertEqual(text_of([Flag()]), "[false]")

    def test_what_is_no_value_is_refused(self):
        for value in (None, b"64", {1, 2}, object(), [None, object()]):
            with self.subTest(value), self.assertRaises(TypeError):
                text_of(value)
        for path in ("", "nic.mtu=1024"):
            with self.subTest(path), self.assertRaises(ValueError):
                setting_of(path, 1)

    @support.needs("numpy")
    def test_numbers_of_numpy_are_numbers(self):
        import numpy

        self.assertEqual([text_of(value) for value in numpy.array([1, 2])], ["1", "2"])
        self.assertEqual(text_of([numpy.int64(3)]), "[3]")
        self.assertEqual(text_of(numpy.bool_(True)), "true")
        self.assertEqual(axis_of("nic.sq.depth", 2 ** numpy.arange(4)), "nic.sq.depth=1,2,4,8")

    def test_axes_are_as_vary_takes_them(self):
        for path, values, text in (
                ("nic.sq.depth", [1, 2, 4], "nic.sq.depth=1,2,4"),
                ("nic.sq.depth", range(1, 4), "nic.sq.depth=1,2,3"),
                ("seed", range(1, 30_000, 2), "seed=1..29999+2"),
                ("nic.sq.depth", "1..64*2", "nic.sq.depth=1..64*2"),
                ("link.length", ["2 m", "100 m"], "link.length=2 m,100 m"),
                (("nic.sq.depth", "traffic.t.window"), [(8, 16), (16, 32)], "nic.sq.depth,traffic.t.window=8:16,16:32"),
                (("nic.sq.depth", "traffic.t.window"), [1, 2], "nic.sq.depth,traffic.t.window=1,2")):
            with self.subTest(text):
                self.assertEqual(axis_of(path, values), text)

    def test_an_entry_that_would_be_taken_for_two_is_refused(self):
        for path, values in (("traffic.t.size", [["64 B", "4 KiB"]]), (("a", "b"), ["1:2"]), (("a", "b"), [(1, 2, 3)]),
                             ("a", [(1, 2)]), ("a=b", [1]), ("", [1]), ((), [1])):
            with self.subTest(values), self.assertRaises(ValueError):
                axis_of(path, values)

    def test_values_of_points_are_numbers_flags_or_texts(self):
        self.assertEqual([value_of(text) for text in ("64", "-1", "true", "false", "64 B", "1.5", "auto")],
                         [64, -1, True, False, "64 B", "1.5", "auto"])
        self.assertIs(value_of("true"), True)

    def test_options_that_say_nothing_are_left_out(self):
        self.assertEqual(options_of({"--a": None, "--b": False, "--c": True, "--d": 0, "--e": ["x", "y"], "--f": []}),
                         ["--c", "--d", "0", "--e", "x", "--e", "y"])


class Documented(unittest.TestCase):
    def test_all_that_is_public_has_types_and_a_docstring(self):
        for name in ndsim.__all__:
            thing = getattr(ndsim, name)
            members = vars(thing).items() if inspect.isclass(thing) else ()
            things = [(name, thing), *((f"{name}.{inner}", getattr(each, "fget", each)) for inner, each in members
                                       if not inner.startswith("_"))]
            for where, each in things:
                if inspect.isclass(each) or inspect.isfunction(each):
                    with self.subTest(where):
                        self.assertTrue(each.__doc__)
                if inspect.isfunction(each):
                    signature = inspect.signature(each)
                    given = [parameter.annotation for parameter in signature.parameters.values()
                             if parameter.name != "self"]
                    self.assertNotIn(inspect.Signature.empty, [*given, signature.return_annotation], where)
        self.assertTrue((pathlib.Path(ndsim.__file__).parent / "py.typed").is_file())
