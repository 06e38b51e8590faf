# Tests of the headers that programs for Windows include, by what compilers make of them: each C++ that is in use, C,
# and Clang with Microsoft's extensions if it is there.
# SPDX-License-Identifier: Apache-2.0
import itertools
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CXX = os.environ.get("NDSIM_CXX", "c++")
CC = os.environ.get("NDSIM_CC", "cc")
CLANG = shutil.which("clang++")
HEADERS = ROOT / "ndapi" / "windows" / "include"
BUILD = pathlib.Path(os.environ.get("NDSIM_BUILD", ROOT / "build" / "release"))
NAMES = BUILD / "ndapi" / "windows" / "include" / "names"  # the headers that the build has written
OPTIONS = [f"-I{ROOT}", f"-I{HEADERS}", f"-I{NAMES}", "--include=ndsim/compiler_words.h"]  # as target ndsim::program has them
VERSIONS = ("c++14", "c++17", "c++20")


def compiled(compiler, text, *options):
    """What the compiler prints: the preprocessed text with -E, or what it has against the text."""
    language = "c" if compiler == CC else "c++"
    done = subprocess.run([compiler, *OPTIONS, *options, "-x", language, "-"], input=text, capture_output=True, text=True)
    return done.stdout + done.stderr


def spelled(*parts):
    """All words that take one of each."""
    return ["".join(word) for word in itertools.product(*parts)]


OPT = ("", "opt_")
SIZED = ("cap", "bytecap", "count", "bytecount")
HOW = ("_", "_c_", "_x_")
LENGTHS = ("", "_part", "_full")


class Sal(unittest.TestCase):
    def nothing_is_left_of(self, words, arguments=""):
        text = "#include <sal.h>\nSTART\n" + "\n".join(word + arguments for word in words)
        for compiler in (CXX, CC):
            left = compiled(compiler, text, "-E", "-P").split("START")[1].split()
            self.assertEqual(left, [])

    def test_of_visual_studio_2005(self):
        deref = ("__", "__deref_", "__deref_opt_")
        self.nothing_is_left_of(spelled(deref, ("in", "out", "inout"), ("", "_z", "_nz"), ("", "_opt")))
        sizes = ("ecount", "bcount")
        self.nothing_is_left_of(spelled(deref, ("in_",), sizes, ("", "_z", "_nz"), ("", "_opt")), "(a)")
        self.nothing_is_left_of(
            spelled(deref, ("out_", "inout_"), sizes, LENGTHS, ("", "_z", "_nz"), ("", "_opt")), "(a, b)")
        self.nothing_is_left_of(spelled(deref, ("out_", "inout_"), ("xcount",), LENGTHS, ("", "_opt")), "(a, b)")
        self.nothing_is_left_of(spelled(("__field_",), ("ecount", "bcount", "xcount"), LENGTHS, ("", "_opt")), "(a)")
        self.nothing_is_left_of(["__checkReturn", "__reserved", "__nullterminated", "__callback", "__fallthrough"])
        self.nothing_is_left_of(["__drv_maxIRQL", "__drv_freesMem", "__success", "__range", "__control_entrypoint"], "(a)")

    def test_of_visual_studio_2010(self):
        ends = ("", "z_")
        self.nothing_is_left_of(spelled(("_In_",), OPT, ends, ("count", "bytecount"), HOW), "(a + 1)")
        self.nothing_is_left_of(spelled(("_Out_",), OPT, ends, ("cap", "bytecap"), HOW), "(a + 1)")
        self.nothing_is_left_of(spelled(("_Out_",), OPT, ends, ("cap_post_count_", "bytecap_post_bytecount_")), "(a, b)")
        self.nothing_is_left_of(spelled(("_Out_",), OPT, ends, ("capcount_", "bytecapcount_")), "(a)")
        self.nothing_is_left_of(spelled(("_Inout_", "_Ret_"), OPT, ends, SIZED, HOW), "(a)")
        self.nothing_is_left_of(
            spelled(("_Pre_", "_Deref_pre_", "_Deref_post_"), OPT, ("", "z_", "valid_"), SIZED, HOW), "(a)")
        self.nothing_is_left_of(spelled(("_Post_", "_Prepost_"), ends, ("count", "bytecount"), HOW), "(a)")
        self.nothing_is_left_of(spelled(("_Deref_",), OPT, ("out_", "inout_", "ret_"), OPT, ends))
        self.nothing_is_left_of(spelled(("_Deref_",), ("pre_", "post_", "prepost_"), OPT, ("z_", "valid_")))

    def test_of_today(self):
        results = ("", "result_maybenull_", "result_nullonfailure_")
        self.nothing_is_left_of(spelled(("_Outptr_", "_COM_Outptr_"), OPT, results) + spelled(("_Outref_",), results))
        buffers = spelled(("buffer_", "bytebuffer_"), ("", "to_", "all_"), ("", "maybenull_"))
        self.nothing_is_left_of(spelled(("_Outptr_", "_Outptr_opt_", "_Outref_"), ("result_",), buffers), "(a, b)")
        whole = ("", "to_", "all_")
        self.nothing_is_left_of(spelled(("_Out_writes_", "_Inout_updates_"), ("", "bytes_"), whole, OPT), "(a, b)")
        self.nothing_is_left_of(spelled(("_In_reads_",), ("", "bytes_"), OPT), "(a)")
        self.nothing_is_left_of(spelled(("_Ret_writes_",), ("", "bytes_"), ("", "to_"), ("", "maybenull_")), "(a, b)")
        self.nothing_is_left_of(spelled(("_Field_size_",), ("", "bytes_"), ("", "part_", "full_"), OPT), "(a, b)")
        locks = spelled(("_Acquires_", "_Releases_"), ("", "exclusive_", "shared_"), ("lock_",))
        self.nothing_is_left_of(locks + spelled(("_Requires_",), ("", "shared_"), ("lock_held_", "lock_not_held_")), "(a)")
        self.nothing_is_left_of(["_Analysis_noreturn_", "_IRQL_requires_same_", "_IRQL_saves_", "_Kernel_float_used_"])
        self.nothing_is_left_of(spelled(("_IRQL_",), ("requires_max_", "requires_min_", "raises_", "uses_cancel_")), "(a)")
        self.nothing_is_left_of(["_Analysis_assume_", "_When_", "_At_", "_Success_", "_Function_class_"], "(a == 1, b c)")

    def test_the_standard_library_goes_together_with_it(self):
        for version in VERSIONS:
            text = "#include <sal.h>\n#include <bits/stdc++.h>\n"
            self.assertEqual(compiled(CXX, text, "-fsyntax-only", f"-std={version}"), "")


class Language(unittest.TestCase):
    # What Windows' compiler knows without any header, and its headers have as macros with parentheses of their own.
    WORDS = """
        unsigned __int64 wide; __int32 word; __int16 half; __int8 byte; __forceinline int __stdcall f(void) { return 1; }
        __declspec(align(64)) __declspec(thread) int line; __declspec(noinline) int __cdecl g(int __unaligned* p);
    """
    CONDITIONS = """
        int h(HRESULT result, NTSTATUS status, OVERLAPPED* request) {
            if FAILED(result) return 1;
            if SUCCEEDED(result) return 2;
            if NT_SUCCESS(status) return 3;
            if (!HasOverlappedIoCompleted(request)) return 4;
            return FAILED(result = S_FALSE) || result;
        }
    """
    BITS = """
        int bits(ULONG* index, UINT64 value) {
            return _BitScanForward64(index, value) + _BitScanReverse(index, 5) + (int)_rotl64(value, 1) + __popcnt(7);
        }
        #ifdef __x86_64__
        __m256i vector;  // of the compiler's headers, which intrin.h has in it
        #endif
    """

    def all_headers(self, *without):
        names = sorted(path.relative_to(folder) for folder in (HEADERS, NAMES) for path in folder.rglob("*.h")
                       if path.parent.name != "ndsim")
        return "".join(f"#include <{name}>\n" for name in names if str(name).lower() not in without)

    def test_all_headers_are_good_in_each_version(self):
        text = self.WORDS + self.all_headers() + self.CONDITIONS + self.BITS
        for version in VERSIONS:
            self.assertEqual(compiled(CXX, text, "-fsyntax-only", "-Wall", "-Wno-unknown-pragmas", f"-std={version}"), "")
        of_cpp = ("wrl/client.h", "ws2san.h", "versionhelpers.h")
        text = self.WORDS + self.all_headers(*of_cpp) + self.CONDITIONS + self.BITS
        self.assertEqual(compiled(CC, text, "-fsyntax-only", "-Wall", "-Wno-unknown-pragmas"), "")

    @unittest.skipUnless(CLANG, "no Clang")
    def test_clang_with_and_without_the_extensions_of_microsoft(self):
        text = self.WORDS + self.all_headers() + self.CONDITIONS + self.BITS
        for option in ("-fms-extensions", "-fno-ms-extensions"):
            for version in VERSIONS:
                self.assertEqual(compiled(CLANG, text, "-fsyntax-only", "-Wall", option, f"-std={version}"), "")


class CHeaders(unittest.TestCase):
    # By header of C, what Windows' has in it, as a source uses it that includes nothing else.
    USES = {
        "stdio.h": "FILE* file; char b[9]; int f(void) { sprintf_s(b, sizeof(b), \"x\"); return fopen_s(&file, \"x\", \"r\"); }",
        "string.h": "char b[9]; int f(void) { char* rest; strtok_s(b, b, &rest); return strncpy_s(b, sizeof(b), b, _TRUNCATE); }",
        "wchar.h": "wchar_t b[9]; int f(void) { return wcscpy_s(b, 9, b) + _wcsicmp(b, b) + swprintf_s(b, 9, b); }",
        "stdlib.h": "char b[_MAX_PATH]; int f(void) { return _itoa_s(1, b, sizeof(b), 10) + (int)_countof(b); }",
        "time.h": "struct tm parts; int f(void) { time_t now = 0; return localtime_s(&parts, &now); }",
        "malloc.h": "void* f(void) { return _aligned_malloc(64, 64); }",
    }

    def test_what_windows_has_in_them(self):
        for header, use in self.USES.items():
            for compiler in (CXX, CC):
                text = f"#include <{header}>\n{use}\nint LONG, DWORD, HANDLE;\n"  # and no types of windows.h
                self.assertEqual(compiled(compiler, text, "-fsyntax-only", "-Wall"), "", header)

    def test_of_cpp(self):
        text = "#include <cstdio>\n#include <cstring>\nchar b[9]; int f() { return strncpy_s(b, \"x\", 1); } auto* g = fopen_s;"
        self.assertEqual(compiled(CXX, text, "-fsyntax-only", "-Wall"), "")
        text = "#include <string>\n#include <cstdlib>\nchar b[_MAX_PATH + _MAX_EXT]; int f() { return std::abs(-1); }"
        self.assertEqual(compiled(CXX, text, "-fsyntax-only", "-Wall"), "")
        text = 'extern "C" {\n#include <string.h>\n#include <stdio.h>\n}\nchar b[9]; int f() { return strcpy_s(b, "x"); }'
        self.assertEqual(compiled(CXX, text, "-fsyntax-only", "-Wall"), "")


class Alone(unittest.TestCase):
    def test_each_header_for_c_needs_no_other_before_it(self):
        names = {path.name.lower() for folder in (HEADERS, NAMES) for path in folder.glob("*.h")}
        names.remove("ws2san.h")  # which is for C++
        for name in sorted(names):
            with self.subTest(name):
                self.assertEqual(compiled(CC, f"#include <{name}>\nextern int used;\n", "-fsyntax-only", "-Wall"), "")


class OwnHeaders(unittest.TestCase):
    # A program's own header, of a Windows that is not here.
    THEIRS = "#ifndef _NDSPI_H_\n#define _NDSPI_H_\n#include <rpcndr.h>\nstruct IND2Adapter { int other; };\n#endif\n"

    def built(self, *options):
        """What the compiler has against a source beside that header."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "ndspi.h").write_text(self.THEIRS)
            source = pathlib.Path(folder) / "client.cpp"
            source.write_text('#include "ndspi.h"\nULONG release(IND2Adapter* adapter) { return adapter->Release(); }\n')
            done = subprocess.run([CXX, *OPTIONS, *options, "-fsyntax-only", source], capture_output=True, text=True)
            return done.stderr

    def test_beside_the_sources(self):
        self.assertIn("rpcndr.h", self.built())
        self.assertEqual(self.built("-include", "ndapi/windows/include/ndspi.h", "-D_NDSPI_H_"), "")
