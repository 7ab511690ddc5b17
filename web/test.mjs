// node test.mjs unit|browser: bundles the tests of one folder, because node of Debian 12
// cannot read TypeScript, and runs them. The bundles are written where playwright-core is
// found.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "./packages.mjs";

const web = fileURLToPath(new URL(".", import.meta.url));
const root = join(web, "..");
const kind = process.argv[2];
if (kind !== "unit" && kind !== "browser") {
  console.error("usage: node test.mjs unit|browser");
  process.exit(2);
}

installPackages();
const source = join(web, "tests", kind), output = join(web, "node_modules", ".tests", kind);
rmSync(output, { recursive: true, force: true });
const entries = readdirSync(source).filter((file) => file.endsWith(".test.ts")).map((file) => join(source, file));
const bundled = spawnSync("esbuild", [
  ...entries, `--outdir=${output}`, "--out-extension:.js=.mjs", "--bundle", "--platform=node", "--format=esm",
  "--external:playwright-core", "--log-level=warning",
], { env: { ...process.env, NODE_PATH: "/usr/share/nodejs" }, stdio: "inherit" });
if (bundled.status !== 0) process.exit(1);
const tests = readdirSync(output).map((file) => join(output, file));
process.exit(spawnSync(process.execPath, ["--test", ...tests], { cwd: root, stdio: "inherit" }).status ?? 1);
