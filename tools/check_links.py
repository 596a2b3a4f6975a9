"""Every relative link in the documentation leads to a file and a heading, and
every source file that a page names exists.

    check_links.py ROOT

A file that a page tells the reader to write (a line "`PATH`:") need not exist.
"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)")
FENCE = re.compile(r"```.*?```", re.S)
HEADING = re.compile(r"^#+ +(.*)$", re.M)
SOURCE = re.compile(r"(?<![\w/.-])(?:src|include|tests|tools|scripts|examples|"
                    r"bench)/[\w./-]*\.(?:c|cc|h|def|py|sh|txt|csv)\b")
PLACEHOLDER = re.compile(r"[A-Z]{3}")
WRITTEN = re.compile(r"^`(\S+)`(?:, after `[^`\n]+`)?:$", re.M)


def anchors(text):
    """The fragments that GitHub makes of the headings of a page."""
    return {re.sub(r"[^\w\- ]", "", h.strip().lower()).replace(" ", "-")
            for h in HEADING.findall(FENCE.sub("", text))}


def main(root):
    root = pathlib.Path(root)
    pages = {p: p.read_text(encoding="utf-8")
             for p in [*sorted(root.glob("*.md")),
                       *sorted(root.glob("docs/**/*.md"))]}
    links, broken = 0, []
    for page, text in pages.items():
        for target, fragment in LINK.findall(FENCE.sub("", text)):
            if "://" in target:
                continue
            links += 1
            to = (page.parent / target).resolve() if target else page.resolve()
            if not to.exists():
                broken.append(f"{page}: no such file: {target}")
            elif fragment and fragment not in anchors(
                    to.read_text(encoding="utf-8")):
                broken.append(f"{page}: no such heading: {target}#{fragment}")
        written = set(WRITTEN.findall(text))
        names = {n for n in SOURCE.findall(text) if not PLACEHOLDER.search(n)}
        for name in sorted(names - written):
            if page.name != "CHANGELOG.md" and not (root / name).exists():
                broken.append(f"{page}: no such file: {name}")
    print("".join(line + "\n" for line in broken), end="")
    print(f"{len(pages)} pages, {links} links, {len(broken)} broken")
    return 1 if broken or not links else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
