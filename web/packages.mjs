// Installs the npm packages of package-lock.json that are missing or of another version:
//   node packages.mjs build   those that build the page
//   node packages.mjs test    those that test it, too
// Run by scripts/setup, and by the build for those who come without it.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL(".", import.meta.url));
const stamp = `${web}node_modules/.installed`;  // the lock file's digest and the goal, written last

export function installPackages(goal) {
  const digest = createHash("sha256").update(readFileSync(`${web}package-lock.json`)).digest("hex");
  const installed = existsSync(stamp) ? readFileSync(stamp, "utf8") : "";
  if (installed === `${digest} test` || installed === `${digest} ${goal}`) return;
  console.log(`installing the npm packages that ${goal} the page`);
  const flags = ["--no-progress", "--no-audit", "--no-fund", "--loglevel=error"];
  if (goal === "build") flags.push("--omit=dev");
  const npm = spawnSync("npm", ["ci", ...flags], { cwd: web, stdio: "inherit" });
  if (npm.status === 0) {
    writeFileSync(stamp, `${digest} ${goal}`);
    return;
  }
  console.error("error: npm could not install the packages of web/package-lock.json");
  console.error("fix: install npm and check the network, then: npm ci --prefix web;" +
    " or build without the page: cmake -DMEGADAPT_WEB=OFF");
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  installPackages(process.argv[2] === "build" ? "build" : "test");
}
