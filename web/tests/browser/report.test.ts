import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { sampleResult } from "../sample.ts";
import { folder, launch, makeReport, open } from "./page.ts";

let browser: Browser;
let report: string;

before(async () => {
  browser = await launch();
  report = makeReport("report", sampleResult(400));
});
after(() => browser.close());

const panels = ["Systems", "Learning curves", "Examples", "General or specific", "Convergence", "Reliability", "Confusion",
  "How related the domains are", "Hyper-parameters tried", "Data", "Provenance"];

test("a report opens from the file system without a message or a request", async () => {
  const { page, troubles } = await open(browser, report);
  assert.deepEqual(await page.locator("section h2").allTextContents(), panels);
  assert.match(await page.locator(".sentence").innerText(), /^Use pool/);
  await page.waitForSelector("#curves svg");
  assert.deepEqual(troubles, []);
});

test("parts without data are left out", async () => {
  const { systems, verdict, best } = sampleResult(10);
  const { page, troubles } = await open(browser, makeReport("small", { verdict, best, systems: systems!.map(({ name, accuracy, log_loss }) => ({ name, accuracy, log_loss })) }));
  assert.deepEqual(await page.locator("section h2").allTextContents(), ["Systems"]);
  assert.deepEqual(troubles, []);
});

test("the table of systems sorts by every column, both ways", async () => {
  const { page } = await open(browser, report);
  const names = () => page.locator("table.systems tbody th").allTextContents();
  assert.deepEqual((await names()).slice(0, 3), ["pool", "stack", "easyadapt"]);
  const logLoss = page.getByRole("button", { name: "Log loss" });
  await logLoss.click();
  assert.equal(await page.getByRole("columnheader", { name: "Log loss" }).getAttribute("aria-sort"), "ascending");
  assert.equal((await names())[0], "pool");
  await logLoss.click();
  assert.equal((await names())[0], "onlyo");
  await page.getByRole("button", { name: "System", exact: true }).press("Enter");
  assert.deepEqual((await names()).slice(0, 2), ["easyadapt", "feats"]);
});

test("search and filters leave the rows that pass", async () => {
  const { page } = await open(browser, report);
  const status = page.locator("#examples [role=status]");
  assert.match(await status.innerText(), /^400 of 400 examples/);
  await page.getByLabel("Outcome").selectOption("wrong");
  const [, wrong, same] = /^(\d+) of 400 examples; pool has (\d+) wrong/.exec(await status.innerText())!;
  assert.equal(wrong, same);
  assert.equal(await page.locator(".option .outcome.right").count(), 0);
  await page.getByLabel("True label").selectOption("positive");
  await page.getByLabel("Search").fill("battery");
  for (const text of await page.locator(".option .body").allInnerTexts()) assert.match(text, /positive → negative/);
  await page.getByLabel("Search").fill("no such word");
  assert.match(await status.innerText(), /No example passes/);
  assert.equal(await page.locator(".option").count(), 0);
});

test("a click on a row explains it, and contributions add up", async () => {
  const { page } = await open(browser, report);
  await page.locator(".option").nth(2).click();
  await page.waitForSelector(".detail .sum");
  assert.match(await page.locator(".detail h3").innerText(), /Row 3/);
  for (const sum of await page.locator(".detail .sum").all()) {
    const terms = (await sum.locator(".bars td.number").allTextContents()).map((text) => Number(text.replace("−", "-")));
    const total = Number((await sum.locator(".total .number").innerText()).replace("−", "-"));
    assert.ok(Math.abs(terms.reduce((a, b) => a + b, 0) - total) < 0.0005 * (terms.length + 1), `${terms} is not ${total}`);
  }
});

test("the list of examples works from the keyboard", async () => {
  const { page } = await open(browser, report);
  const list = page.getByRole("listbox", { name: "Examples" });
  await list.focus();
  await list.press("ArrowDown");
  await list.press("ArrowDown");
  assert.match(await page.locator(".detail h3").innerText(), /Row 2/);
  await list.press("End");
  assert.match(await page.locator(".detail h3").innerText(), /Row 400/);
  assert.equal(await page.locator('.option[aria-selected="true"]').getAttribute("aria-posinset"), "400");
});

test("rows at the ends of the gate open in the example browser", async () => {
  const { page } = await open(browser, report);
  await page.locator(".ends .row-link").first().click();
  await page.waitForSelector(".detail .sum");
});

test("dark mode follows the system and can be switched", async () => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const { page, troubles } = await open(browser, report, { colorScheme: "dark" });
  const dark = await background();
  await page.locator(".option").first().click();
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: `${folder}/dark.png`, fullPage: true });
  await page.getByRole("button", { name: "Switch to light colours" }).click();
  assert.notEqual(await background(), dark);
  await page.screenshot({ path: `${folder}/light.png`, fullPage: true });
  assert.deepEqual(troubles, []);
});

test("on a phone nothing is wider than the screen", async () => {
  const { page, troubles } = await open(browser, report, { viewport: { width: 390, height: 844 } });
  await page.locator(".option").first().click();
  await page.waitForFunction(() => document.documentElement.scrollWidth === 390);
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: `${folder}/phone.png`, fullPage: true });
  assert.deepEqual(troubles, []);
});

test("the report can be printed", async () => {
  const { page } = await open(browser, report);
  const pdf = await page.pdf({ path: `${folder}/report.pdf`, format: "A4" });
  assert.ok(pdf.length > 20_000);
});

test("hostile strings are shown and not run", async () => {
  const hostile = ["<script>alert(1)</script>", "</script><script>alert(2)</script>", "<img src=x onerror=alert(3)>", "<!--<script>", "\"'`${alert(4)}", "javascript:alert(5)"];
  const result = sampleResult(30, hostile);
  result.title = hostile[1];
  result.verdict = hostile.join(" ");
  result.systems![0].name = hostile[2];
  result.systems![0].confusion = { [hostile[0]]: { [hostile[0]]: 1, [hostile[2]]: 2 } };
  result.commands = [hostile[1]];
  result.data!.domains[0].name = hostile[2];
  result.relatedness!.separators![0].features[0].feature = hostile[2];
  const { page, troubles } = await open(browser, makeReport("hostile", result));
  await page.locator(".option").first().click();
  await page.waitForSelector(".detail .sum");
  assert.equal(await page.locator(".sentence").innerText(), hostile.join(" "));
  assert.match(await page.locator(".detail .text").innerText(), /<script>alert\(1\)<\/script>/);
  assert.equal(await page.locator("img, script:not(#result)").count(), 1);  // the page's own script
  assert.deepEqual(troubles, []);
});

test("ten thousand rows stay fluid", async () => {
  const { page, troubles } = await open(browser, makeReport("large", sampleResult(10_000)));
  assert.match(await page.locator("#examples [role=status]").innerText(), /^10,000 of 10,000/);
  assert.ok(await page.locator(".option").count() < 40, "only the rows in sight exist");
  // Measures what the reader waits for, without the time to draw frames.
  const milliseconds = await page.evaluate(async () => {
    const list = document.querySelector(".list")!;
    const search = document.querySelector("input[type=search]") as HTMLInputElement;
    const start = performance.now();
    for (let step = 0; step < 50; ++step) {
      list.scrollTop = step * 10_000;
      list.dispatchEvent(new Event("scroll"));
    }
    search.value = "coffee broken";
    search.dispatchEvent(new Event("input"));
    return performance.now() - start;
  });
  assert.ok(milliseconds < 5000, `50 scrolls and a search took ${milliseconds} ms`);
  assert.deepEqual(troubles, []);
});
