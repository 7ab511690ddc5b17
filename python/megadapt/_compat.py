"""Differences between versions of scikit-learn."""
from __future__ import annotations

from typing import Any

try:  # 1.6 and later
    from sklearn.utils.validation import validate_data
except ImportError:

    def validate_data(estimator: Any, X: Any, y: Any = "no_validation", **options: Any) -> Any:
        return estimator._validate_data(X, y, **options)


__all__ = ["validate_data"]
