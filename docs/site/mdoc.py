"""Turns a manual page of the program into Markdown.

The program writes its pages from the option table, with the few macros of mdoc that are known
here; any other is an error.
"""
import re

QUOTED = re.compile(r'"([^"]*)"|(\S+)')


def plain(text):
    """Returns roff text without its escapes."""
    return text.replace(r"\-", "-").replace(r"\&", "").replace(r"\e", "\\")


def words(text):
    return [plain(quoted or bare) for quoted, bare in QUOTED.findall(text)]


def prose(text):
    """Returns text with the characters escaped that Markdown would take for markup."""
    return re.sub(r"([\\`*_<>\[\]|$])", r"\\\1", plain(text))


class Page:
    """Collects the lines of one page."""

    def __init__(self):
        self.lines = []
        self.literal = False
        self.item = False  # the next text describes an option
        self.in_paragraph = False  # the next text goes on with the last line

    def text(self, line):
        if self.literal:
            self.lines.append(plain(line))
        elif self.item:
            self.lines.append(": " + prose(line))
            self.item = False
        elif self.lines and self.in_paragraph:
            # A line of its own might begin with what Markdown takes for a list: "1)".
            self.lines[-1] += " " + prose(line)
        else:
            self.lines.append(prose(line))
        self.in_paragraph = not self.literal

    def macro(self, name, rest):
        self.in_paragraph = False
        if name in ("Sh", "Ss"):
            title = plain(rest)
            title = title.capitalize() if title.isupper() else title
            self.lines += ["", f"{'##' if name == 'Sh' else '###'} {title}", ""]
        elif name == "It":
            parts = [word for word in words(rest) if word not in ("Sy", "Ar")]
            self.lines += ["", f"`{' '.join(parts)}`"]
            self.item = True
        elif name == "Bd":
            self.lines += ["", "```none"]
            self.literal = True
        elif name == "Ed":
            self.lines += ["```", ""]
            self.literal = False
        elif name == "Nm":
            if rest:
                self.lines += ["```none", plain(rest), "```"]
        elif name in ("Bl", "El", "Pp"):
            self.lines.append("")
        else:
            raise ValueError(f"the macro .{name} is not known to docs/site/mdoc.py")


def sections(text):
    """Returns the (title, lines) of the sections of a page."""
    found = []
    for line in text.splitlines():
        if line.startswith(".Sh "):
            found.append((line[4:], []))
        elif found:
            found[-1][1].append(line)
    return found


def markdown(text, left_out=("NAME", "SEE ALSO")):
    """Returns a manual page as Markdown, without the sections `left_out` and without a title."""
    page = Page()
    for title, lines in sections(text):
        if title in left_out:
            continue
        page.macro("Sh", title)
        for line in lines:
            if line.startswith("."):
                name, _, rest = line[1:].partition(" ")
                page.macro(name, rest)
            else:
                page.text(line)
    return "\n".join(page.lines) + "\n"


def purpose(text):
    """Returns what the page says after the name of the command."""
    return plain(re.search(r"^\.Nd (.*)$", text, re.MULTILINE).group(1))
