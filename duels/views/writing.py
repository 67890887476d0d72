"""What somebody writes on the page of a duel: his order sheet, his answers, and what is sealed.

The sheet is shown as the engine sees it for what is typed, drafted or sealed, in this order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any

import engine
from duels import adjudication, commands
from duels.models import Duel
from duels.queries import AskedQuestion, DuelPage
from duels.views.book import effect
from duels.views.counsel import counsel, words
from duels.views.guide import marked
from duels.views.order_sheet import Book, OrderForm, order_form, question_choices, said
from duels.views.text_box import TypedText, text_box

SHORT_SEAL = 12  # as many signs of a commitment tell two of them apart


@dataclass(frozen=True)
class Typed:
    """What somebody has handed in and what came of it: shown again, with every fault."""

    fields: Mapping[str, str]
    faults: Sequence[engine.Fault] = ()
    form_seal: str | None = None  # the seal that the form was made from
    note: str = ""  # why it was not taken
    stale: commands.Stale | None = None
    answers: bool = False  # the fields are answers to questions
    elsewhere: bool = False  # typed for another turn than the one shown
    text: TypedText | None = None  # the box of orders as text
    is_asked: bool = False  # whether to seal them, in the step before sealing
    is_unwarned: bool = False  # they were to be sealed, and deserve a warning first


@dataclass(frozen=True)
class Receipt:
    """What lies sealed, and who it waits for."""

    sealed_at: datetime
    seal: str
    taken_back: bool
    words: tuple[str, ...]
    lines: tuple[tuple[str, str], ...]  # field and value, in words
    waiting_for: tuple[str, ...]

    @property
    def short_seal(self) -> str:
        return self.seal[:SHORT_SEAL]


@lru_cache(maxsize=16)
def book_of(ruleset_id: str) -> Book:
    """What the order sheet says of a ruleset's spells."""
    ruleset = adjudication.rulesets()[ruleset_id]
    return Book(
        names={spell.id: spell.name for spell in ruleset.spells.values()},
        effects={spell.id: effect(spell, ruleset) for spell in ruleset.spells.values()},
    )


def spell_names(duel: Duel) -> Mapping[str, str]:
    """The names of a duel's spells by id."""
    return book_of(duel.ruleset).names


def writing_context(page: DuelPage, typed: Typed | None) -> dict[str, Any]:
    """What the parts of the page print that somebody writes in."""
    context: dict[str, Any] = {
        "typed": typed,
        "typed_from": page.form_seal,
        "receipt": _receipt(page),
    }
    if typed is not None and typed.note:
        context["versions"] = _versions(page, typed)
    if page.sheet is not None:
        context |= sheet_context(page, typed)
    if page.questions:
        context |= _questions_context(page, typed)
    return context


def sheet_context(page: DuelPage, typed: Typed | None) -> dict[str, Any]:
    """The order sheet of the page's own wizard, for what is typed so far."""
    assert page.sheet is not None
    assert page.turn is not None
    wizard = page.sheet.wizard
    if typed is None or typed.answers or typed.elsewhere:
        return {
            "form": _form(page, page.sheet, _kept(page, typed), ()),
            "text_box": text_box(page.turn, wizard, page.draft, None),
            "is_folded": bool(page.form_seal) and typed is None and _rests(page),
        }
    form = _form(page, drafted_sheet(page, typed.fields), typed.fields, typed.faults)
    text = typed.text
    if text is not None and form.other_faults:
        # The sheet cannot show all that the text says: what it says must not get lost.
        text = replace(text, is_read=False)
    return {
        "form": form,
        "text_box": text_box(page.turn, wizard, typed.fields, text),
        "typed_from": page.form_seal if typed.form_seal is None else typed.form_seal,
    }


def drafted_sheet(page: DuelPage, fields: Mapping[str, str]) -> engine.Sheet:
    """The engine's sheet for these fields; without them where they have no meaning at all."""
    assert page.sheet is not None
    assert page.turn is not None
    try:
        draft = engine.from_fields(fields)
    except engine.InvalidData:
        return page.sheet
    return engine.sheet(adjudication.position_of(page.turn), page.sheet.wizard, draft)


def _form(
    page: DuelPage,
    sheet: engine.Sheet,
    fields: Mapping[str, str],
    faults: Sequence[engine.Fault],
) -> OrderForm:
    assert page.turn is not None
    assert page.view is not None
    trails = {hand.hand: hand.letters for hand in page.view.hands if hand.wizard == sheet.wizard}
    advice = counsel(page.turn, sheet.wizard, fields)
    form = order_form(sheet, fields, book_of(page.duel.ruleset), faults, advice, trails)
    return marked(form, page)


def _kept(page: DuelPage, typed: Typed | None) -> Mapping[str, str]:
    """What the sheet begins with. Words written for a turn that has passed are not lost."""
    if typed is None or typed.answers or not typed.fields.get("say") or page.draft.get("say"):
        return page.draft
    return {**page.draft, "say": typed.fields["say"]}


def _rests(page: DuelPage) -> bool:
    """Whether what is sealed stands, and nothing else has been begun."""
    live = page.live_orders
    return live is not None and not live.taken_back and page.draft_saved_at is None


def _receipt(page: DuelPage) -> Receipt | None:
    live = page.live_orders
    if live is None or page.turn is None or page.me is None or page.view is None:
        return None
    told: tuple[str, ...] = ()
    if page.questions:
        lines = _answered(page.questions, live.fields)
    else:
        lines = tuple(said(live.fields, page.view.names, spell_names(page.duel)))
        told = words(page.turn, page.me.code, live.fields)
    others = tuple(name for name in page.waiting_for if name != page.me.name)
    return Receipt(live.sealed_at, live.seal, live.taken_back, told, lines, others)


def _answered(
    questions: Sequence[AskedQuestion], given: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    """Questions and what was answered, in words."""
    return tuple(
        (
            question.text,
            dict(zip(question.options, question.words, strict=True))[given[question.id]],
        )
        for question in questions
        if given.get(question.id) in question.options
    )


def _versions(page: DuelPage, typed: Typed) -> dict[str, Any]:
    """What was handed in, and what is sealed instead."""
    assert page.view is not None
    live = page.live_orders.fields if page.live_orders else {}
    names, spells = page.view.names, spell_names(page.duel)
    if typed.answers:
        return {
            "typed": _answered(page.questions, typed.fields),
            "sealed": _answered(page.questions, live),
        }
    return {"typed": said(typed.fields, names, spells), "sealed": said(live, names, spells)}


def _questions_context(page: DuelPage, typed: Typed | None) -> dict[str, Any]:
    live = page.live_orders.fields if page.live_orders else {}
    fields = typed.fields if typed and typed.answers else live
    faults = typed.faults if typed and typed.answers else ()
    return {"questions": question_choices(page.questions, fields, faults)}
