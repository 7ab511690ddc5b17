#!/usr/bin/env python3
"""Bundles the page: web/build.py FOLDER writes into FOLDER

  app.js, app.css  the bundle
  report.html      everything in one file, with @DATA@ in place of RESULT.json
  index.html       the live explorer of `megadapt serve`, which loads the bundle
  assets.cpp       all files for the program (src/web/assets.hpp)
  assets.d         the sources that were used, for the build system

esbuild and d3 are Debian packages: a build needs neither node nor npm.
"""
import base64
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

WEB = Path(__file__).resolve().parent
MODULES = "/usr/share/nodejs"  # where Debian's packages put d3


def bundle(entry, sources):
    """Returns the bundle of src/ENTRY; adds the files it was made of to `sources`."""
    with tempfile.TemporaryDirectory() as folder:
        output, metafile = Path(folder, "output"), Path(folder, "meta.json")
        command = [
            "esbuild", f"src/{entry}", "--bundle", "--minify", "--format=iife", f"--outfile={output}",
            f"--metafile={metafile}", "--target=chrome100,firefox100,safari15.4", "--charset=utf8",
            "--legal-comments=none", "--log-level=warning"]
        try:
            subprocess.run(command, cwd=WEB, env={**os.environ, "NODE_PATH": MODULES}, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            sys.exit(f"error: could not bundle the page: {error}\n"
                     "fix: run scripts/setup, which installs esbuild and d3, or build without the page: "
                     "cmake -DMEGADAPT_WEB=OFF")
        sources += [(WEB / file).resolve() for file in json.loads(metafile.read_text("utf-8"))["inputs"]]
        return output.read_text("utf-8").rstrip()


def sha256(text):
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def policy(sources):
    """Returns a content security policy that allows only the page's own script and style.

    The report cannot reach the network, and no text in its data can become code.
    """
    rules = {"default-src": "'none'", **sources, "img-src": "data:", "base-uri": "'none'", "form-action": "'none'"}
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def fill(template, values):
    return re.sub("@([A-Z]+)@", lambda match: values.get(match[1], match[0]), template)


def pages(js, css, template):
    if re.search("</script", js, re.I) or re.search("</style", css, re.I):
        sys.exit("error: the bundle would end its own element")
    return {
        "app.js": js,
        "app.css": css,
        "report.html": fill(template, {
            "POLICY": policy({"script-src": sha256(js), "style-src": sha256(css)}),
            "STYLE": f"<style>{css}</style>",
            "SCRIPT": f"<script>{js}</script>",
        }),
        "index.html": fill(template, {
            "POLICY": policy({"script-src": "'self'", "style-src": "'self'", "connect-src": "'self'"}),
            "STYLE": '<link rel="stylesheet" href="app.css">',
            "SCRIPT": '<script src="app.js"></script>',
            "DATA": "",
        }),
    }


def literal(text):
    """Returns `text` as a C++ string_view.

    Octal escapes end after three digits, whatever follows. Short lines keep the compiler fast.
    """
    data = text.encode()
    plain = set(range(0x20, 0x7F)) - set(b'"\\?')
    codes = [chr(byte) if byte in plain else f"\\{byte:03o}" for byte in range(256)]
    lines = ['"' + "".join(codes[byte] for byte in data[begin:begin + 4096]) + '"'
             for begin in range(0, len(data), 4096)]
    return "std::string_view(\n" + "\n".join(lines) + f", {len(data)})"


def assets_cpp(files):
    assets = [
        ("/", "text/html; charset=utf-8", "index.html"),
        ("/app.css", "text/css; charset=utf-8", "app.css"),
        ("/app.js", "text/javascript; charset=utf-8", "app.js"),
        ("report.html", "text/html; charset=utf-8", "report.html"),
    ]
    rows = "\n".join(f'{{"{path}", "{kind}", {literal(files[name])}}},' for path, kind, name in assets)
    return f"""// Made by web/build.py.
#include "web/assets.hpp"

namespace megadapt {{
namespace {{
constexpr Asset kAssets[] = {{
{rows}
}};
}}  // namespace

std::span<const Asset> assets() {{ return kAssets; }}
}}  // namespace megadapt
"""


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: web/build.py FOLDER")
    folder = Path(sys.argv[1])
    template = WEB / "src" / "page.html"
    sources = [template]
    js = bundle("main.ts", sources)
    css = bundle("style.css", sources)
    files = pages(js, css, template.read_text("utf-8"))
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {**files, "assets.cpp": assets_cpp(files)}.items():
        (folder / name).write_text(text, "utf-8")
    escaped = " ".join(re.sub("([ #])", r"\\\1", str(file)) for file in sources)
    (folder / "assets.d").write_text(f"{folder / 'assets.cpp'}: {escaped}\n", "utf-8")


main()
