"""What scripts/package builds from is consistent; scripts/package --check tries the packages."""
import pathlib
import re
import subprocess
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


def group(name):
    """The packages of a group of scripts/packages.txt."""
    section = text_of("scripts/packages.txt").split(f"\n[{name}]\n")[1].split("\n[")[0]
    return {line for line in section.splitlines() if line and line[0] != "#"}


def field(name, paragraph):
    """The package names in a field of a paragraph of debian/control."""
    match = re.search(rf"^{name}:\n((?: .*\n)+)", paragraph, re.MULTILINE)
    names = [line.strip().rstrip(",").split(" ")[0] for line in match[1].splitlines()]
    return {name for name in names if not name.startswith("${")}


def paragraph(package):
    for part in text_of("debian/control").split("\n\n"):
        if re.search(rf"^(Package|Source): {package}$", part, re.MULTILINE):
            yield part.rstrip("\n") + "\n"


class PackagesTest(unittest.TestCase):
    VERSION = re.search(r"^project\(megadapt VERSION ([0-9.]+)", text_of("CMakeLists.txt"),
                        re.MULTILINE)[1]

    def test_versions_agree(self):
        debian = re.match(r"megadapt \(([^)]+)\)", text_of("debian/changelog"))[1]
        self.assertEqual(debian, self.VERSION, "debian/changelog")
        newest = re.search(r"^## .*?([0-9]+\.[0-9]+\.[0-9]+)", text_of("CHANGELOG.md"),
                           re.MULTILINE)[1]
        self.assertEqual(newest, self.VERSION, "CHANGELOG.md")

    def test_the_wheel_has_no_version_of_its_own(self):
        project = tomllib.loads(text_of("pyproject.toml"))["project"]
        self.assertNotIn("version", project)
        self.assertIn("version", project["dynamic"])

    def test_setup_installs_what_the_packages_are_built_with(self):
        wanted = field("Build-Depends", next(paragraph("megadapt")))
        provided = {"debhelper-compat": "debhelper", "dh-sequence-python3": "dh-python"}
        # Debian takes build-essential for granted, and dpkg-buildpackage asks for it.
        wanted = {provided.get(name, name) for name in wanted} | {"build-essential"}
        self.assertLessEqual(wanted, group("demo") | group("python") | group("package"))

    def test_the_library_depends_on_what_its_config_file_looks_for(self):
        config = text_of("cmake/megadaptConfig.cmake.in")
        packages = {"fmt": "libfmt-dev", "TBB": "libtbb-dev", "ZLIB": "zlib1g-dev",
                    "OpenSSL": "libssl-dev", "PkgConfig": "pkg-config", "libzstd": "libzstd-dev",
                    "icu-uc": "libicu-dev", "Threads": None}
        found = re.findall(r"find_dependency\((\w+)", config)
        found += re.findall(r"IMPORTED_TARGET ([\w-]+)\)", config)
        wanted = {packages[name] for name in found} - {None} | {"libstemmer-dev"}
        self.assertEqual(field("Depends", next(paragraph("libmegadapt-dev"))), wanted)

    def test_every_python_file_is_installed(self):
        listed = re.search(r"set\(modules ([^)]*)\)", text_of("python/CMakeLists.txt"))[1].split()
        files = [file.name for file in (ROOT / "python" / "megadapt").iterdir() if file.is_file()]
        self.assertEqual(sorted(listed), sorted(files))

    def test_autopkgtest_runs_every_test(self):
        named = set(re.findall(r"^Tests: (.*)$", text_of("debian/tests/control"), re.MULTILINE))
        scripts = {file for file in (ROOT / "debian" / "tests").iterdir() if file.name != "control"}
        self.assertEqual(named, {file.name for file in scripts} - {"rows"})
        for script in scripts:
            self.assertTrue(script.stat().st_mode & 0o100, f"{script} is not executable")

    def test_the_alternative_leads_to_the_program_and_its_page(self):
        program = re.search(r"OUTPUT_NAME (\S+)", text_of("src/megam/CMakeLists.txt"))[1]
        alternative = text_of("debian/megadapt.alternatives")
        self.assertIn(f"Alternative: /usr/bin/{program}\n", alternative)
        self.assertIn(f" /usr/share/man/man1/{program}.1.gz\n", alternative)

    def test_the_first_screen_of_the_readme_says_how_to_install(self):
        screen = text_of("README.md").split("\n## ")[0].splitlines()
        self.assertLess(len(screen), 30)
        commands = [line.strip().split("  #")[0].strip() for line in screen if line.startswith("    ")]
        self.assertEqual([command.split()[0] for command in commands],
                         ["sudo", "pip", "tar", "scripts/demo", "scripts/test"])

    def test_an_unknown_word_is_refused(self):
        done = subprocess.run([ROOT / "scripts" / "package", "rpm"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("usage: scripts/package", done.stderr)


if __name__ == "__main__":
    unittest.main()
