#!/usr/bin/env python3
# Checks that a class is one idea: its member functions are defined in one .cpp, and it has at most 40 public functions.
# Classes that were larger when the rule came are listed below; the lists may only shrink. Prints each offence, and exits
# with 1 if there is one; --list prints what the lists would have to say.
# SPDX-License-Identifier: Apache-2.0
import argparse
import collections
import pathlib
import re
import sys

from check_layers import Tree

MOST_FILES = 1
MOST_FUNCTIONS = 40

# In how many .cpp files the functions of these classes are defined.
IN_SEVERAL_FILES = {
}

# How many public functions these classes have.
WITH_MANY_FUNCTIONS = {
}

# What matters outside functions: scopes, and definitions of member functions, which begin at the beginning of a line.
SCOPES = re.compile(
    r"""(?P<namespace>\b(?:namespace(?:\s+(?P<name>[\w:]+))?|extern)\s*\{)
      | (?P<open>\{) | (?P<close>\})
      | ^(?:[A-Za-z_\[][^\n(){};=]*?[\s&*>])?(?P<class>\w+(?:<[^\n(]*?>)?(?:::\w+(?:<[^\n(]*?>)?)*)::
        (?:~?\w+|operator[^\n(]+)\(
      | ^[ \t]*(?:template\s*<[^;{]*?>\s*)?(?:class|struct)\s+(?P<type>\w+)(?:\s+final)?(?:\s*:(?!:)[^;{}()]*)?\s*\{""",
    re.VERBOSE | re.MULTILINE)
ACCESS = re.compile(r"\s*(public|protected|private)\s*:(?!:)")
NOT_A_FUNCTION = re.compile(r"(using|friend|typedef|static_assert|enum|struct|class|union)\b")


def without_arguments(name):
    """`name` without its template arguments."""
    while (shorter := re.sub(r"<[^<>]*>", "", name)) != name:
        name = shorter
    return name


def end_of_block(code, start):
    """Where the block ends that is opened before `start`."""
    depth = 1
    for match in re.compile(r"[{}]").finditer(code, start):
        depth += 1 if match.group() == "{" else -1
        if depth == 0:
            return match.start()
    return len(code)


def members(code, start, end, access):
    """Each member of a class whose body is code[start:end]: its access, and its declaration up to the body."""
    text = ""
    while start < end:
        if specifier := ACCESS.match(code, start) if not text.strip() else None:
            access, text, start = specifier.group(1), "", specifier.end()
            continue
        here = code[start]
        start += 1
        if here == "{":
            start = end_of_block(code, start) + 1
            text += "{}"
            is_function = is_function_declaration(text)
            if is_function and not re.match(r"\s*[,{]", code[start:start + 20]):  # an initialiser of a constructor
                yield access, text
                text = ""
        elif here == ";":
            yield access, text
            text = ""
        else:
            text += here


def is_function_declaration(declaration):
    text = re.sub(r"\[\[.*?\]\]|\bdecltype\([^()]*\)", "", declaration).strip()
    text = re.sub(r"^template\s*", "", without_arguments(text.replace("->", "")))
    before = re.split(r"[({=]" if "operator" not in text else r"\(", text, maxsplit=1)
    rest = text[len(before[0]):]
    return rest.startswith("(") and not rest.startswith("(*") and not NOT_A_FUNCTION.match(text)


class Classes:
    def __init__(self, root):
        self.files = collections.defaultdict(set)      # class: .cpp files with its functions
        self.functions = collections.defaultdict(int)  # class: its public functions
        for path, file in sorted(Tree(root).files.items()):
            if file.path.endswith((".cpp", ".hpp")):
                self.read(path, "\n".join(file.code))

    def read(self, path, code):
        scopes = []  # names of namespaces and classes; of other blocks, None
        for match in SCOPES.finditer(code):
            if match["namespace"]:
                scopes.append(match["name"] or "")
            elif match["close"]:
                if scopes:
                    scopes.pop()
            elif match["type"]:
                self.read_class([*scopes, match["type"]], code, match)
                scopes.append(match["type"])
            elif match["open"]:
                scopes.append(None)
            elif path.endswith(".cpp") and None not in scopes:
                name = without_arguments(match["class"])
                if name.split("::")[-1][0].isupper():  # not a namespace
                    self.files["::".join([*filter(None, scopes), name])].add(path)

    def read_class(self, scopes, code, match):
        if None in scopes:  # inside a function
            return
        access = "private" if re.search(r"\bclass\s+\w+(\s+final)?\s*[:{]", match.group()) else "public"
        body = match.end()
        count = sum(1 for which, text in members(code, body, end_of_block(code, body), access)
                    if which == "public" and is_function_declaration(text))
        name = "::".join(filter(None, scopes))
        self.functions[name] = max(count, self.functions[name])

    def in_several_files(self):
        return {name: len(files) for name, files in self.files.items() if len(files) > MOST_FILES}

    def with_many_functions(self):
        return {name: count for name, count in self.functions.items() if count > MOST_FUNCTIONS}


def offences(found, listed, most, what, name_of_list):
    """What is wrong with the numbers found, if those listed are excepted."""
    for name in sorted({*found, *listed}):
        now, then = found.get(name, 0), listed.get(name)
        if then is None:
            yield f"{name} has {now} {what}, at most {most} allowed: look for the second class in it"
        elif now > then:
            yield f"{name} has {now} {what}, more than the {then} that {name_of_list} allows"
        elif now < then:
            instead = f"write {now} in" if now else "take it out of"
            yield f"{name} no longer has {then} {what}: {instead} {name_of_list}"


def all_offences(classes, several_files, many_functions):
    return [*offences(classes.in_several_files(), several_files, MOST_FILES, ".cpp files", "IN_SEVERAL_FILES"),
            *offences(classes.with_many_functions(), many_functions, MOST_FUNCTIONS, "public functions",
                      "WITH_MANY_FUNCTIONS")]


def main():
    parser = argparse.ArgumentParser(description="Checks that classes are not sliced over files, nor too large.")
    parser.add_argument("--list", action="store_true", help="print what the lists of exceptions would have to say")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    arguments = parser.parse_args()
    classes = Classes(arguments.root)
    if arguments.list:
        for found in (classes.in_several_files(), classes.with_many_functions()):
            print(*(f'    "{name}": {count},' for name, count in sorted(found.items())), "", sep="\n")
        return 0
    found = all_offences(classes, IN_SEVERAL_FILES, WITH_MANY_FUNCTIONS)
    for offence in found:
        print(offence)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
