"""A progress bar on standard error."""
from __future__ import annotations

import sys
import time

WIDTH = 30


class ProgressBar:
    """A line that is redrawn at every call and erased at the end.

        with ProgressBar() as bar:
            bar("training", 0.5)
    """

    def __init__(self) -> None:
        self._stage = ""
        self._start = 0.0
        self._drawn = 0

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._drawn:
            self._draw("")

    def __call__(self, stage: str, fraction: float) -> None:
        now = time.monotonic()
        if stage != self._stage:
            self._stage, self._start = stage, now
        line = f"{stage:<20.20} [{'#' * int(WIDTH * fraction):<{WIDTH}}] {100 * fraction:3.0f}%"
        if 0.01 <= fraction < 1:
            line += f"  {(now - self._start) * (1 - fraction) / fraction:.0f} s left"
        self._draw(line)

    def _draw(self, line: str) -> None:
        sys.stderr.write("\r" + line + " " * (self._drawn - len(line)) + "\r" * (not line))
        sys.stderr.flush()
        self._drawn = len(line)
