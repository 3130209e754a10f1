"""Strong words: what pages promise without a hedge is listed beside what backs it; no more is."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = {
    "README": "README.md",
    "the paper": "paper/paper.md",
    "over time": "docs/over_time.md",
    "the page": "docs/page.md",
    "forms of data": "docs/data.md",
    "rankings": "docs/ranking.md",
    "reference of rankings": "docs/ranking_reference.md",
    "the tutorial on benchmarks": "docs/tutorials/benchmark.md",
    "reliability": "docs/reliability.md",
    "gates": "docs/gates.md",
    "the questions": "docs/faq.md",
    "boards": "docs/board.md",
    "the glossary": "docs/glossary.md",
    "the first page": "docs/index.md",
    "metadata": "pyproject.toml",
    "the archive": ".zenodo.json",
    "the citation": "CITATION.cff",
}
STRONG = re.compile(
    r"\b(exact|exactly|never|(?<!not )guarantee\w*|fastest|unique|unlike any|no other|"
    r"state.of.the.art|to the (?:last )?(?:bit|digit|byte)|(?:bit|byte) for (?:bit|byte))\b",
    re.IGNORECASE,
)
BEST = re.compile(r"\b(the best|the only|the first) (library|package|tool|benchmark)\b")
LIST = (ROOT / "docs" / "limits.md").read_text("utf-8").partition("| page | it says |")[2]
CLAIMS = [line.strip("|").split(" | ") for line in LIST.partition("\n\n")[0].splitlines()[2:]]


def prose(page):
    """The words of a page without its examples; of the metadata, what is said of the package."""
    text = (ROOT / PAGES[page]).read_text("utf-8")
    if page == "metadata":
        return re.search(r'^description = "(.*)"', text, re.MULTILINE)[1]
    return " ".join(re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL).split())


@pytest.mark.parametrize(("pages", "words", "backing"), CLAIMS, ids=lambda cell: cell.strip()[:30])
def test_what_is_listed_stands_on_its_pages_and_is_backed(pages, words, backing):
    for page in pages.strip().split(", "):
        assert words.strip() in prose(page)
    named = re.findall(r"`([\w/.]+)(?:::(\w+))?`", backing)
    assert named
    for path, test in named:
        assert not test or f"def {test}(" in (ROOT / path).read_text("utf-8")
        assert (ROOT / path).exists()


@pytest.mark.parametrize("page", PAGES)
def test_what_is_not_listed_is_not_said(page):
    text = prose(page)
    for pages, words, _ in CLAIMS:
        if page in pages:
            text = text.replace(words.strip(), "")
    assert [text[max(0, m.start() - 60) : m.end() + 40] for m in STRONG.finditer(text)] == []
    assert BEST.search(text) is None


@pytest.mark.parametrize("path", sorted((ROOT / "docs").rglob("*.md")), ids=lambda path: path.stem)
def test_no_page_praises(path):
    assert BEST.search(path.read_text("utf-8")) is None


def test_a_claim_that_is_not_listed_is_found():
    assert STRONG.search("values are exact")
    assert not STRONG.search("what is not guaranteed")
    assert BEST.search("it is the best library for this")
