"""scripts/check_layout passes on this tree and finds mistakes planted in a small one."""
import importlib.machinery
import importlib.util
import os
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def load_check():
    path = os.path.join(ROOT, "scripts", "check_layout")
    loader = importlib.machinery.SourceFileLoader("check_layout", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_layout", loader))
    loader.exec_module(module)
    return module


CHECK = load_check()

SOUND = {
    "src/base/CMakeLists.txt": "target_sources(megadapt PRIVATE names.cpp)\n",
    "src/base/names.cpp": '#include "base/names.hpp"\n',
    "src/base/names.hpp": "#pragma once\n",
    "src/cli/CMakeLists.txt": "add_library(cli OBJECT commands/train.cpp)\n",
    "src/cli/commands/train.cpp": '#include "base/names.hpp"\n#include "megadapt/dataset.hpp"\n',
    "include/megadapt/dataset.hpp": '#include "megadapt/error.hpp"\n',
    "include/megadapt/error.hpp": "#pragma once\n",
    "tests/base/CMakeLists.txt": "megadapt_test(base names_test.cpp)\n",
    "tests/base/names_test.cpp": '#include "base/names.hpp"\n',
}


class LayoutTest(unittest.TestCase):
    def problems(self, planted):
        with tempfile.TemporaryDirectory() as tree:
            for path, text in {**SOUND, **planted}.items():
                os.makedirs(os.path.join(tree, os.path.dirname(path)), exist_ok=True)
                with open(os.path.join(tree, path), "w", encoding="utf-8") as file:
                    file.write(text)
            return CHECK.problems(tree)

    def test_this_tree_is_sound(self):
        self.assertEqual(CHECK.problems(ROOT), [])

    def test_a_sound_tree_passes(self):
        self.assertEqual(self.problems({}), [])

    def test_a_cycle_is_caught(self):
        found = self.problems({"src/base/names.hpp": '#include "cli/commands/train.hpp"\n'})
        self.assertEqual(len(found), 1)
        self.assertIn("base includes cli/commands/train.hpp", found[0])

    def test_a_public_header_may_not_look_up_either(self):
        found = self.problems({"include/megadapt/error.hpp": '#include "megadapt/dataset.hpp"\n'})
        self.assertEqual(len(found), 1)
        self.assertIn("belongs to dataset", found[0])

    def test_an_unlisted_test_is_caught(self):
        found = self.problems({"tests/base/lost_test.cpp": ""})
        self.assertEqual(found, ["tests/base/lost_test.cpp: no CMakeLists.txt names it, so it is "
                                 "never built"])

    def test_an_unlisted_source_is_caught(self):
        self.assertEqual(len(self.problems({"src/cli/commands/tune.cpp": ""})), 1)

    def test_a_name_that_ends_like_a_listed_one_is_still_unlisted(self):
        self.assertEqual(len(self.problems({"src/base/more_names.cpp": ""})), 1)

    def test_a_folder_without_a_layer_is_caught(self):
        found = self.problems({"src/stray/CMakeLists.txt": "x.hpp\n", "src/stray/x.hpp": ""})
        self.assertIn("not in the ladder", found[0])

    def test_a_page_that_names_a_lost_header_is_caught(self):
        found = self.problems({"docs/rows.md": "See [rows](../include/megadapt/rows.hpp).\n"})
        self.assertEqual(found, ["docs/rows.md: names megadapt/rows.hpp, which does not exist"])

    def test_a_crowded_folder_is_caught(self):
        names = [f"n{i}.cpp" for i in range(31)]
        planted = {f"src/base/{name}": "" for name in names}
        planted["src/base/CMakeLists.txt"] = "\n".join(["names.cpp", *names])
        self.assertIn("make it two folders", self.problems(planted)[0])


if __name__ == "__main__":
    unittest.main()
