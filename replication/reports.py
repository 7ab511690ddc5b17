"""Writes one HTML page per task from megadapt's own output."""
import subprocess

from steps import relative, save
from tasks import MEGADAPT, ROOT


def write_report(task, results, work):
    table = dict(results.step(f"{task['name']}/compare"))
    table["title"] = f"{task['title']}: replication of Daumé & Marcu (2006)"
    table |= results.step(f"{task['name']}/curve") or {}
    table["verdict"] = results.step(f"{task['name']}/compare")["verdict"]
    table["best"] = results.step(f"{task['name']}/compare")["best"]
    table["relatedness"] = results.step(f"{task['name']}/relate")
    steps = results.step(f"{task['name']}/convergence")
    if steps:
        table["trace"] = {"system": "megam", "steps": steps}
    merged = work / task["name"] / "report.json"
    save(merged, table)
    page = work / f"{task['name']}.html"
    subprocess.run([MEGADAPT, "report", relative(merged), "-o", relative(page), "--quiet"],
                   cwd=ROOT, check=True)
    return page
