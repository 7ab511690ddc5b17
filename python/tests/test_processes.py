"""Memory, threads, processes and signals."""
import io
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import threading
import time

import joblib
import numpy as np
import pytest
from conftest import Task

from megadapt import MegaClassifier, MixClassifier


def megabytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


def test_two_hundred_fits_keep_memory_flat(task):
    def once():
        clf = MegaClassifier("phone", rounds=1, n_jobs=2)
        clf.fit(task.X, task.y, sample_domain=task.domain).predict_proba(task.X)

    for _ in range(20):
        once()
    before = megabytes()
    for _ in range(200):
        once()
    assert megabytes() - before < 4


def test_training_makes_no_copy_of_x():
    """The peak memory of a fit on a large CSR is less than with a 64 bit copy."""
    code = """
import resource, numpy as np
from scipy import sparse
from megadapt import MixClassifier
rng = np.random.default_rng(0)
rows, active = 200_000, 25
indices = np.sort(rng.integers(0, 1000, (rows, active)) * 25 + np.arange(active), axis=1)
X = sparse.csr_matrix((np.ones(rows * active), indices.astype(np.int64).ravel(),
                       np.arange(0, rows * active + 1, active, dtype=np.int64)))
X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
assert X.has_canonical_format
y = rng.integers(0, 2, rows)
MixClassifier().fit(X[:100], y[:100])
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
before = peak()
MixClassifier(max_passes=3, tolerance=0.5).fit(X, y)
print((peak() - before) * 2**20 / X.nnz)
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True,
                          text=True, check=True)
    # Per entry, the solver's rows take 4 bytes and its columns 2; residuals, labels and
    # slack of the allocator take the rest. A copy of the indices alone would add 8.
    assert float(done.stdout) < 16


def fit_and_predict(seed, n_jobs=None):
    task = Task(seed=seed)
    clf = MegaClassifier("phone", n_jobs=n_jobs).fit(task.X, task.y, sample_domain=task.domain)
    return clf.predict_proba(task.X)


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_joblib(backend):
    expected = [fit_and_predict(seed) for seed in range(4)]
    with joblib.parallel_backend(backend, n_jobs=2):
        found = joblib.Parallel()(joblib.delayed(fit_and_predict)(seed) for seed in range(4))
    for a, b in zip(found, expected):
        np.testing.assert_array_equal(a, b)


def test_a_fork_after_threads_were_used():
    expected = fit_and_predict(1, n_jobs=2)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        found = pool.apply_async(fit_and_predict, (1, 2)).get(timeout=120)
    np.testing.assert_array_equal(found, expected)


def test_other_threads_run_while_training():
    task = Task(rows=4000, features=300)
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        before = len(ticks)
        MegaClassifier("phone", tolerance=1e-9, e_step="crossfit:8").fit(
            task.X, task.y, sample_domain=task.domain)
        assert len(ticks) > before
    finally:
        done.set()
        thread.join()


def test_control_c_stops_training():
    code = """
import signal, threading, os, time
from conftest import Task
from megadapt import MegaClassifier
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in jobs started with &
task = Task(rows=3000, features=300)
clf = MegaClassifier("phone", rounds=100000, variance=1e6, tolerance=1e-12)
threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    clf.fit(task.X, task.y, sample_domain=task.domain)
except KeyboardInterrupt:
    print("stopped", hasattr(clf, "classes_"))
"""
    here = os.path.dirname(__file__)
    environment = os.environ | {"PYTHONPATH": os.environ.get("PYTHONPATH", "") + ":" + here}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env=environment, timeout=300)
    assert done.stdout == "stopped False\n", done.stderr


def test_verbose_shows_a_bar(task, monkeypatch):
    from megadapt import _progress

    out = io.StringIO()
    monkeypatch.setattr(sys, "stderr", out)
    monkeypatch.setattr(_progress, "_tqdm", lambda: None)
    with _progress.ProgressBar() as bar:
        bar("training", 0.5)
        bar("training", 1.0)
    assert "training             [###############               ]  50%" in out.getvalue()
    assert out.getvalue().endswith("\r")
    big = Task(rows=4000, features=300)
    MegaClassifier("phone", verbose=1, tolerance=1e-9, e_step="crossfit:8").fit(
        big.X, big.y, sample_domain=big.domain)
    assert "training" in out.getvalue()


def test_the_bar_is_tqdms_where_it_is_installed(monkeypatch):
    from megadapt import _progress

    calls = []

    class Bar:
        n = 0

        def __init__(self, **options):
            calls.append(("new", options["desc"]))

        def update(self, by):
            self.n += by
            calls.append(("at", self.n))

        def close(self):
            calls.append(("close",))

    monkeypatch.setattr(_progress, "_tqdm", lambda: Bar)
    with _progress.ProgressBar() as bar:
        bar("tuning", 0.25)
        bar("tuning", 0.5)
        bar("training", 1.0)
    assert calls == [("new", "tuning"), ("at", 25.0), ("at", 50.0), ("close",),
                     ("new", "training"), ("at", 100.0), ("close",)]


def test_a_notebook_without_widgets_gets_no_warning():
    """tqdm looks for ipywidgets in a kernel of Jupyter, and warns where they are missing."""
    pytest.importorskip("tqdm")
    code = """
import sys, types, warnings
shell = types.SimpleNamespace(config={"IPKernelApp": {}})
sys.modules["IPython"] = types.SimpleNamespace(get_ipython=lambda: shell)
sys.modules["ipywidgets"] = None
from megadapt._progress import ProgressBar
with warnings.catch_warnings(record=True) as found:
    warnings.simplefilter("always")
    ProgressBar()
print([str(one.message) for one in found])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


def test_an_error_in_the_bar_ends_training(task, monkeypatch):
    from megadapt import _base

    class Broken:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def __call__(self, stage, fraction):
            raise RuntimeError("no terminal")

    monkeypatch.setattr(_base, "ProgressBar", Broken)
    big = Task(rows=4000, features=300)
    with pytest.raises(RuntimeError, match="no terminal"):
        MegaClassifier("phone", verbose=1, rounds=100000).fit(
            big.X, big.y, sample_domain=big.domain)


def test_random_state(task):
    def probability(seed):
        clf = MegaClassifier("phone", e_step="crossfit:2", random_state=seed)
        return clf.fit(task.X, task.y, sample_domain=task.domain).predict_proba(task.X)

    np.testing.assert_array_equal(probability(3), probability(3))
    assert np.abs(probability(3) - probability(4)).max() > 0
    np.testing.assert_array_equal(
        probability(np.random.RandomState(5)), probability(np.random.RandomState(5)))
