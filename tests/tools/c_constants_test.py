# Holds the constants that ndapi/windows/abi has for programs in C against those for C++: the same names with the same values.
# SPDX-License-Identifier: Apache-2.0
import pathlib
import re
import unittest

WIN = pathlib.Path(__file__).resolve().parents[2] / "ndapi" / "windows" / "abi"
CPP = re.compile(r"^(?:constexpr|const) \w+ (\w+) =\s*([^;]+);", re.MULTILINE)
C = re.compile(r"\b([A-Z]\w+) = ([^,}]+?)(?:,| })")


def values(pattern, *paths):
    """By name: the value, or the text of one that is no number."""
    found = {}
    for path in paths:
        for name, text in pattern.findall((WIN / path).read_text(encoding="utf-8")):
            number = re.fullmatch(r"(?:static_cast<\w+>\(|\w+\(|\(\w+\))?(-?(?:0x)?[0-9A-Fa-f]+)\)?", text)
            found[name] = int(number.group(1), 0) & 0xFFFFFFFFFFFFFFFF if number else text
    return found


class Constants(unittest.TestCase):
    def test_of_windows(self):
        cpp = values(CPP, "types.h", "hresult.h", "overlapped.h", "constants.h", "file_constants.h",
                     "socket_constants.h", "socket_errors.h")
        c = values(C, "c/types.h", "c/constants.h", "c/file_constants.h", "c/socket_constants.h")
        del cpp["INVALID_HANDLE_VALUE"]  # a pointer: a macro in C
        self.assertEqual(cpp.pop("INVALID_SOCKET"), "~SOCKET{0}")
        self.assertEqual(c.pop("INVALID_SOCKET"), "~(uintptr_t)0")
        self.assertEqual(c, cpp)
        self.assertEqual(c["WAIT_FAILED"], 0xFFFFFFFF)
        self.assertEqual(c["E_NOTIMPL"], 0x80004001)

    def test_statuses(self):
        cpp = values(CPP, "ntstatus.h")
        self.assertEqual(values(C, "c/ntstatus.h"), cpp)
        self.assertEqual(cpp["STATUS_CANCELLED"], 0xC0000120)

    def test_of_ndkpi(self):
        cpp = values(CPP, "../../ndk/ndk_constants.h")
        self.assertEqual(values(C, "../../ndk/c/ndk_constants.h"), cpp)
        self.assertEqual(cpp["NDK_OP_FLAG_DEFER"], 0x200)


if __name__ == "__main__":
    unittest.main()
