"""Check a built site: every internal link leads somewhere, and nothing is loaded from the network.

Usage: python docs/check_site.py build/site. Addresses of other sites must be https and are listed, not followed: that takes
the network (`python -m sphinx -b linkcheck docs build/links`).
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADS = {"img": "src", "script": "src", "iframe": "src", "link": "href", "source": "src"}


class Page(HTMLParser):
    """The links, the loaded resources and the anchors of one page."""

    def __init__(self, path):
        """Read the page at once."""
        super().__init__()
        self.links, self.loads, self.anchors = [], [], {""}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        """Note what a tag names, leads to or loads."""
        values = dict(attrs)
        self.anchors |= {values[key] for key in ("id", "name") if values.get(key)}
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag in LOADS and values.get(LOADS[tag]):
            self.loads.append(values[LOADS[tag]])


def problems(root):
    """Give one line per link that leads nowhere and per resource from elsewhere."""
    pages = {path.resolve(): Page(path) for path in sorted(root.rglob("*.html"))}
    for path, page in pages.items():
        for link in [*page.links, *page.loads]:
            url = urlsplit(link)
            if url.scheme in {"mailto", "data"}:
                continue
            if url.scheme or url.netloc:
                if link in page.loads:
                    yield f"{path.name}: loads {link} from the network"
                elif url.scheme != "https" or "." not in url.netloc:
                    yield f"{path.name}: {link} is no address of another site"
                continue
            target = (path.parent / unquote(url.path)).resolve() if url.path else path
            if not target.is_file():
                yield f"{path.name}: {link} leads nowhere"
            elif target in pages and unquote(url.fragment) not in pages[target].anchors:
                yield f"{path.name}: {link}: no such place on that page"


def elsewhere(root):
    """Give the addresses of other sites, each once, that our own pages lead to."""
    pages = (Page(path) for path in sorted(root.rglob("*.html")))
    return sorted({link for page in pages for link in page.links if urlsplit(link).netloc})


if __name__ == "__main__":
    found = list(problems(Path(sys.argv[1])))
    others = elsewhere(Path(sys.argv[1]))
    summary = (
        "every internal link leads somewhere; nothing is loaded from elsewhere; not followed:\n"
    )
    summary += "\n".join(others)
    print("\n".join(found) or summary)  # noqa: T201
    sys.exit(bool(found))
