// Installs the pinned npm packages if they are missing or differ from package-lock.json.
// Run by scripts/setup, and by the build for users who skip scripts/setup.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL(".", import.meta.url));
const stamp = `${web}node_modules/.installed`;  // the lock file's digest, written last

export function installPackages() {
  const wanted = createHash("sha256").update(readFileSync(`${web}package-lock.json`)).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  console.log("installing the npm packages of web/package-lock.json");
  const npm = spawnSync("npm", ["ci", "--no-progress"], { cwd: web, stdio: "inherit" });
  if (npm.status === 0) {
    writeFileSync(stamp, wanted);
    return;
  }
  console.error("error: npm could not install the packages of web/package-lock.json");
  console.error("fix: install npm and check the network, then: npm ci --prefix web;" +
    " or build without the page: cmake -DMEGADAPT_WEB=OFF");
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) installPackages();
