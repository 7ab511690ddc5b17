// One page for two purposes: the report if data was written into the page, otherwise the
// explorer of `megadapt serve`.
import { h, replace } from "./dom.ts";
import { showExplorer } from "./explorer.ts";
import { showReport } from "./report.ts";

const page = document.getElementById("page")!;
const data = document.getElementById("result")!.textContent!.trim();
if (data === "") {
  showExplorer(page);
} else {
  try {
    showReport(page, JSON.parse(data));
  } catch (error) {
    replace(page, h("main", { class: "broken" }, h("h1", {}, "This report cannot be shown"), h("p", {}, String(error))));
    throw error;
  }
}
