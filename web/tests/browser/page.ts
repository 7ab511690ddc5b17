// Opens a report in Chromium. Everything that the page logs, and every request except for
// the file itself, is recorded: a report must cause neither.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import type { Result } from "../../src/result.ts";

export const folder = process.env.MEGADAPT_WEB_TEST_FOLDER ?? "build/web-test";
export const program = process.env.MEGADAPT ?? "build/release/megadapt";
mkdirSync(folder, { recursive: true });

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run"],
  });
}

/// Writes the report with the program; returns its path.
export function makeReport(name: string, result: Result): string {
  const json = join(folder, `${name}.json`), html = join(process.cwd(), folder, `${name}.html`);
  writeFileSync(json, JSON.stringify(result));
  execFileSync(program, ["report", json, "-o", html]);
  return html;
}

export interface Opened { page: Page; troubles: string[] }

export async function open(browser: Browser, file: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on("console", (message) => troubles.push(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => troubles.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => { troubles.push(`dialog: ${dialog.message()}`); void dialog.dismiss(); });
  page.on("request", (request) => {
    if (request.url() !== `file://${file}` && !request.url().startsWith("data:")) troubles.push(`request: ${request.url()}`);
  });
  await page.goto(`file://${file}`);
  await page.waitForSelector(".sentence");
  return { page, troubles };
}

/// Charts are drawn after the page is laid out, so that a test must wait for what is in them.
export async function waitForCount(page: Page, selector: string, count: number): Promise<void> {
  await page.waitForFunction(([wanted, number]) => document.querySelectorAll(wanted).length === number, [selector, count] as const);
}
