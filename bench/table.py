"""Formats the results of bench/run as a Markdown table."""


def markdown(results):
    lines = [f"Machine: {results['machine']}", "",
             "| measured | megadapt | compared with | ratio | goal |",
             "| --- | --- | --- | --- | --- |"]
    for section, rows in (("train", train_rows), ("predict", predict_rows), ("load", load_rows),
                          ("read", read_rows), ("growth", growth_rows),
                          ("adapt", adapt_rows), ("python", python_rows),
                          ("tag", tag_rows)):
        if results.get(section):
            lines += ["| " + " | ".join(row) + " |" for row in rows(results[section])]
    if "train" in results:
        lines += ["", *solved_table(results["train"])]
    return "\n".join(lines)


def seconds(value):
    return f"{1000 * value:.1f} ms" if value < 0.1 else f"{value:.2f} s"


def times(ours, theirs):
    return f"{theirs / ours:.1f}x"


def train_rows(train):
    one, two = train["megadapt, 1 thread"], train["megadapt, 2 threads"]
    goals = {"liblinear-train -s 0": ">= 8x", "scikit-learn newton-cg": ">= 25x",
             "fasttext supervised": ""}
    for name, goal in goals.items():
        if name in train:
            peer = train[name]
            yield ["train, 1 thread", seconds(one["seconds"]), f"{name} {seconds(peer['seconds'])}",
                   times(one["seconds"], peer["seconds"]), goal]
    yield ["train, 2 threads", seconds(two["seconds"]), f"1 thread {seconds(one['seconds'])}",
           times(two["seconds"], one["seconds"]), ">= 1.5x"]
    liblinear = train["liblinear-train -s 0"]
    yield ["peak memory of training", f"{one['peak_mb']:.0f} MB",
           f"liblinear-train {liblinear['peak_mb']:.0f} MB",
           f"{one['peak_mb'] / liblinear['peak_mb']:.2f}", "<= 2.5"]


def predict_rows(predict):
    peer = predict["liblinear-predict"]
    for threads, goal in (("1 thread", ">= 4x"), ("2 threads", "")):
        ours = predict[f"megadapt, {threads}"]
        yield [f"predict 1M rows, {threads}", seconds(ours["seconds"]),
               f"liblinear-predict {seconds(peer['seconds'])}",
               times(ours["seconds"], peer["seconds"]), goal]


def load_rows(load):
    whole, plain, start = (load[name]["seconds"] for name in
                           ("with checksums", "without", "the program alone"))
    yield [f"load a {load['model_mb']:.0f} MB model, verify it, predict a row",
           seconds(whole - start),
           f"without checksums {seconds(plain - start)}; starting the program {seconds(start)}",
           "", "< 15 ms"]


def read_rows(read):
    yield [f"read {read['mb']:.0f} MB of text, 1 thread", f"{read['mb_per_second']:.0f} MB/s", "",
           "", ">= 150 MB/s"]
    yield ["the same rows from --row-cache", f"{read['cached_mb_per_second']:.0f} MB/s of text", "",
           "", ">= 1000 MB/s"]


def growth_rows(growth):
    small, large = growth["100k"], growth["1m"]
    yield ["a pass over 1M rows", seconds(large["seconds_per_pass"]),
           f"over 100k {seconds(small['seconds_per_pass'])}",
           f"{large['seconds_per_pass'] / small['seconds_per_pass']:.1f}", "<= 13"]


def adapt_rows(adapt):
    mix, megam, pool = adapt["mix"], adapt["megam"], adapt["pool"]
    liblinear = adapt["liblinear-train -s 0"]
    yield ["train megam, 5 rounds", seconds(megam["seconds"]), f"mix {seconds(mix['seconds'])}",
           f"{megam['seconds'] / mix['seconds']:.2f}", "<= 4"]
    yield ["train megam, 5 rounds", seconds(megam["seconds"]),
           f"liblinear-train -s 0 {seconds(liblinear['seconds'])}",
           f"{megam['seconds'] / liblinear['seconds']:.2f}", "< 0.5"]
    yield ["train pool", seconds(pool["seconds"]), f"mix {seconds(mix['seconds'])}",
           f"{pool['seconds'] / mix['seconds']:.2f}", "<= 4"]
    yield ["peak memory of megam", f"{megam['peak_mb']:.0f} MB", f"mix {mix['peak_mb']:.0f} MB",
           f"{megam['peak_mb'] / mix['peak_mb']:.2f}", "<= 2.5"]
    jointly = adapt["megam, psi jointly"]
    yield ["train megam, --psi-step lbfgs", seconds(jointly["seconds"]),
           f"by sweeps {seconds(megam['seconds'])}",
           f"{jointly['seconds'] / megam['seconds']:.2f}", ""]
    yield ["its objective", f"{jointly['objective']:.1f}",
           f"by sweeps {megam['objective']:.1f}", "", ""]
    yield ["megam's objective", f"{megam['gap']:.1e} from a tight run's", "", "", "<= 1e-3"]


def python_rows(python):
    ours = python["MixClassifier.fit"]
    predict = python["predict"]
    yield ["predict_proba, 1M rows, 1 thread", f"{predict['predict_proba'] / 1e6:.2f} M rows/s",
           f"C++ loop {predict['C++ loop'] / 1e6:.2f} M rows/s",
           f"{predict['predict_proba'] / predict['C++ loop']:.2f}", ">= 0.7"]
    for name, peer in python.items():
        if name.startswith("Logistic"):
            yield ["MixClassifier.fit, 1 thread",
                   f"{seconds(ours['seconds'])}, {ours['gap']:.1e} above the optimum",
                   f"{name} {seconds(peer['seconds'])}, {peer['gap']:.1e}",
                   times(ours["seconds"], peer["seconds"]), ">= 20x"]


def tag_rows(tag):
    rows = [
        ("train part-of-speech tags, mix", "train, megadapt", "train, opennlp", ">= 20x"),
        ("the same, " + tag["roughly"], "train, megadapt, roughly", "train, opennlp", ">= 20x"),
        ("tag with mix", "tag, megadapt", "tag, opennlp", ">= 5x"),
    ]
    for what, ours, peer, goal in rows:
        accuracy = (f", {100 * tag[ours]['accuracy']:.2f}% right" if "accuracy" in tag[ours] else "")
        peers = f", {100 * tag[peer]['accuracy']:.2f}% right" if "accuracy" in tag[peer] else ""
        yield [what, seconds(tag[ours]["seconds"]) + accuracy,
               f"opennlp {seconds(tag[peer]['seconds'])}{peers}",
               times(tag[ours]["seconds"], tag[peer]["seconds"]), goal]
    for name, system, goal in (("tag, megadapt, 1 thread", "mix", 200),
                               ("tag, megadapt megam, 1 thread", "megam", 100)):
        yield [f"tag with {system}, text to tags, 1 thread",
               f"{tag['tokens'] / tag[name]['seconds'] / 1000:.0f}k tokens/s", "", "",
               f">= {goal}k/s"]


def solved_table(train):
    yield "| solved by | objective above the optimum | test accuracy | test log loss |"
    yield "| --- | --- | --- | --- |"
    for name, entry in train.items():
        if isinstance(entry, dict):
            gap = f"{entry['gap']:.1e}" if "gap" in entry else "another objective"
            yield f"| {name} | {gap} | {100 * entry['accuracy']:.2f}% | {entry['log_loss']:.4f} |"
