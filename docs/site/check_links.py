"""Checks the built site: check_links.py FOLDER

Every link and every source of an image, script or style that does not name a host must lead to
a file of the folder, and what follows a # to an element of that page. Nothing may be loaded from
another host, and no script may be a module, which browsers do not load from files: so the site
works offline.
"""
import html.parser
import pathlib
import re
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """Collects the links and the anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loaded, self.anchors = [], [], {""}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.anchors |= {values.get("id"), values.get("name")} - {None}
        if tag in ("img", "script", "iframe", "source") and values.get("src"):
            self.loaded.append(values["src"])
        if tag == "link" and values.get("href") and values.get("rel") == "stylesheet":
            self.loaded.append(values["href"])
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])


def is_outside(link):
    return bool(urllib.parse.urlsplit(link).scheme)


class Site:
    def __init__(self, folder):
        self.folder = folder
        self.pages = {}

    def page(self, path):
        if path not in self.pages:
            self.pages[path] = Page(path.read_text(encoding="utf-8"))
        return self.pages[path]

    def problem(self, page, link):
        """Returns what is wrong with a link of a page, or None."""
        parts = urllib.parse.urlsplit(link)
        path = (page.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else page
        if not path.is_relative_to(self.folder) or not path.is_file():
            return "there is no such file"
        anchor = urllib.parse.unquote(parts.fragment)
        if path.suffix == ".html" and anchor not in self.page(path).anchors:
            return "the page has no such anchor"
        return None

    def style_problems(self):
        for path in sorted(self.folder.rglob("*.css")):
            for link in re.findall(r"""url\(['"]?([^)'"]+)""", path.read_text(encoding="utf-8")):
                if link.startswith("data:"):
                    continue
                if is_outside(link) or (why := self.problem(path, link)):
                    why = "is loaded from another host" if is_outside(link) else why
                    yield f"{path.relative_to(self.folder)}: {link}: {why}"

    def script_problems(self):
        for path in sorted(self.folder.rglob("*.js")):
            if re.search(r"^(import|export) ", path.read_text(encoding="utf-8"), re.MULTILINE):
                yield f"{path.relative_to(self.folder)}: is a module"

    def problems(self):
        yield from self.style_problems()
        yield from self.script_problems()
        for path in sorted(self.folder.rglob("*.html")):
            if path.parent.name == "reports":  # written by the program, which has its own tests
                continue
            name = path.relative_to(self.folder)
            page = self.page(path)
            for link in page.loaded:
                if is_outside(link) and not link.startswith("data:"):
                    yield f"{name}: {link}: is loaded from another host"
            for link in page.links + page.loaded:
                if not is_outside(link) and (why := self.problem(path, link)):
                    yield f"{name}: {link}: {why}"


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    site = Site(folder)
    problems = list(site.problems())
    print("\n".join(problems), file=sys.stderr, end="\n" if problems else "")
    links = sum(len(page.links) for page in site.pages.values())
    print(f"{len(site.pages)} pages with {links} links, {len(problems)} of them broken")
    sys.exit(1 if problems or not site.pages else 0)


if __name__ == "__main__":
    main()
