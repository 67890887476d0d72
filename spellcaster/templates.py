"""Our templates as they are printed: without the indentation that only their writers need."""

import re
from typing import Final

from django.template import Origin
from django.template.loaders.filesystem import Loader

INDENTATION: Final = re.compile(r"\n[ \t]+")


class WithoutIndentation(Loader):
    """Pages are a fifth smaller so; lines stay where they are, for messages that number them."""

    def get_contents(self, origin: Origin) -> str:
        text: str = super().get_contents(origin)
        return INDENTATION.sub("\n", text) if origin.name.endswith(".html") else text
