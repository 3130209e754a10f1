"""Words that are not used: the table of CONTRIBUTING is read, and texts are searched for them."""

import ast
import re
from pathlib import Path

import pytest

import adjudge

ROOT = Path(__file__).parents[1]
TABLE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("| not | but |")[2]
NOT_USED = [line.split("|")[1].strip() for line in TABLE.partition("\n\n")[0].splitlines()[2:]]
PAGES = [
    ROOT / "README.md",
    *sorted(ROOT.glob("docs/*.md")),
    *sorted(ROOT.glob("docs/tutorials/*.md")),
]


def pattern(word):
    words = r"\s+".join(map(re.escape, word.split()))
    return re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE)


def texts_of(source):
    """All strings of a module: what it prints, and what it says of itself."""
    nodes = ast.walk(ast.parse(source))
    return "\n".join(
        n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)
    )


@pytest.fixture(scope="module")
def texts():
    found = {page.name: page.read_text(encoding="utf-8") for page in PAGES}
    source = Path(adjudge.__file__).parent
    for path in sorted(source.rglob("*.py")):
        found[str(path)] = texts_of(path.read_text(encoding="utf-8"))
    pages = [*ROOT.glob("web/src/**/*.ts"), *source.rglob("templates/*.html")]
    assert len(pages) > 10
    return found | {str(path): path.read_text(encoding="utf-8") for path in sorted(pages)}


def test_there_is_a_list():
    assert {"always-on alarm", "fix"} <= {
        line.split("|")[2].strip() for line in TABLE.splitlines()[2:] if "|" in line
    }
    assert len(NOT_USED) >= 10


@pytest.mark.long
@pytest.mark.parametrize("word", NOT_USED)
def test_it_is_not_used(texts, word):
    assert [name for name, text in texts.items() if pattern(word).search(text)] == []


def test_a_word_is_found_in_what_a_module_prints():
    assert pattern("account for").search("to account\nfor it")
    assert pattern("mend").search(texts_of("raise ValueError(f'{1}: mend it')"))
    assert not pattern("mend").search(texts_of("mend = 'recommend'"))
