// node packages.mjs: installs the npm packages of package-lock.json, which the tests use, where
// they are missing or of another version. Run by scripts/setup, and by the tests for those who
// come without it.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL(".", import.meta.url));
const stamp = `${web}node_modules/.installed`;  // the lock file's digest, written last

export function installPackages() {
  const digest = createHash("sha256").update(readFileSync(`${web}package-lock.json`)).digest("hex");
  const installed = existsSync(stamp) ? readFileSync(stamp, "utf8") : "";
  if (installed === digest) return;
  console.log("installing the npm packages that the tests use");
  const flags = ["--no-progress", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = spawnSync("npm", ["ci", ...flags], { cwd: web, stdio: "inherit" });
  if (npm.status === 0) {
    writeFileSync(stamp, digest);
    return;
  }
  console.error("error: npm could not install the packages of web/package-lock.json");
  console.error("fix: install npm and check the network, then: npm ci --prefix web");
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  installPackages();
}
