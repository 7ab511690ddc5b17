"""Runs the command line tool: python -m megadapt."""
import os
import pathlib
import sys

PROGRAM = pathlib.Path(__file__).resolve().parent / "bin" / "megadapt"


def main():
    """Replaces this process by the program, so that signals and exit codes are the program's."""
    if not PROGRAM.exists():
        sys.exit(f"error: {PROGRAM}: this copy of the package was built without the command "
                 "line tool\nfix: build it with -DMEGADAPT_CLI=ON")
    os.execv(PROGRAM, ["megadapt", *sys.argv[1:]])


if __name__ == "__main__":
    main()
