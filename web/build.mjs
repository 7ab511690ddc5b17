// node build.mjs FOLDER: bundles the page and writes into FOLDER
//   app.js, app.css  the bundle
//   report.html      everything in one file, with @DATA@ in place of RESULT.json
//   index.html       the live explorer of `megadapt serve`, which loads the bundle
//   assets.cpp       all files for the program (src/web/assets.hpp)
//   assets.d         the sources that were used, for the build system
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "./packages.mjs";

const web = fileURLToPath(new URL(".", import.meta.url));
const folder = process.argv[2];
if (!folder) {
  console.error("usage: node build.mjs FOLDER");
  process.exit(2);
}

installPackages("build");
const esbuild = await import("esbuild");

const sources = [join(web, "src", "page.html")];

async function bundle(entry) {
  const result = await esbuild.build({
    absWorkingDir: web, entryPoints: [join("src", entry)],
    bundle: true, minify: true, write: false, metafile: true, format: "iife",
    target: ["chrome100", "firefox100", "safari15.4"],
    charset: "utf8", legalComments: "none", logLevel: "warning",
  });
  sources.push(...Object.keys(result.metafile.inputs).map((file) => join(web, file)));
  return result.outputFiles[0].text.trimEnd();
}

function sha256(text) {
  return `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
}

// The content security policy allows only the page's own script and style: the report
// cannot reach the network, and no text in its data can become code.
function policy(sources) {
  return Object.entries({
    "default-src": "'none'", ...sources, "img-src": "data:", "base-uri": "'none'",
    "form-action": "'none'",
  }).map(([name, value]) => `${name} ${value}`).join("; ");
}

// The replacement is a function, so that "$&" in the bundle stays unchanged.
function fill(template, values) {
  return template.replace(/@([A-Z]+)@/g, (whole, name) => values[name] ?? whole);
}

const js = await bundle("main.ts");
const css = await bundle("style.css");
if (/<\/script/i.test(js) || /<\/style/i.test(css)) throw new Error("the bundle would end its element");
const template = readFileSync(sources[0], "utf8");
const files = {
  "app.js": js,
  "app.css": css,
  "report.html": fill(template, {
    POLICY: policy({ "script-src": sha256(js), "style-src": sha256(css) }),
    STYLE: `<style>${css}</style>`,
    SCRIPT: `<script>${js}</script>`,
  }),
  "index.html": fill(template, {
    POLICY: policy({ "script-src": "'self'", "style-src": "'self'", "connect-src": "'self'" }),
    STYLE: `<link rel="stylesheet" href="app.css">`,
    SCRIPT: `<script src="app.js"></script>`,
    DATA: "",
  }),
};

// Octal escapes end after three digits, whatever follows. Short lines keep the compiler
// fast.
function literal(text) {
  const bytes = Buffer.from(text, "utf8");
  const lines = [];
  for (let begin = 0; begin < bytes.length; begin += 4096) {
    let line = "";
    for (const byte of bytes.subarray(begin, begin + 4096)) {
      const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c && byte !== 0x3f;
      line += plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
    }
    lines.push(`"${line}"`);
  }
  return `std::string_view(\n${lines.join("\n")}, ${bytes.length})`;
}

function assetsCpp() {
  const assets = [
    ["/", "text/html; charset=utf-8", "index.html"],
    ["/app.css", "text/css; charset=utf-8", "app.css"],
    ["/app.js", "text/javascript; charset=utf-8", "app.js"],
    ["report.html", "text/html; charset=utf-8", "report.html"],
  ];
  const rows = assets.map(([path, type, file]) => `{"${path}", "${type}", ${literal(files[file])}},`);
  return `// Made by web/build.mjs.
#include "web/assets.hpp"

namespace megadapt {
namespace {
constexpr Asset kAssets[] = {
${rows.join("\n")}
};
}  // namespace

std::span<const Asset> assets() { return kAssets; }
}  // namespace megadapt
`;
}

mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
writeFileSync(join(folder, "assets.cpp"), assetsCpp());
const escaped = sources.map((file) => file.replace(/[ #]/g, "\\$&")).join(" ");
writeFileSync(join(folder, "assets.d"), `${join(folder, "assets.cpp")}: ${escaped}\n`);
