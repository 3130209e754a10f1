"""What the page *In the browser* loads: adjudge in one archive, a release of Pyodide, and their hashes.

python tools/make_browser.py pin RELEASE          write docs/browser_parts.json from the folder of a release
python tools/make_browser.py fill FROM ... SITE   copy the parts into SITE/parts, each with its hash checked

FROM is a folder or an address at which the files of the release are; what one does not have is taken
from the next. The build of the site itself writes the archive with adjudge and the packages in pure
Python that it needs; NumPy and SciPy are those of the release.
"""

import json
import sys
import zipfile
from base64 import b64encode
from contextlib import chdir
from hashlib import sha256
from importlib.metadata import distribution
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).parents[1]
PINNED = ROOT / "docs" / "browser_parts.json"
ARCHIVE = "adjudge.zip"
LOCK = "pyodide-lock.json"
CORE = ("pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", LOCK)
COMPILED = ("libopenblas", "numpy", "scipy")
"""Packages of the release; SciPy's wheel needs OpenBLAS."""
PURE = ("click", "jinja2", "joblib", "markupsafe", "narwhals")
"""Packages of the environment that builds the site; MarkupSafe goes without its compiled part."""
LEFT_OUT = {"..", "__pycache__", "test"}
COMPILED_PARTS = {".so", ".pyd", ".pyc"}


def hash_of(content):
    """Give the hash of a file as a browser checks it."""
    return f"sha256-{b64encode(sha256(content).digest()).decode()}"


def pinned():
    """Give the hash of every file of the release by its name."""
    return json.loads(PINNED.read_text("utf-8"))


def pin(release):
    """Write the hashes of a release down; those of packages must be as its lock says."""
    lock = json.loads((release / LOCK).read_text("utf-8"))["packages"]
    packages = [lock[name] for name in COMPILED]
    for package in packages:
        found = sha256((release / package["file_name"]).read_bytes()).hexdigest()
        if found != package["sha256"]:
            raise SystemExit(f"{package['file_name']} is not what {LOCK} says")
    names = [*CORE, *(package["file_name"] for package in packages)]
    found = {name: hash_of((release / name).read_bytes()) for name in names}
    PINNED.write_text(json.dumps(found, indent=2) + "\n", "utf-8")


def read(source, name):
    """Read a file of a folder or an address; nothing, if it is not there."""
    try:
        if "://" in source:
            with urlopen(f"{source.rstrip('/')}/{name}") as answer:  # noqa: S310 - by who calls this
                return answer.read()
        return (Path(source) / name).read_bytes()
    except (URLError, FileNotFoundError):
        return None


def fill(sources, site):
    """Copy every part of the release from the first source that has it; name what none has."""
    goal = Path(site) / "parts"
    goal.mkdir(parents=True, exist_ok=True)
    missing = []
    for name, expected in pinned().items():
        contents = (read(source, name) for source in sources)
        content = next((one for one in contents if one and hash_of(one) == expected), None)
        if content is None:
            missing.append(name)
        else:
            (goal / name).write_bytes(content)
    return missing


def archive():
    """Pack adjudge's own wheel and the packages in pure Python; the same bytes each time."""
    from hatchling.build import build_wheel  # noqa: PLC0415 - an extra of the docs

    packed = BytesIO()
    with TemporaryDirectory() as folder, zipfile.ZipFile(packed, "w") as goal:
        with chdir(ROOT):
            wheel = Path(folder) / build_wheel(folder)
        with zipfile.ZipFile(wheel) as own:
            for name in own.namelist():
                put(goal, name, own.read(name))
        for path in (path for package in PURE for path in distribution(package).files):
            if not (LEFT_OUT & set(path.parts) or path.suffix in COMPILED_PARTS):
                put(goal, path.as_posix(), path.read_binary())
    return packed.getvalue()


def put(goal, name, content):
    """Add a file without a time."""
    goal.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


def main(words):
    """Do what the words say, and give the exit code."""
    match words:
        case ["pin", release]:
            pin(Path(release))
        case ["fill", *sources, site] if sources:
            missing = fill(sources, site)
            print("\n".join(f"{name}: nowhere with the right hash" for name in missing))
            return int(bool(missing))
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
