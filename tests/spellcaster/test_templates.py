import re
from pathlib import Path

import pytest
from django.conf import settings
from django.template import engines

from spellcaster.templates import without_line_breaks


@pytest.mark.parametrize(
    ("written", "rendered"),
    [
        ("<p>\n  Two\n  words\n</p>\n", "<p>Two words</p>"),
        ("<p>A</p>\n<p>B</p>", "<p>A</p><p>B</p>"),
        ("Read\n<a>\n  the rules\n</a>\n.", "Read <a>the rules</a> ."),
        ("<a>A</a>\n<a>B</a>", "<a>A</a> <a>B</a>"),
        (
            '<label>\n  Name\n  <input name="n">\n  Bram\n</label>',
            '<label>Name <input name="n"> Bram</label>',
        ),
        ("Turn {{ turn }}\n{{ clock }}", "Turn {{ turn }} {{ clock }}"),
    ],
)
def test_line_breaks_only_separate_words_and_inline_elements(written: str, rendered: str):
    assert without_line_breaks(written) == rendered


@pytest.mark.parametrize(
    ("written", "rendered"),
    [
        ("Sealed\n{% if x %}\n  twice\n{% endif %}.", "Sealed {% if x %}twice{% endif %}."),
        ("{% if x %}\n  A\n{% else %}\n  B\n{% endif %}", "{% if x %}A{% else %}B{% endif %}"),
        (
            "{% load signs %}\n{% comment %}One\ntwo{% endcomment %}\nA",
            "{% load signs %}A",
        ),
    ],
)
def test_line_breaks_inside_django_tags_are_removed(written: str, rendered: str):
    assert without_line_breaks(written) == rendered


def test_items_of_a_loop_stay_separate():
    written = "{% for name in names %}\n  <a>{{ name }}</a>\n{% endfor %}"
    assert without_line_breaks(written) == ("{% for name in names %}<a>{{ name }}</a> {% endfor %}")


def test_attributes_on_several_lines_become_one_line():
    written = '<a class="who"\n   href="{% url \'duel\' 1 %}"{% if x %}\n   hidden{% endif %}>'
    assert without_line_breaks(written) == (
        '<a class="who" href="{% url \'duel\' 1 %}"{% if x %} hidden{% endif %}>'
    )


@pytest.mark.parametrize("name", ["pre", "script", "style", "textarea"])
def test_text_with_its_own_line_breaks_keeps_them(name: str):
    text = "\n  LH P\n\n  RH W\n"
    written = f'<{name} id="text"\n  class="code">{text}</{name}>'
    assert without_line_breaks(written) == f'<{name} id="text" class="code">{text}</{name}>'


@pytest.mark.parametrize("token", ["one", "other"])
def test_each_form_of_a_page_contains_the_token(token: str):
    page = engines["django"].from_string("{% csrf_token %}{% csrf_token %}")
    field = f'<input type="hidden" name="csrfmiddlewaretoken" value="{token}">'
    assert page.render({"csrf_token": token}) == field * 2


TAG_PATTERN = re.compile(
    r"{% comment .*?endcomment %}|{[%{#].*?[%}#]}|<(style|script).*?</\1>|<[^>]*>", re.DOTALL
)
ATTRIBUTE_PATTERN = re.compile(r"\b[a-z_]+\.[a-z_]+\b")
NAMES_WITH_DOTS = {"game-icons.net", "record.json", "proof.json", "README.txt"}


def test_text_of_templates_does_not_contain_names_of_variables():
    written = {
        (path.name, name)
        for path in Path(settings.BASE_DIR, "templates").rglob("*.html")
        for name in ATTRIBUTE_PATTERN.findall(visible_text(path.read_text()))
    }
    assert written == set()


def visible_text(template: str) -> str:
    text = TAG_PATTERN.sub(" ", template)
    for name in NAMES_WITH_DOTS:
        text = text.replace(name, "")
    return text
