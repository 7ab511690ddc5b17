"""Writes the type stub of megadapt.classifiers, whose parameters come from the option table.

    python/stubs/make_stubs.py classifiers.pyi
"""
import inspect
import sys

from megadapt.classifiers import BY_SYSTEM


def stub(cls):
    """Returns the class with its attributes and its constructor."""
    parameters = list(inspect.signature(cls).parameters.values())
    lines = [f"class {cls.__name__}(DomainClassifier):"]
    lines += [f"    {p.name}: {p.annotation}" for p in parameters]
    arguments = ", ".join(f"{p.name}: {p.annotation} = ..." for p in parameters)
    return "\n".join([*lines, f"    def __init__(self, {arguments}) -> None: ...", ""])


def main(path):
    head = ("# Made by make_stubs.py from the table of options.\n"
            "from typing import Any, Optional, Union\n\n"
            "from ._base import DomainClassifier\n\n"
            "BY_SYSTEM: dict[str, type[DomainClassifier]]\n")
    classes = dict.fromkeys(BY_SYSTEM.values())
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([head, *map(stub, classes)]))


if __name__ == "__main__":
    main(sys.argv[1])
