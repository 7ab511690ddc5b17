// The live explorer, served by `megadapt serve`.
import assert from "node:assert/strict";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { reviews, tagged } from "../planted.ts";
import { folder, launch, program } from "./page.ts";

const data = join(folder, "served");
const servers: ChildProcess[] = [];
let browser: Browser;

/// The same rows with one text each instead of features.
function asTexts(rows: string): string {
  return rows.trim().split("\n").map((line) => JSON.parse(line)).map(({ label, features }) => `${JSON.stringify({ label, text: features.join(" ") })}\n`).join("");
}

/// Starts a server on a free port; resolves to its address.
function serve(model: string): Promise<string> {
  const server = spawn(program, ["serve", model, "--port", "0", "--json", "--quiet"], { stdio: ["ignore", "pipe", "inherit"] });
  servers.push(server);
  return new Promise((ready) => server.stdout!.once("data", (line: Buffer) => ready(JSON.parse(line.toString()).url)));
}

before(async () => {
  writeFileSync(`${data}.books.jsonl`, reviews(200, "books", 1));
  writeFileSync(`${data}.phones.jsonl`, reviews(60, "phones", 2));
  execFileSync(program, ["train", "--quiet", "--system", "megam", "--domain", `books=${data}.books.jsonl`, "--domain", `phones=${data}.phones.jsonl`, "--target", "phones", "-o", `${data}.mega`]);
  for (const domain of ["books", "phones"]) writeFileSync(`${data}.${domain}.text.jsonl`, asTexts(readFileSync(`${data}.${domain}.jsonl`, "utf8")));
  execFileSync(program, ["train", "--quiet", "--system", "megam", "--domain", `books=${data}.books.text.jsonl`, "--domain", `phones=${data}.phones.text.jsonl`, "--target", "phones", "-o", `${data}.text.mega`]);
  writeFileSync(`${data}.conll`, tagged(40, 4));
  execFileSync(program, ["train", "--quiet", "--task", "pos", "--system", "mix", "--domain", `news=${data}.conll`, "-o", `${data}.pos.mega`]);
  browser = await launch();
});
after(async () => {
  await browser.close();
  for (const server of servers) server.kill("SIGTERM");
  await Promise.all(servers.map((server) => server.exitCode !== null || new Promise((ended) => server.once("exit", ended))));
});

async function openExplorer(address: string): Promise<{ page: Page; troubles: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const troubles: string[] = [];
  page.on("console", (message) => { if (!/status of 400/.test(message.text())) troubles.push(message.text()); });
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("dialog", (dialog) => { troubles.push(dialog.message()); void dialog.dismiss(); });
  page.on("request", (request) => { if (!request.url().startsWith(address) && !request.url().startsWith("data:")) troubles.push(request.url()); });
  await page.goto(address);
  await page.waitForSelector("textarea");
  return { page, troubles };
}

test("typed rows are predicted and explained", async () => {
  const { page, troubles } = await openExplorer(await serve(`${data}.mega`));
  assert.match(await page.locator(".facts").innerText(), /megam[\s\S]*phones/);
  assert.deepEqual(await page.getByLabel("Read as").locator("option").evaluateAll((all) => all.map((each) => (each as HTMLOptionElement).value)), ["features", "json"]);
  await page.locator("textarea").fill("great love <b>new</b>\nawful thin");
  await page.waitForSelector(".answer");
  assert.equal(await page.locator(".answer").count(), 2);
  assert.match(await page.locator(".answer").first().innerText(), /good \d.*general/s);
  assert.match(await page.locator(".explanation").innerText(), /<b>new<\/b>/);
  await page.locator(".answer").nth(1).click();
  assert.equal(await page.locator(".answer").nth(1).getAttribute("aria-pressed"), "true");
  assert.ok(await page.locator(".explanation .sum").count() >= 2);
  await page.screenshot({ path: `${folder}/explorer.png`, fullPage: true });
  await page.getByRole("button", { name: "Switch to dark colours" }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForFunction(() => document.documentElement.scrollWidth === 390);
  await page.screenshot({ path: `${folder}/explorer-phone.png`, fullPage: true });
  assert.deepEqual(troubles, []);
});

test("choices are sent to the server, and its errors are shown", async () => {
  const { page, troubles } = await openExplorer(await serve(`${data}.text.mega`));
  await page.getByLabel("Read as").selectOption("text");
  await page.getByLabel("Domain").selectOption("books");
  await page.getByLabel("Explain").selectOption("bad");
  const asked = page.waitForRequest(/v1\/explain/);
  await page.locator("textarea").fill("A great phone");
  const { rows, label } = (await asked).postDataJSON();
  assert.deepEqual({ rows, label }, { rows: [{ text: "A great phone", domain: "books" }], label: "bad" });
  await page.waitForSelector(".answer");
  await page.getByLabel("Against").selectOption("bad");
  await page.waitForSelector("[role=status].warning");
  assert.match(await page.locator("[role=status]").innerText(), /against itself/);
  assert.deepEqual(troubles, []);
});

test("the words of a sentence carry their tags", async () => {
  const { page, troubles } = await openExplorer(await serve(`${data}.pos.mega`));
  await page.locator("textarea").fill("the dog bites\na light walk");
  await page.waitForSelector(".token");
  assert.deepEqual(await page.locator(".token").first().innerText(), "the\nDET");
  assert.equal(await page.locator(".token").count(), 6);
  await page.locator(".token").nth(1).click();
  assert.match(await page.locator(".explanation").innerText(), /the tag before is DET/);
  await page.screenshot({ path: `${folder}/explorer-tagger.png`, fullPage: true });
  assert.deepEqual(troubles, []);
});
