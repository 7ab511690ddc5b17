"""A progress bar on standard error or in a notebook: tqdm's, if it is installed."""
from __future__ import annotations

import sys
import time
import warnings
from typing import Any, Optional

WIDTH = 30


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    running = shell.get_ipython() if shell is not None else None
    return running is not None and "IPKernelApp" in running.config


def is_wanted(verbose: Optional[int]) -> bool:
    """Whether a bar is shown: by default in terminals and notebooks."""
    if verbose is not None:
        return verbose > 0
    return sys.stderr.isatty() or _in_notebook()


def _tqdm() -> Any:
    try:
        with warnings.catch_warnings():
            # In a notebook without ipywidgets tqdm draws its bar as text, which is fine here.
            warnings.filterwarnings("ignore", "IProgress not found")
            from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm


class ProgressBar:
    """A bar that is redrawn at every call and removed at the end.

        with ProgressBar() as bar:
            bar("training", 0.5)
    """

    def __init__(self) -> None:
        self._tqdm = _tqdm()
        self._bar: Any = None
        self._stage = ""
        self._start = 0.0
        self._drawn = 0

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
        if self._drawn:
            self._draw("")

    def __call__(self, stage: str, fraction: float) -> None:
        if self._tqdm is not None:
            return self._update(stage, fraction)
        now = time.monotonic()
        if stage != self._stage:
            self._stage, self._start = stage, now
        line = f"{stage:<20.20} [{'#' * int(WIDTH * fraction):<{WIDTH}}] {100 * fraction:3.0f}%"
        if 0.01 <= fraction < 1:
            line += f"  {(now - self._start) * (1 - fraction) / fraction:.0f} s left"
        self._draw(line)

    def _update(self, stage: str, fraction: float) -> None:
        if self._bar is None or stage != self._stage:
            if self._bar is not None:
                self._bar.close()
            self._stage = stage
            self._bar = self._tqdm(total=100, desc=stage, leave=False,
                                   bar_format="{desc}: {percentage:3.0f}%|{bar}| {remaining} left")
        self._bar.update(round(100 * fraction, 1) - self._bar.n)

    def _draw(self, line: str) -> None:
        sys.stderr.write("\r" + line + " " * (self._drawn - len(line)) + "\r" * (not line))
        sys.stderr.flush()
        self._drawn = len(line)
