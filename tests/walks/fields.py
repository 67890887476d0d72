"""Every field name that a form on the site can have, collected from its sources.

The sources are form classes, referees' acts, the options of duels, the engine's order fields,
templates (including those of Django and allauth), and the names that code reads from submitted
forms and query strings. `is_known` checks whether a name comes from one of these sources.
"""

import ast
import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.views.main import IGNORED_PARAMS
from django.forms.models import inlineformset_factory
from django.template.utils import get_app_template_dirs
from django.urls import get_resolver

from duels.accounts import preferences
from duels.referees.acts.registry import SPEC_BY_ACT
from duels.referees.desk.case import CASE_FORMS
from duels.wording.options import OPTION_TEXTS
from engine.orders import NAMES_WITH_PARTS, PLAIN_FIELDS, KeyedField, SetField, order_field

TOKEN_FIELD = "csrfmiddlewaretoken"  # Django writes this field into every form
ROOT = Path(__file__).resolve().parent.parent.parent
_FIELD_PATTERN = re.compile(r'<(?:input|select|textarea|button)\b[^<]*?\sname="([^"]+)"')
_VARIABLE_PATTERN = re.compile(r"\{\{.*?\}\}|\{%.*?%\}")
# Names of variables and attributes that hold submitted fields or query parameters.
_REQUEST_VARIABLES = frozenset({"POST", "GET", "posted", "typed", "values", "data", "fields"})
_READING_METHODS = frozenset({"get", "getlist", "pop"})
_PREFIX_METHODS = frozenset({"startswith", "removeprefix"})


class FieldNames(NamedTuple):
    """Complete names, and patterns for names with a varying part."""

    whole: frozenset[str]
    patterns: tuple[re.Pattern[str], ...]


def is_known(name: str) -> bool:
    """Return whether any form on the site can have a field with this name."""
    names = field_names()
    return (
        name in names.whole
        or order_field(name) is not None
        or any(pattern.fullmatch(name) for pattern in names.patterns)
    )


def form_field_names(html: str) -> list[str]:
    """Return the names of all form fields of a page."""
    return [unescape(name) for name in _FIELD_PATTERN.findall(html)]


@cache
def order_field_names() -> tuple[str, ...]:
    """Return the names of order fields, and the prefixes of names with a varying part."""
    described = [order_field(name) for name in NAMES_WITH_PARTS]
    kinds = {field.what for field in described if isinstance(field, SetField)}
    kinds |= {field.kind for field in described if isinstance(field, KeyedField)}
    victims = ("victim:m0", "victim2:m0", "victim:m1", "victim:m999999")
    return (*NAMES_WITH_PARTS, *PLAIN_FIELDS, *victims, *sorted(kinds))


@cache
def field_names() -> FieldNames:
    """Return all field names from all sources."""
    _import_everything()
    found = {
        TOKEN_FIELD,
        *order_field_names(),
        *OPTION_TEXTS,
        *preferences.PREFERENCE_FIELDS,
        *_form_class_names(),
        *_admin_names(),
        *_template_names(),
        *_code_names(),
    }
    found |= {field.name for spec in SPEC_BY_ACT.values() for field in spec.fields}
    found |= {f"{name}-{field}" for name, form in CASE_FORMS.items() for field in form.base_fields}
    varying = {name for name in found if "*" in name}
    patterns = (re.escape(name).replace(r"\*", ".+") for name in sorted(varying))
    return FieldNames(frozenset(found - varying), tuple(map(re.compile, patterns)))


def _import_everything() -> None:
    """Load every view, and thereby every form class and the pages of the admin."""
    assert get_resolver().url_patterns


def _form_class_names() -> Iterator[str]:
    """Yield the fields of all form classes, and those that modules add to individual forms."""
    classes = list(_subclasses(forms.BaseForm))
    for each in classes:
        yield from getattr(each, "base_fields", ())
    for module in {each.__module__ for each in classes}:
        yield from _FieldReadVisitor(module).names(
            ast.parse(inspect.getsource(sys.modules[module]))
        )


def _subclasses(parent: type[Any]) -> Iterator[type[Any]]:
    for each in parent.__subclasses__():
        yield each
        yield from _subclasses(each)


def _admin_names() -> Iterator[str]:
    """Yield the names for sorting, searching, filtering and selecting rows in the admin."""
    yield from (*IGNORED_PARAMS, ACTION_CHECKBOX_NAME)
    for model, model_admin in admin.site._registry.items():
        for inline in model_admin.inlines:
            prefix = inlineformset_factory(model, inline.model, fields=()).get_default_prefix()
            yield f"{prefix}-*"
        for column in model_admin.list_filter:
            if isinstance(column, str):
                yield f"{column}__exact"


def _template_names() -> Iterator[str]:
    """Yield the field names in templates, with "*" for computed parts."""
    for folder in (*settings.TEMPLATES[0]["DIRS"], *get_app_template_dirs("templates")):
        for file in Path(str(folder)).rglob("*.html"):
            for name in form_field_names(_VARIABLE_PATTERN.sub("*", file.read_text())):
                if name.strip("*"):
                    yield name


def _code_names() -> Iterator[str]:
    for package in ("duels", "spellcaster"):
        for file in sorted((ROOT / package).rglob("*.py")):
            source = file.read_text()
            if re.search(r"\bPOST\b|\bGET\b|\bposted\b|\btyped\b", source):
                module = ".".join(file.relative_to(ROOT).with_suffix("").parts)
                yield from _FieldReadVisitor(module.removesuffix(".__init__")).names(
                    ast.parse(source)
                )


class _FieldReadVisitor:
    """Finds names that a module reads, as in `request.POST["turn"]` or `typed.get(f"{ACT}-x")`."""

    def __init__(self, module: str) -> None:
        self.module = module

    def names(self, tree: ast.Module) -> Iterator[str]:
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Attribute(value=of, attr=how), args=[key, *_]):
                    if how in _READING_METHODS and _is_request(of):
                        yield from self.read(key)
                    elif how in _PREFIX_METHODS and isinstance(of, ast.Name) and of.id == "name":
                        yield from (f"{start}*" for start in self.read(key))
                case ast.Subscript(value=of, slice=key) if _is_request(of):
                    yield from self.read(key)
                case ast.Compare(left=key, ops=[ast.In()], comparators=[of]) if _is_request(of):
                    yield from self.read(key)
                case ast.Call(func=ast.Name(id=form), keywords=[*_, ast.keyword("prefix", prefix)]):
                    for start in self.read(prefix):
                        fields = getattr(self.value(form), "base_fields", ())
                        yield from (f"{start}-{field}" for field in fields)
                case _:
                    pass

    def read(self, key: ast.expr) -> Iterator[str]:
        """Yield the value of an expression if it is a string."""
        name = self.text(key)
        if name.strip("*"):
            yield name

    def text(self, key: ast.expr) -> str:
        match key:
            case ast.Constant(value=str(text)):
                return text
            case ast.JoinedStr(values=parts):
                return "".join(map(self.text, parts))
            case ast.FormattedValue(value=inner):
                return self.text(inner)
            case ast.Name(id=name):
                return str(self.value(name)) if isinstance(self.value(name), str) else "*"
            case ast.Attribute(value=ast.Name(id=owner), attr=name):
                found = getattr(self.value(owner), name, None)
                return found if isinstance(found, str) else "*"
            case _:
                return "*"

    def value(self, name: str) -> object:
        """Return the value of the module's global variable with this name."""
        return getattr(importlib.import_module(self.module), name, None)


def _is_request(of: ast.expr) -> bool:
    name = of.attr if isinstance(of, ast.Attribute) else of.id if isinstance(of, ast.Name) else ""
    return name in _REQUEST_VARIABLES
