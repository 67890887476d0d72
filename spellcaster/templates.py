"""Template loader that removes comments and unneeded white space, and inlines templates."""

import re
from typing import Final

from django.template import Origin, TemplateDoesNotExist
from django.template.loaders.filesystem import Loader

BLOCK_ELEMENTS: Final = frozenset(
    (
        "address article aside base blockquote body br caption col colgroup dd details dialog div "
        "dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html legend "
        "li link main meta nav noscript ol optgroup option p pre script section select style "
        "summary table tbody td template tfoot th thead title tr ul"
    ).split()
)
VOID_ELEMENTS: Final = frozenset({"img", "input", "wbr"})
OPENING_TAG_PATTERN: Final = re.compile(
    r"\{% (?:block|elif|else|empty|extends|for|if|load|slot|with)\b"
)
# A line break before the end tag of a loop separates the items.
CLOSING_TAG_PATTERN: Final = re.compile(r"\{% (?:elif|else|endblock|endif|endslot|endwith)\b")
RAW_ELEMENT_PATTERN: Final = r"<(?P<raw>pre|script|style|textarea)\b.*?</(?P=raw)>"
HTML_TAG_PATTERN: Final = r"</?[a-zA-Z](?:\{[%{].*?[%}]\}|\"[^\"]*\"|[^>\"])*>"
COMMENT_PATTERN: Final = re.compile(r"\{% comment %\}.*?\{% endcomment %\}", re.DOTALL)
TEMPLATE_TOKEN_PATTERN: Final = re.compile(
    rf"{RAW_ELEMENT_PATTERN}|\{{%.*?%\}}|\{{\{{.*?\}}\}}|{HTML_TAG_PATTERN}|\s*\n\s*|(?:(?!\s*\n)[^<{{])+|.",
    re.DOTALL,
)
LINE_BREAKS_PATTERN: Final = re.compile(r"\s*\n\s*")
INCLUDE_PATTERN: Final = re.compile(r'\{% include "([^"]+\.html)"(?: with ((?:(?!%\}).)+?))? %\}')


class IncludeInliningLoader(Loader):
    """Loader that removes comments and line breaks from HTML, and inlines included templates.

    Line breaks at tags and indentation make templates readable. On pages, they would show as spaces
    next to inline tags, and make compressed pages larger. Django's `include` often takes longer
    than the included template itself, because it looks up the template and stacks contexts each
    time that the page is rendered.
    """

    def get_contents(self, origin: Origin) -> str:
        text: str = super().get_contents(origin)
        if not origin.name.endswith(".html"):
            return text
        return INCLUDE_PATTERN.sub(self._included_text, without_line_breaks(text))

    def _included_text(self, tag: re.Match[str]) -> str:
        """Return the text of the template that this tag includes, or the tag if it must stay."""
        name, values = tag.groups()
        if values is not None and values.endswith(" only"):
            return tag[0]
        for origin in self.get_template_sources(name):
            try:
                text = self.get_contents(origin)
            except TemplateDoesNotExist:
                continue
            return f"{{% with {values} %}}{text}{{% endwith %}}" if values else text
        return tag[0]


def without_line_breaks(html: str) -> str:
    """Return this template without comments and without line breaks that separate no words.

    A line break after an opening tag, before a closing tag or next to a block is removed. This
    applies to tags of HTML and of Django. Every other line break becomes a space.
    """
    pieces = [found[0] for found in TEMPLATE_TOKEN_PATTERN.finditer(COMMENT_PATTERN.sub("", html))]
    written = []
    for number, piece in enumerate(pieces):
        if piece.isspace() and "\n" in piece:
            before = pieces[number - 1] if number else "<html>"
            after = pieces[number + 1] if number + 1 < len(pieces) else "</html>"
            written.append(_separator(before, after))
        elif piece.startswith("<"):
            written.append(
                re.sub(
                    HTML_TAG_PATTERN,
                    lambda tag: LINE_BREAKS_PATTERN.sub(" ", tag[0]),
                    piece,
                    count=1,
                )
            )
        else:
            written.append(piece)
    return "".join(written)


def _separator(before: str, after: str) -> str:
    opens, name_before = _parse_tag(before)
    _, name_after = _parse_tag(after)
    is_inside = (
        (opens and name_before not in VOID_ELEMENTS)
        or after.startswith("</")
        or OPENING_TAG_PATTERN.match(before)
        or CLOSING_TAG_PATTERN.match(after)
    )
    return "" if is_inside or name_before in BLOCK_ELEMENTS or name_after in BLOCK_ELEMENTS else " "


def _parse_tag(piece: str) -> tuple[bool, str]:
    """Return whether this piece is an opening tag, and the tag's name or ""."""
    found = re.match(r"<(/?)([a-zA-Z][\w-]*)", piece)
    return (not found[1], found[2].lower()) if found else (False, "")
