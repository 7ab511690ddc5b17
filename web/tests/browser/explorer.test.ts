// The live explorer against a server that answers as `megadapt serve` does.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { sampleResult } from "../sample.ts";
import { folder, launch } from "./page.ts";

const files: Record<string, [string, string]> = { "/": ["index.html", "text/html"], "/app.js": ["app.js", "text/javascript"], "/app.css": ["app.css", "text/css"] };
const model = { system: "megaloo", task: "", target: "kitchen", labels: ["negative", "positive"], features: 44021, created_by: "megadapt 0.1.0",
  domains: { books: { examples: 1956, general_share: 0.8 }, kitchen: { examples: 200, general_share: 0.83 } } };

// Explanations with names in place of ids, as the server sends them.
function answer(body: string): [number, unknown] {
  const { rows, label } = JSON.parse(body);
  if (rows.some((row: { features?: string[] }) => row.features?.includes("refuse"))) {
    return [400, { error: { status: 400, problem: "a feature has an empty name", fix: "give every feature a name" } }];
  }
  const sample = sampleResult(1).rows!;
  const named = JSON.parse(JSON.stringify(sample.explanations![0]), (_, value) =>
    Array.isArray(value) && value.length === 2 && typeof value[0] === "number" ? { feature: sample.features[value[0]], value: 1, contribution: value[1] } : value);
  return [200, { rows: rows.map(() => ({ ...named, ...(label && { label }), unseen: ["<b>new</b>"] })) }];
}

let server: Server, browser: Browser, address: string;
const bodies: string[] = [];

before(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => { body += part; });
    request.on("end", () => {
      const file = files[request.url ?? ""];
      if (file) {
        response.writeHead(200, { "Content-Type": file[1] }).end(readFileSync(`build/release/web/${file[0]}`));
        return;
      }
      if (request.method === "POST") bodies.push(body);
      const [status, json] = request.url === "/v1/model" ? [200, model] : request.url === "/v1/explain" ? answer(body) : [404, {}];
      response.writeHead(status as number, { "Content-Type": "application/json" }).end(JSON.stringify(json));
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  browser = await launch();
});
after(async () => {
  await browser.close();
  server.close();
});

async function openExplorer(): Promise<{ page: Page; troubles: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const troubles: string[] = [];
  page.on("console", (message) => { if (!/status of 400/.test(message.text())) troubles.push(message.text()); });
  page.on("pageerror", (error) => troubles.push(error.message));
  await page.goto(address);
  await page.waitForSelector("textarea");
  return { page, troubles };
}

test("typed rows are predicted and explained", async () => {
  const { page, troubles } = await openExplorer();
  assert.match(await page.locator(".facts").innerText(), /megaloo[\s\S]*kitchen/);
  await page.locator("textarea").fill("good pan\nbad story");
  await page.waitForSelector(".answer");
  assert.equal(await page.locator(".answer").count(), 2);
  assert.deepEqual(JSON.parse(bodies[bodies.length - 1]).rows, [{ features: ["good", "pan"] }, { features: ["bad", "story"] }]);
  await page.locator(".answer").nth(1).click();
  assert.equal(await page.locator(".answer").nth(1).getAttribute("aria-pressed"), "true");
  assert.ok(await page.locator(".explanation .sum").count() >= 2);
  assert.match(await page.locator(".explanation").innerText(), /<b>new<\/b>/);
  await page.screenshot({ path: `${folder}/explorer.png`, fullPage: true });
  assert.deepEqual(troubles, []);
});

test("choices are sent along, and what the server refuses is said", async () => {
  const { page, troubles } = await openExplorer();
  await page.getByLabel("Read as").selectOption("text");
  await page.getByLabel("Domain").selectOption("books");
  await page.getByLabel("Explain").selectOption("negative");
  await page.locator("textarea").fill("A good pan");
  await page.waitForSelector(".answer");
  const { rows, label } = JSON.parse(bodies[bodies.length - 1]);
  assert.deepEqual({ rows, label }, { rows: [{ text: "A good pan", domain: "books" }], label: "negative" });
  await page.getByLabel("Read as").selectOption("features");
  await page.locator("textarea").fill("refuse");
  await page.waitForSelector("[role=status].warning");
  assert.match(await page.locator("[role=status]").innerText(), /empty name; give every feature a name/);
  assert.deepEqual(troubles, []);
});
