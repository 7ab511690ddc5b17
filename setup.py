"""Builds the Python package with CMake, for the interpreter that runs this.

    python3 -m build --no-isolation --wheel      # dist/megadapt-VERSION-...whl
    pip install --no-build-isolation .

Both need no network. pyproject.toml describes the package.
"""
import os
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


class CMakeBuild(build_ext):
    """Builds the preset `python`, or uses the existing build in MEGADAPT_BUILD_DIR."""

    def run(self):
        folder = os.environ.get("MEGADAPT_BUILD_DIR")
        if not folder:
            folder = ROOT / "build" / "python"
            self.cmake("--preset", "python", f"-DPython_EXECUTABLE={sys.executable}")
        self.cmake("--build", folder, "--target", "megadapt_python")
        package = ROOT / "python" if self.inplace else pathlib.Path(self.build_lib).resolve()
        self.cmake("--install", folder, "--component", "python", "--strip", "--prefix", package)

    def cmake(self, *arguments):
        subprocess.run(["cmake", *map(str, arguments)], check=True, cwd=ROOT)


def version():
    text = (ROOT / "CMakeLists.txt").read_text()
    return re.search(r"project\(megadapt VERSION ([0-9.]+)", text).group(1)


(ROOT / "build").mkdir(exist_ok=True)
setup(
    version=version(),
    package_dir={"": "python"},
    packages=["megadapt"],
    package_data={"megadapt": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("megadapt._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
    options={"egg_info": {"egg_base": "build"}},
)
