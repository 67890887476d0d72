"""Lookups that compare the codes and words of archived duels."""

import re
from typing import TYPE_CHECKING, Any, Final

from django.db.models import BooleanField, Lookup

if TYPE_CHECKING:  # generic for the type checker only
    AnyLookup = Lookup[Any]
else:
    AnyLookup = Lookup

# Kinds for which each duel has exactly one code, with their patterns in the migration `facets`.
FACETS: Final = {kind: rf"\m{kind}\.[^ ]+" for kind in ("ruleset", "size", "way")}


class HasCodes(AnyLookup):
    """A lookup that matches texts with all these codes. It does not use an index."""

    lookup_name = "has_codes"
    prepare_rhs = False
    output_field = BooleanField()

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[str, ...]]:
        column, _ = self.process_lhs(compiler, connection)
        position = "strpos" if connection.vendor == "postgresql" else "instr"
        condition = f"{position}(' ' || {column} || ' ', %s) > 0"
        return " AND ".join([condition] * len(self.rhs)), tuple(f" {code} " for code in self.rhs)


class HasIndexedCodes(HasCodes):
    """A lookup like `HasCodes` that uses the index of codes on PostgreSQL."""

    lookup_name = "has_indexed_codes"

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        column, _ = self.process_lhs(compiler, connection)
        return f"string_to_array({column}, ' ') @> %s::text[]", [list(self.rhs)]


class HasIndexedFacets(HasIndexedCodes):
    """The same lookup for codes of `FACETS`, which PostgreSQL also finds in the indexes that sort
    the duels. It chooses the faster index, because it knows how frequent each value is."""

    lookup_name = "has_indexed_facets"

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        condition, values = super().as_postgresql(compiler, connection)
        column, _ = self.process_lhs(compiler, connection)
        for code in self.rhs:
            condition += f" AND substring({column} from '{FACETS[kind_of_code(code)]}') = %s"
        return condition, [*values, *self.rhs]


class HasWords(AnyLookup):
    """A lookup that matches texts with all these words, on PostgreSQL in any grammatical form."""

    lookup_name = "has_words"
    prepare_rhs = False
    output_field = BooleanField()

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[str, ...]]:
        column, _ = self.process_lhs(compiler, connection)
        words = re.findall(r"\w+", self.rhs.lower()) or [self.rhs]
        return " AND ".join([f"instr({column}, %s) > 0"] * len(words)), tuple(words)

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, list[str]]:
        column, _ = self.process_lhs(compiler, connection)
        lexemes = f"{column.rpartition('.')[0]}.lexemes"
        return f"{lexemes} @@ plainto_tsquery('english', %s)", [self.rhs]


def kind_of_code(code: str) -> str:
    """Return the part of a code before the dot, such as \"cast\" of \"cast.shield\"."""
    return code.partition(".")[0]
