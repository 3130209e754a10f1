"""A small board, honest submissions to it, and ways to tamper with one."""

import json
import os
import shutil
from hashlib import sha256

import numpy as np

import adjudge as aj
from adjudge.ranking.boards.verification import prepare

SERIES = ("x/a", "x/b", "y/c", "y/d")
N = 60
RULES = {"schema": 1, "title": "Small", "data": "labels", "metrics": ["best(f1_ba)", "auc_roc"]}
NAME = "tampered"


def labels_of(place):
    labels = np.zeros(N, int)
    for start in (8 + 3 * place, 35 + 2 * place):
        labels[start : start + 4 + place] = 1
    return labels


def scores_of(seed, place):
    rng = np.random.default_rng([seed, place])
    return rng.standard_normal(N) + labels_of(place)


def make_board(path, **rules):
    """Write the rules and the labels of a board."""
    path.mkdir(parents=True)
    (path / "board.json").write_text(json.dumps({**RULES, **rules}))
    for place, name in enumerate(SERIES):
        file = path / "labels" / f"{name}.csv"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("label\n" + "\n".join(map(str, labels_of(place))) + "\n")
    return path


def submit(board, name=NAME, seed=1, *, about=None):
    """Add an honest submission; its folder."""
    folder = board / "submissions" / name
    for place, series in enumerate(SERIES):
        file = folder / "scores" / f"{series}.npy"
        file.parent.mkdir(parents=True, exist_ok=True)
        np.save(file, scores_of(seed, place))
    (folder / "meta.json").write_text(json.dumps({"authors": ["me"], **(about or {})}))
    prepare(board, name)
    return folder


def edit(folder, change):
    """Change meta.json."""
    meta = json.loads((folder / "meta.json").read_text())
    change(meta)
    (folder / "meta.json").write_text(json.dumps(meta))


def rehash(folder):
    """Let meta.json name the files as they are now, as who tampers would."""

    def change(meta):
        files = [one for one in sorted(folder.rglob("*")) if one.is_file()]
        meta["files"] = {
            one.relative_to(folder).as_posix(): sha256(one.read_bytes()).hexdigest()
            for one in files
            if one.name not in {"meta.json", "README.md"}
        }

    edit(folder, change)


def rows(change, name="values.csv"):
    """Tamper with the rows of the values, lists of cells, and with the hash."""

    def tamper(folder):
        file = folder / name
        head, *lines = [line.split(",") for line in file.read_text().splitlines()]
        lines = change(lines)
        file.write_text("\n".join(",".join(line) for line in [head, *lines]) + "\n")
        rehash(folder)

    return tamper


def cell(place, value, column=3):
    """Tamper with one cell of the values."""

    def change(lines):
        lines[place][column] = value(lines[place][column]) if callable(value) else value
        return lines

    return rows(change)


def scores(change, *names):
    """Tamper with arrays of scores, and with the hash."""

    def tamper(folder):
        for name in names or SERIES:
            file = folder / "scores" / f"{name}.npy"
            np.save(file, change(np.load(file)))
        rehash(folder)

    return tamper


def meta(change):
    return lambda folder: edit(folder, change)


def put(**entries):
    return meta(lambda found: found.update(entries))


def settings(**entries):
    return meta(lambda found: found["settings"].update(entries))


def more(value):
    return lambda text: repr(float(text) + value)


def swapped_values(lines):
    lines[0][3], lines[2][3] = lines[2][3], lines[0][3]
    return lines


def swapped_scores(folder):
    one, other = (folder / "scores" / f"{name}.npy" for name in SERIES[:2])
    text = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(text)
    rehash(folder)


def by_another_metric(spec, instead_of="best(f1_ba)"):
    """Send the values of another metric under the name of the board's."""

    def change(lines):
        for line in lines:
            if line[2] == instead_of:
                place = SERIES.index(line[0])
                line[3] = repr(float(aj.metric(spec)(labels_of(place), scores_of(1, place))))
        return lines

    return rows(change)


def renamed(name):
    """Give the folder another name, and say so in meta.json."""

    def tamper(folder):
        edit(folder, lambda found: found.update(name=name))
        folder.rename(folder.with_name(name))

    return tamper


def linked(inner, target="/etc/hostname"):
    def tamper(folder):
        (folder / inner).unlink()
        (folder / inner).symlink_to(target)

    return tamper


def linked_folder(folder):
    away = folder.parents[1] / "away"
    folder.rename(away)
    folder.symlink_to(away, target_is_directory=True)


def added(inner, text="x"):
    def tamper(folder):
        (folder / inner).parent.mkdir(parents=True, exist_ok=True)
        (folder / inner).write_text(text)
        rehash(folder)

    return tamper


def pickled(folder):
    np.save(folder / "scores/x/a.npy", np.array([{"a": 1}] * N, object), allow_pickle=True)
    rehash(folder)


def removed(inner):
    def tamper(folder):
        (folder / inner).unlink()
        rehash(folder)

    return tamper


def without_values_and_scores(folder):
    shutil.rmtree(folder / "scores")
    (folder / "values.csv").unlink()
    rehash(folder)


def without_scores(folder):
    shutil.rmtree(folder / "scores")
    rehash(folder)


def written(text):
    return lambda folder: (folder / "meta.json").write_text(text)


def fifo(folder):
    os.mkfifo(folder / "scores" / "pipe.npy")


def perfect_without_scores(*names):
    """Send perfect values, and scores of which none is a number."""

    def tamper(folder):
        scores(lambda s: np.full(len(s), np.nan), *names)(folder)
        rows(lambda ls: [[*line[:3], "1.0"] if line[0] in names else line for line in ls])(folder)

    return tamper


def named_files(name):
    return meta(lambda found: found["files"].update({name: "0" * 64}))


NOT_THEIRS = "recomputed from its scores"
NO_NAME = "a name must have letters"
TAMPERED = {  # how -> what the reason must say
    # changed values
    "a thousandth more": (cell(0, more(-1e-3)), NOT_THEIRS),
    "a millionth more": (cell(3, more(-1e-6)), NOT_THEIRS),
    "a hundred-millionth": (cell(2, more(-1e-8)), NOT_THEIRS),
    "all perfect": (rows(lambda ls: [[*line[:3], "1.0"] for line in ls]), NOT_THEIRS),
    "one undefined": (cell(1, ""), NOT_THEIRS),
    "all undefined": (rows(lambda ls: [[*line[:3], ""] for line in ls]), NOT_THEIRS),
    "infinite": (cell(0, "inf"), "value must be empty or from"),
    "too high": (cell(0, "1.5"), "value must be empty or from 0 to 1"),
    "negative": (cell(0, "-0.1"), "value must be empty or from"),
    "no number": (cell(0, "high"), "number"),
    "rounded": (rows(lambda ls: [[*line[:3], f"{float(line[3]):.3f}"] for line in ls]), NOT_THEIRS),
    "one less row": (rows(lambda ls: ls[1:]), "values must have every metric"),
    "one series less": (rows(lambda ls: ls[2:]), "values must have every series with scores"),
    "a row twice": (rows(lambda ls: [*ls, ls[0]]), "must occur once"),
    "no rows": (rows(lambda _: []), ""),
    "changed behind the hash": (lambda f: (f / "values.csv").write_text("series\n"), "SHA-256"),
    "somebody else's name": (cell(0, "lof", 1), "detector must be 'tampered', got 'lof'"),
    "two tables": (added("values.parquet"), "one table"),
    # swapped series
    "values of two series swapped": (rows(swapped_values), "were series swapped?"),
    "scores of two series swapped": (swapped_scores, NOT_THEIRS),
    "series named in another order": (
        rows(lambda ls: [[ls[(k + 2) % len(ls)][0], *line[1:]] for k, line in enumerate(ls)]),
        "were series swapped?",
    ),
    "scores of one series": (scores(lambda _: scores_of(1, 0)), NOT_THEIRS),
    "scores turned round": (scores(lambda s: s[::-1], "x/b"), NOT_THEIRS),
    "scores moved by one": (scores(lambda s: np.roll(s, 1), "y/c"), NOT_THEIRS),
    "scores negated": (scores(lambda s: -s), NOT_THEIRS),
    "labels as scores": (
        lambda f: (
            [np.save(f / f"scores/{n}.npy", labels_of(k)) for k, n in enumerate(SERIES)]
            and rehash(f)
        ),
        NOT_THEIRS,
    ),
    "one score less": (scores(lambda s: s[:-1], "x/a"), "as long as the labels"),
    "one score more": (scores(lambda s: [*s, 0.0], "x/a"), "as long as the labels"),
    "a score is missing": (scores(lambda s: np.where(np.arange(N) == 3, np.nan, s)), "x/a"),
    "no score is a number": (perfect_without_scores(*SERIES), "every point must have a score"),
    "none on one series": (perfect_without_scores("y/c"), "y/c: every point must have a score"),
    "an unknown series": (added("scores/x/z.csv", "score\n1\n"), "files of the board's series"),
    "a series of values alone": (cell(0, "x/z", 0), "series must be one of the board's"),
    "scores of a series lack": (removed("scores/x/a.npy"), "must have every series with a value"),
    "scores in two forms": (added("scores/x/a.csv", "score\n1\n"), "one file per series"),
    "pickled scores": (pickled, ""),
    "no scores": (without_scores, "this board recomputes"),
    "nothing at all": (without_values_and_scores, "scores/ or a table of values"),
    # other settings
    "another metric": (settings(metrics=["best(f1_pa)", "auc_roc"]), "settings.metrics must be"),
    "one metric less": (settings(metrics=["auc_roc"]), "settings.metrics must be"),
    "an unknown metric": (settings(metrics=["f99"]), "settings.metrics"),
    "another width": (settings(metrics=["best(f1_ba(width=1))", "auc_roc"]), "settings.metrics"),
    "another threshold": (settings(at=0.5), "settings.at must be null, got 0.5"),
    "values of PA": (by_another_metric("best(f1_pa)"), NOT_THEIRS),
    "values of F1": (by_another_metric("best(f1)"), NOT_THEIRS),
    "values of another width": (by_another_metric("best(f1_ba(width=1))"), NOT_THEIRS),
    "values of ap as auc_roc": (by_another_metric("ap", "auc_roc"), NOT_THEIRS),
    "a metric that nobody asked for": (cell(0, "f1_pa", 2), "metric must be"),
    "other labels": (put(data="0" * 64), "made for other labels"),
    "no hash of labels": (meta(lambda m: m.pop("data")), "made for other labels"),
    "another schema": (put(schema=2), "schema must be 1"),
    "true for a number": (put(schema=True), "schema must be 1, got True"),
    "an author turned round": (put(authors=["A\u202egnp.exe"]), "no control characters"),
    "a title that clears the screen": (put(title="\x1b[2Jfine"), "no control characters"),
    "a title with a letter that nobody sees": (put(title="LOF\u200b"), "no control characters"),
    "a title on two lines": (put(title="LOF\u2028x"), "no control characters"),
    "half a letter": (put(title="LOF\ud800"), "no control characters"),
    "settings lack": (meta(lambda m: m.pop("settings")), "settings must be there"),
    "an unknown field": (put(rank=1), "rank is not known"),
    "no authors": (put(authors=[]), "authors must not be empty"),
    "authors are no list": (put(authors="me"), "authors must be of type array"),
    "a number for a text": (put(title=True), "title must be of type string"),
    "very long": (put(description="x" * 3000), "at most 2000 letters"),
    "a script as a link": (put(code="javascript:alert(1)"), "code must be like"),
    "a link with markup": (put(paper='https://x"><script>'), "paper must be like"),
    "no JSON": (written("{"), "must be JSON"),
    "a list": (written("[]"), "must be of type object"),
    "a name twice": (written('{"schema": 1, "schema": 1}'), "occurs twice"),
    "deep": (written("[" * 100_000), "must be JSON"),
    "huge": (written(" " * (1 << 20) + "{}"), "at most"),
    "no meta.json": (lambda f: (f / "meta.json").unlink(), "meta.json must be there"),
    # hostile names
    "Cyrillic letters": (renamed("l\u043ef"), "CYRILLIC SMALL LETTER O"),
    "full width": (renamed("\uff4c\uff4f\uff46"), "FULLWIDTH"),
    "running backwards": (renamed("a\u202efol"), "RIGHT-TO-LEFT"),
    "a script": (renamed("<script>alert(1)<"), NO_NAME),
    "a blank": (renamed("lof "), NO_NAME),
    "hidden": (renamed(".lof"), NO_NAME),
    "an option": (renamed("--all"), NO_NAME),
    "a line end": (renamed("lof\nmine"), NO_NAME),
    "an escape": (renamed("lof\x1b[31m"), NO_NAME),
    "a backslash": (renamed("..\\x"), NO_NAME),
    "a device": (renamed("CON.x"), "reserved on some systems"),
    "a dot at the end": (renamed("lof."), NO_NAME),
    "65 letters": (renamed("x" * 65), NO_NAME),
    "upper case of another": (renamed("HONEST"), "look like that of another"),
    "zero for o": (renamed("h0nest"), "look like that of another"),
    "up and away": (put(name="../x"), "name must be like"),
    "from the root": (put(name="/etc/passwd"), "name must be like"),
    "another's name": (put(name="honest"), "name must be that of the folder"),
    "markup as a name": (put(name="<script>"), "name must be like"),
    "a file above": (named_files("../../board.json"), "which is not"),
    "a file from the root": (named_files("/etc/passwd"), "which is not"),
    "a series above": (cell(0, "../x", 0), "series must be one of the board's"),
    "a series from the root": (cell(0, "/etc/passwd", 0), "series must be one of the board's"),
    "markup as a detector": (cell(0, "<script>", 1), "detector must be"),
    "a linked file": (linked("scores/x/a.npy"), "must be no link"),
    "linked values": (linked("values.csv"), "must be no link"),
    "a linked meta.json": (linked("meta.json"), "must be no link"),
    "a linked folder": (linked_folder, "must be a folder, and no link"),
    "a program": (added("run.sh"), "run.sh must not be there"),
    "a program among scores": (added("scores/run.py"), "run.py must not be there"),
    "a folder": (added("more/values.csv"), "more must not be there"),
    "a pipe": (fifo, "must be a plain file"),
    "a file that nobody names": (
        lambda f: (f / "scores" / "x" / "b.npy").rename(f / "scores" / "x" / "e.npy"),
        "which is not",
    ),
}
