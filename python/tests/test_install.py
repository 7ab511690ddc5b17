"""pip install into a virtual environment of the system's interpreter, without a network."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_pip_install(tmp_path):
    program = os.environ.get("MEGADAPT_PROGRAM", ROOT / "build" / "release" / "megadapt")
    # Use the existing build: compiling the library again would prove nothing.
    environment = os.environ | {"MEGADAPT_BUILD_DIR": str(pathlib.Path(program).parent)}
    environment.pop("PYTHONPATH", None)

    def run(*command):
        done = subprocess.run(list(map(str, command)), cwd=tmp_path, env=environment,
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run(sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "--no-index", "--no-build-isolation",
        "--disable-pip-version-check", ROOT)
    out = run(python, "-c", "import megadapt; print(megadapt.__file__); "
              "print(megadapt.MixClassifier().fit([[0], [1]], ['a', 'b']).predict([[1]])[0])")
    assert str(tmp_path) in out.splitlines()[0] and out.splitlines()[1] == "b"
    run(python, "-m", "pip", "uninstall", "-y", "megadapt")
