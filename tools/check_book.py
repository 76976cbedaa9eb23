"""Fail if a link of the book in _docs/html leads nowhere, or a page loads something from the
network.
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

HTML = Path(__file__).parents[1] / "_docs" / "html"


class Links(HTMLParser):
    """What a page leads to, loads, and can be led to."""

    def __init__(self, text: str):
        super().__init__()
        self.links, self.loads, self.anchors = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        has = dict(attrs)
        self.anchors |= {has[k] for k in ("id", "name") if has.get(k)}
        if tag == "a" and has.get("href"):
            self.links.append(has["href"])
        elif tag in ("script", "img", "iframe", "source") and has.get("src"):
            self.loads.append(has["src"])
        elif tag == "link" and has.get("rel") in ("stylesheet", "icon", "preload"):
            self.loads.append(has["href"])


def check() -> None:
    """Look at every link of every page."""
    pages = {p: Links(p.read_text(encoding="utf-8")) for p in HTML.rglob("*.html")}
    faults = []
    for page, found in pages.items():
        faults += [
            f"{page.relative_to(HTML)} loads {x}"
            for x in found.loads
            if re.match(r"(https?:)?//", x)
        ]
        for link in {*found.links, *found.loads}:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                faults.append(f"{page.relative_to(HTML)} links to {link}, which does not exist")
            elif (
                parts.fragment
                and target in pages
                and unquote(parts.fragment) not in pages[target].anchors
            ):
                faults.append(
                    f"{page.relative_to(HTML)} links to {link}, a place that the page does not have"
                )
    if faults:
        sys.exit("\n".join(faults[:50]) + f"\n{len(faults)} broken links")
    print(f"{len(pages)} pages, {sum(len(p.links) for p in pages.values()):,} links lead somewhere")


if __name__ == "__main__":
    check()
