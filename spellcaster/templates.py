"""Template loader that removes indentation and inlines included templates."""

import re
from typing import Final

from django.template import Origin, TemplateDoesNotExist
from django.template.loaders.filesystem import Loader

INDENTATION: Final = re.compile(r"\n[ \t]+")
PART: Final = re.compile(r'\{% include "([^"]+\.html)"(?: with ((?:(?!%\}).)+?))? %\}')


class IncludeInliningLoader(Loader):
    """Loader that removes the indentation of HTML and replaces `include` tags with their templates.

    Indentation would make compressed pages two percent larger. Django's `include` often takes
    longer than the included template itself, because it looks up the template and stacks contexts
    each time that the page is rendered.
    """

    def get_contents(self, origin: Origin) -> str:
        text: str = super().get_contents(origin)
        if not origin.name.endswith(".html"):
            return text
        return PART.sub(self._included_text, INDENTATION.sub("\n", text))

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
