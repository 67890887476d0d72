"""Lookups that compare the codes and words of archived duels."""

import re
from typing import TYPE_CHECKING, Any

from django.db.models import BooleanField, Lookup

if TYPE_CHECKING:  # generic for the type checker only
    AnyLookup = Lookup[Any]
else:
    AnyLookup = Lookup


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
    """The same lookup, which uses the index of codes on PostgreSQL."""

    lookup_name = "has_indexed_codes"

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        column, _ = self.process_lhs(compiler, connection)
        return f"string_to_array({column}, ' ') @> %s::text[]", [list(self.rhs)]


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
