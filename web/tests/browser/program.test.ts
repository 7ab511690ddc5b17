// Reports that the program makes from data: `compare --report`, `curve --report`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { hostile, reviews, tagged } from "../planted.ts";
import { folder, launch, open, program, waitForCount } from "./page.ts";

let browser: Browser;
const data = join(folder, "planted");
const page = (name: string) => join(process.cwd(), folder, `${name}.html`);
const domains = ["--domain", `books=${data}.books.jsonl`, "--domain", `phones=${data}.phones.jsonl`, "--target", "phones", "--test", `${data}.test.jsonl`];

before(async () => {
  writeFileSync(`${data}.books.jsonl`, reviews(300, "books", 1));
  writeFileSync(`${data}.phones.jsonl`, reviews(60, "phones", 2));
  writeFileSync(`${data}.test.jsonl`, reviews(250, "phones", 3));
  browser = await launch();
});
after(() => browser.close());

function compare(): string {
  const html = page("compare");
  execFileSync(program, ["compare", ...domains, "--systems", "onlyi,onlyo,mix,easyadapt,megam", "--set", "rounds=5", "--set", "e-step=training", "--set", "gate=psi", "--set", "centre=zero", "--quiet", "--report", html], { stdio: ["ignore", "ignore", "inherit"] });
  return html;
}

test("compare --report shows every part of a comparison", async (t) => {
  const html = compare();
  assert.ok(statSync(html).size < 2e6 + statSync(`${data}.test.jsonl`).size);
  const { page: view, troubles } = await open(browser, html);

  await t.test("all panels are there, with their charts", async () => {
    assert.deepEqual(await view.locator("section h2").allTextContents(), ["Systems", "Test rows", "General or specific rows", "How training went",
      "How sure the systems are", "Which labels are confused", "How related the domains are", "Settings that were tried", "Data", "Where this comes from"]);
    for (const id of ["gate", "convergence", "reliability"]) await view.waitForSelector(`#${id} svg`);
    assert.match(await view.locator(".sentence").innerText(), /\w+/);
    await waitForCount(view, "#reliability svg", 5);
    assert.match(await view.locator("#relatedness").innerText(), /AUC[\s\S]*KL divergence[\s\S]*What tells books from phones/);
    assert.match(await view.locator("#data").innerText(), /books training[\s\S]*phones test/);
    assert.match(await view.locator("#provenance").innerText(), /megadapt compare --domain/);
  });
  await t.test("the table sorts", async () => {
    const accuracies = async () => (await view.locator("table.systems tbody tr td:nth-child(2)").allTextContents()).map(parseFloat);
    const falling = await accuracies();
    assert.deepEqual(falling, [...falling].sort((a, b) => b - a));
    await view.getByRole("button", { name: "Accuracy" }).click();
    assert.deepEqual(await accuracies(), [...falling].reverse());
  });
  await t.test("filter, search and click explain a row", async () => {
    await view.getByLabel("Outcome").selectOption("wrong");
    assert.equal(await view.locator(".option .outcome.right").count(), 0);
    await view.getByLabel("Outcome").selectOption("all");
    await view.getByLabel("Search").fill("great");
    for (const text of await view.locator(".option .clip").allInnerTexts()) assert.match(text, /great/);
    await view.locator(".option").first().click();
    await view.waitForSelector(".detail .sum");
    for (const sum of await view.locator(".detail .sum").all()) {
      const terms = (await sum.locator(".bars td.number").allTextContents()).map((text) => Number(text.replace("−", "-")));
      const total = Number((await sum.locator(".total .number").innerText()).replace("−", "-"));
      assert.ok(Math.abs(terms.reduce((a, b) => a + b, 0) - total) < 0.0006 * (terms.length + 1), `${terms} is not ${total}`);
    }
  });
  await t.test("names that look like HTML are text", async () => {
    await view.getByLabel("Search").fill("onerror");
    await view.locator(".option").first().click();
    assert.ok((await view.locator(".detail .text").innerText()).includes(hostile[2]));
    assert.equal(await view.locator("img, script:not(#result)").count(), 1);  // the page's own script
    await view.getByLabel("Search").fill("");
  });
  await t.test("light, dark and a phone", async () => {
    await view.evaluate(() => scrollTo(0, 0));
    await view.screenshot({ path: `${folder}/compare-light.png`, fullPage: true });
    await view.getByRole("button", { name: "Switch to dark colours" }).click();
    await view.screenshot({ path: `${folder}/compare-dark.png`, fullPage: true });
    await view.setViewportSize({ width: 390, height: 844 });
    await view.waitForFunction(() => document.documentElement.scrollWidth === 390);  // until the plot is redrawn
    await view.evaluate(() => scrollTo(0, 0));
    await view.screenshot({ path: `${folder}/compare-phone.png`, fullPage: true });
  });
  assert.deepEqual(troubles, []);
});

test("a cross-validated report explains the models that were tested, and its row numbers are those of the file", async () => {
  const html = page("folds");
  execFileSync(program, ["compare", ...domains.slice(0, 6), "--folds", "3", "--systems", "onlyi,prior,easyadapt", "--quiet", "--report", html], { stdio: ["ignore", "ignore", "inherit"] });
  const { page: view, troubles } = await open(browser, html);
  const rows = readFileSync(`${data}.phones.jsonl`, "utf8").trim().split("\n").map((line) => JSON.parse(line));
  for (const place of [0, 1, 2, 3, 4, 5, 6]) {
    const option = view.locator(".option").nth(place);
    const listed = (await option.locator(".sub").innerText()).match(/→ (\w+) ([\d.]+%)/)!;
    await option.click();
    await view.waitForSelector(".detail .explanation .bars");
    const chosen = await view.locator(".detail .explanation .bars").first().locator("tr.chosen").innerText();
    assert.deepEqual(chosen.split(/\s+/).filter(Boolean), [listed[1], listed[2]], "explained and tested probability");
    const number = Number((await view.locator(".detail h3").first().innerText()).match(/Row (\d+)/)![1]);
    const shown = await view.locator(".detail .text").innerText();
    for (const feature of rows[number - 1].features) assert.ok(shown.includes(feature), `row ${number} has ${feature}`);
  }
  assert.deepEqual(troubles, []);
});

test("curve --report shows the curves, and so does report of its JSON", async () => {
  const html = page("curve"), json = join(folder, "curve.json");
  const printed = execFileSync(program, ["curve", ...domains, "--systems", "onlyo,mix,megam", "--repeats", "3", "--tune", "none", "--quiet", "--json", "--report", html]);
  writeFileSync(json, printed);
  execFileSync(program, ["report", json, "-o", page("curve-json")]);
  const { page: view, troubles } = await open(browser, html);
  assert.deepEqual(await view.locator("section h2").allTextContents(), ["Learning curves", "How related the domains are", "Data", "Where this comes from"]);
  await view.waitForSelector("#curves svg");
  const systems = JSON.parse(readFileSync(json, "utf8")).curves.length;
  assert.equal(systems, 4);  // onlyi is added
  await waitForCount(view, "#curves svg path", 2 * systems);  // a band and a line each
  await view.getByRole("button", { name: "megam" }).click();
  await waitForCount(view, "#curves svg path", 2 * (systems - 1));
  await view.getByRole("button", { name: "megam" }).click();
  await view.evaluate(() => scrollTo(0, 0));
  await view.screenshot({ path: `${folder}/curve-light.png`, fullPage: true });
  await view.setViewportSize({ width: 390, height: 844 });
  await view.waitForFunction(() => document.documentElement.scrollWidth === 390);  // until the plot is redrawn
  await view.screenshot({ path: `${folder}/curve-phone.png`, fullPage: true });
  assert.deepEqual(troubles, []);
  const stored = await open(browser, page("curve-json"), { colorScheme: "dark" });
  await stored.page.waitForSelector("#curves svg");
  await stored.page.screenshot({ path: `${folder}/curve-dark.png`, fullPage: true });
  assert.deepEqual(stored.troubles, []);
});

interface Listed { rows: { text: string[]; labels: string[]; explained: string; predicted: Record<string, { label: number[]; probability: number[] }>; explanations: { label: string; probability: number }[] } }

for (const tested of ["test rows", "folds"]) {
  test(`texts are shown as they were, with the probabilities that were tested: ${tested}`, async () => {
    const table = (lines: string, source: string) => writeFileSync(`${data}.${source}.csv`, `label,text\n${lines.trim().split("\n").map((line) => {
      const { label, features } = JSON.parse(line);
      return `${label},"It's ${features.filter((name: string) => /^\w+$/.test(name)).join(", ").toUpperCase()}!"`;
    }).join("\n")}\n`);
    table(reviews(200, "books", 7), "books");
    table(reviews(60, "phones", 8), "phones");
    table(reviews(80, "phones", 9), "test");
    const html = page(`texts-${tested.split(" ")[0]}`);
    execFileSync(program, ["compare", "--domain", `books=${data}.books.csv`, "--domain", `phones=${data}.phones.csv`, "--target", "phones",
      ...(tested === "folds" ? ["--folds", "3"] : ["--test", `${data}.test.csv`]), "--systems", "onlyi,mix,prior,megam", "--quiet", "--report", html], { stdio: ["ignore", "ignore", "inherit"] });
    assert.ok(statSync(html).size < 3e6);
    const { page: view, troubles } = await open(browser, html);
    const { rows }: Listed = JSON.parse(await view.locator("#result").textContent() ?? "");
    const { label, probability } = rows.predicted[rows.explained];
    rows.explanations.forEach((each, row) => {
      assert.equal(each.label, rows.labels[label[row]]);
      assert.ok(Math.abs(each.probability - probability[row]) < 1e-3, `row ${row}: ${each.probability} is not ${probability[row]}`);
    });
    await view.locator(".option").nth(1).click();
    assert.match(await view.locator(".detail .text").innerText(), /^It's [A-Z0-9, ]+!$/);
    assert.equal(await view.locator(".detail .text").innerText(), rows.text[1]);
    assert.ok(await view.locator(".detail .text .word").count() > 0);
    assert.deepEqual(troubles, []);
  });
}

test("tagged tokens are shown in their sentences, with the previous tag", async () => {
  writeFileSync(`${data}.news.conll`, tagged(40, 4));
  writeFileSync(`${data}.mail.conll`, tagged(15, 5));
  writeFileSync(`${data}.test.conll`, tagged(20, 6));
  const html = page("tagger");
  execFileSync(program, ["compare", "--task", "pos", "--domain", `news=${data}.news.conll`, "--domain", `mail=${data}.mail.conll`, "--target", "mail",
    "--test", `${data}.test.conll`, "--systems", "onlyi,megam", "--no-tuning", "--quiet", "--report", html], { stdio: ["ignore", "ignore", "inherit"] });
  const { page: view, troubles } = await open(browser, html);
  await view.locator(".option").nth(1).click();
  await view.waitForSelector(".detail .sum");
  assert.match(await view.locator(".detail .text").innerText(), /^\w+ \[\w+\] \w+/);
  assert.match(await view.locator(".detail .explanation").innerText(), /the tag before is DET/);
  assert.match(await view.locator(".detail .explanation").innerText(), /tag\[-1\]=DET/);
  await view.screenshot({ path: `${folder}/tagger.png`, fullPage: true });
  assert.deepEqual(troubles, []);
});
