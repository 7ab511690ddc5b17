import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { sampleResult } from "../sample.ts";
import { folder, launch, makeReport, open } from "./page.ts";

let browser: Browser;
let report: string;

before(async () => {
  browser = await launch();
  report = makeReport("report", sampleResult(400));
});
after(() => browser.close());

const panels = ["Systems", "Learning curves", "Test rows", "General or specific rows", "How training went", "How sure the systems are",
  "Which labels are confused", "How related the domains are", "Settings that were tried", "Data", "Where this comes from"];

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
  assert.match(await status.innerText(), /^400 of 400 rows/);
  await page.getByLabel("Outcome").selectOption("wrong");
  const [, wrong, same] = /^(\d+) of 400 rows; pool has (\d+) wrong/.exec(await status.innerText())!;
  assert.equal(wrong, same);
  assert.equal(await page.locator(".option .outcome.right").count(), 0);
  await page.getByLabel("True label").selectOption("positive");
  await page.getByLabel("Search").fill("battery");
  for (const text of await page.locator(".option .body").allInnerTexts()) assert.match(text, /positive → negative/);
  await page.getByLabel("Search").fill("no such word");
  assert.match(await status.innerText(), /No row passes/);
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
  const list = page.getByRole("listbox", { name: "Test rows" });
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

// Opens everything that can be opened; returns the tables that do not fit.
async function tooWide(page: Page): Promise<string[]> {
  await page.evaluate(() => document.querySelectorAll("details").forEach((each) => { each.open = true; }));
  await page.waitForFunction(() => [...document.querySelectorAll("details.numbers")].every((each) => each.childElementCount > 1));
  return page.evaluate(() => [...document.querySelectorAll(".scroll")].filter((each) => each.scrollWidth > each.clientWidth + 1)
    .map((each) => `${each.getAttribute("aria-label")}: ${each.scrollWidth} > ${each.clientWidth}`));
}

test("every table fits a laptop and a phone", async () => {
  const result = sampleResult(60);
  const labels = Array.from({ length: 12 }, (_, at) => `section-${at}`);
  result.systems![0].confusion = Object.fromEntries(labels.map((gold) => [gold, Object.fromEntries(labels.map((other) => [other, gold === other ? 120 : 3]))]));
  const tags = ["B", "I", "O", "OTHER"];
  result.systems![1].confusion = Object.fromEntries(tags.map((gold) => [gold, Object.fromEntries(tags.map((other) => [other, gold === other ? 11800 : 330]))]));
  result.systems![1].tried![0].settings = { "easyadapt.prior-exponent": 0.6, "easyadapt.specific-variance": 0.027, "prior.source-variance": 3.4 };
  result.best = "easyadapt";  // the longest name, in bold type
  for (const pair of result.pairs!) pair.p_holm = 0.5;  // "may be chance" is the widest mark
  const file = makeReport("tables", result);
  for (const width of [1280, 390]) {
    const { page } = await open(browser, file, { viewport: { width, height: 900 } });
    await page.locator(".option").first().click();
    for (const { name } of result.systems!.slice(0, 2)) {
      await page.locator("#confusion select").selectOption(name);
      assert.deepEqual(await tooWide(page), [], `${name} at ${width} pixels`);
    }
  }
});

test("numbers on the axes do not touch each other", async () => {
  const result = sampleResult(20);
  const [first] = result.trace!.steps;
  result.trace!.steps = Array.from({ length: 20 }, (_, at) => at + 1).flatMap((round) => ["e", "pi", "lambda", "psi"].map((step) => ({ ...first, round, step })));
  const file = makeReport("ticks", result);
  for (const width of [1280, 390]) {
    const { page } = await open(browser, file, { viewport: { width, height: 900 } });
    await page.waitForSelector(".chart svg .tick-label");
    const touching = await page.evaluate(() => [...document.querySelectorAll(".chart svg")].flatMap((svg) => {
      const all = [...svg.querySelectorAll(".tick-label")].map((each) => ({ text: each.textContent, box: each.getBoundingClientRect() }));
      return all.flatMap((a, at) => all.slice(at + 1)
        .filter((b) => a.box.left < b.box.right + 1 && b.box.left < a.box.right + 1 && a.box.top < b.box.bottom - 4 && b.box.top < a.box.bottom - 4)
        .map((b) => `${a.text} and ${b.text} of ${svg.getAttribute("aria-label")}`));
    }));
    assert.deepEqual(touching, [], `at ${width} pixels`);
  }
});

test("evidence is below the verdict, and each system says what it is", async () => {
  const result = sampleResult(10);
  result.verdict = "Ship prior: 53.2% right, 5.8 points more than pooling everything (mix).";
  result.evidence = ["Tested on 10 rows.", "Better than onlyo."];
  result.complete = false;
  result.systems![0].summary = "rows of the source alone";
  const { page } = await open(browser, makeReport("evidence", result));
  assert.equal(await page.locator(".sentence").innerText(), result.verdict);
  assert.deepEqual(await page.locator(".evidence li").allInnerTexts(), result.evidence);
  assert.match(await page.locator(".unfinished").innerText(), /^unfinished/);
  assert.match(await page.locator(".meanings").innerText(), /onlyo\s+rows of the source alone/);
  await page.locator(`tr[data-system=${result.systems![0].name}] .system`).hover();
  assert.match(await page.locator(".tooltip").innerText(), /rows of the source alone/);
});

test("a tagger of spans is judged by span F1", async () => {
  const result = sampleResult(10);
  for (const system of result.systems!) {
    system.f1 = 1 - system.accuracy;
    system.span_interval = [system.f1 - 0.01, system.f1 + 0.01];
  }
  result.best = "onlyo";
  const { page } = await open(browser, makeReport("spans", result));
  assert.equal(await page.locator("table.systems tbody th").first().innerText(), "onlyo");
  assert.match(await page.locator(".tile").first().innerText(), /25.1%\s+span F1 of onlyo/);
});

test("the text is shown as it was, its words coloured by what they add", async () => {
  const result = sampleResult(10);
  const rows = result.rows!;
  rows.text = rows.gold.map(() => "The Battery, sadly: not GOOD at all!");
  rows.active = rows.gold.map(() => []);
  const explanation = rows.explanations![0]!;
  const id = (name: string) => rows.features.indexOf(name);
  explanation.model = { name: "mix", kind: "maxent", weight: 1, probabilities: explanation.probabilities, log_odds: 0.4,
    contributions: [[id("good"), 0.9], [id("battery"), -0.5]] };
  const { page, troubles } = await open(browser, makeReport("texts", result));
  assert.equal(await page.locator(".option .clip").first().innerText(), rows.text[0]);
  await page.locator(".option").first().click();
  assert.equal(await page.locator(".detail .text").innerText(), rows.text[0]);
  assert.deepEqual(await page.locator(".detail .text .plus").allInnerTexts(), ["GOOD"]);
  assert.deepEqual(await page.locator(".detail .text .minus").allInnerTexts(), ["Battery"]);
  await page.getByLabel("Search").fill("sadly");
  assert.equal(await page.locator(".option").count(), 10);
  assert.deepEqual(troubles, []);
});

test("rows show what the gate says only beside the system that has the gate", async () => {
  const { page } = await open(browser, report);
  const row = page.locator(".option").first();
  assert.doesNotMatch(await row.innerText(), /general/);  // of the best system
  assert.equal(await page.getByLabel("P(general) of megam").count(), 1);
  await page.locator("#examples select").first().selectOption("megam");
  assert.match(await row.innerText(), /general/);
});

test("a gate that says the same of every row gets no panel and no filter", async () => {
  const result = sampleResult(20);
  result.rows!.general = result.rows!.general!.map(() => 0.61);
  const { page } = await open(browser, makeReport("constant-gate", result));
  assert.equal(await page.locator("#gate").count(), 0);
  assert.equal(await page.getByLabel("P(general)").count(), 0);
  assert.doesNotMatch(await page.locator(".option").first().innerText(), /general/);
});

test("shares that stay as they are get no chart", async () => {
  const varying = await open(browser, makeReport("varying-shares", sampleResult(4)));
  assert.equal(await varying.page.getByText("How much of each domain is general").count(), 1);
  const result = sampleResult(4);
  for (const step of result.trace!.steps) step.general_share = { books: 0.5, kitchen: 0.51 };
  const { page } = await open(browser, makeReport("flat-shares", result));
  assert.equal(await page.getByText("How much of each domain is general").count(), 0);
  assert.equal(await page.getByText("Objective after each sub-step").count(), 1);
});

test("all labels are shown, or how many are hidden", async () => {
  const result = sampleResult(4);
  const rows = result.rows!;
  rows.labels = Array.from({ length: 25 }, (_, at) => `label ${at}`);
  rows.explanations![0]!.probabilities = rows.labels.map(() => 0.04);
  const { page } = await open(browser, makeReport("labels", result));
  await page.locator(".option").first().click();
  assert.match(await page.locator(".explanation .bars").first().innerText(), /\(15 other labels\)\s+60.0%/);
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
