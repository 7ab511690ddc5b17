#!/usr/bin/env python3
"""Compiles every code sample of the public headers, README.md and docs/.

A sample in a header is a run of comment lines `///     code` with a semicolon; one in a page
is a ```cpp block. Names that a sample does not define are the parameters in CONTEXT.

    tests/samples/compile_samples.py TREE COMPILER [FLAG...]
"""
import os
import re
import subprocess
import sys
import tempfile

CONTEXT = """const Model& model, const Row& row, const std::vector<DomainFile>& files,
    const Dataset& data, const Dataset& train, std::uint32_t target, const Execution& exec,
    std::span<const double> probabilities, std::uint64_t seed"""
PREAMBLE = """#include <cstdio>
template <class... T> void use(T&&...) {}
template <class... T> void warn(T&&...) {}
using namespace megadapt;
"""
HEADER_LINE = re.compile(r"^\s*///     (.*)$")


def header_samples(path):
    """Returns (first line, code) of every sample in a header."""
    lines, begin = [], 0
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate([*file, ""], 1):
            found = HEADER_LINE.match(line)
            if found:
                begin = begin or number
                lines.append(found[1])
            elif lines:
                if any(";" in code for code in lines):
                    yield begin, lines
                lines, begin = [], 0


def page_samples(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for found in re.finditer(r"^```cpp\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, found.start(1)) + 1, found[1].splitlines()


def samples(tree):
    headers = os.path.join(tree, "include", "megadapt")
    for name in sorted(os.listdir(headers)):
        yield from ((os.path.join(headers, name), *s)
                    for s in header_samples(os.path.join(headers, name)))
    docs = os.path.join(tree, "docs")
    pages = [os.path.join(tree, "README.md")]
    pages += [os.path.join(docs, name) for name in sorted(os.listdir(docs))
              if name.endswith(".md")]
    for page in pages:
        yield from ((page, *s) for s in page_samples(page))


def source(tree):
    """Returns a source with one function per sample, and the number of samples."""
    headers = sorted(os.listdir(os.path.join(tree, "include", "megadapt")))
    parts = [f"#include <megadapt/{name}>\n" for name in headers] + [PREAMBLE]
    count = 0
    for count, (path, begin, lines) in enumerate(samples(tree), 1):
        missing = [line for line in lines if line.startswith("#include <megadapt/")
                   and not os.path.exists(os.path.join(tree, "include", line[10:-1]))]
        if missing:
            sys.exit(f"{path}:{begin}: there is no {missing[0][9:]}")
        code = "\n".join("" if line.startswith("#include") else line for line in lines)
        parts.append(f'void sample_{count}({CONTEXT}) {{ {{\n#line {begin} "{path}"\n{code}\n}} }}\n')
    return "".join(parts), count


def main(tree, compiler, *flags):
    text, count = source(tree)
    if count < 10:
        sys.exit(f"only {count} samples were found: are they still written as this script expects?")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "samples.cpp")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", *flags,
                               "-I", os.path.join(tree, "include"), path], check=False)
    print(f"{count} samples")
    sys.exit(done.returncode)


if __name__ == "__main__":
    main(*sys.argv[1:])
