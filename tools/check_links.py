"""Every relative link in the documentation leads to a file.

    check_links.py ROOT
"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
FENCE = re.compile(r"```.*?```", re.S)


def main(root):
    root = pathlib.Path(root)
    pages = sorted(root.glob("*.md")) + sorted(root.glob("docs/**/*.md"))
    links = broken = 0
    for page in pages:
        text = FENCE.sub("", page.read_text(encoding="utf-8"))
        for target in LINK.findall(text):
            if "://" in target:
                continue
            links += 1
            if not (page.parent / target).exists():
                broken += 1
                print(f"{page.relative_to(root)}: no such file: {target}")
    print(f"{len(pages)} pages, {links} links, {broken} broken")
    return 1 if broken or not links else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
