"""The forms on a duel's page: the order sheet, answers and sealed orders.

The sheet shows the engine's options for the submitted orders. If there are none, it shows those for
the draft, or for the sealed orders.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import partial

import engine.orders
import engine.play
from duels.caching.caches import KeyedCache, named_cache
from duels.loaded import adjudication
from duels.models import Duel
from duels.post import public as post
from duels.queries.rows import AskedQuestion, DuelPage
from duels.screens.order_sheet.advice import advice_on, warning_to_show
from duels.screens.order_sheet.answer_effects import answer_effect, charmed_hand_warnings
from duels.screens.order_sheet.build import order_form, question_choices
from duels.screens.order_sheet.foreseen_questions import foreseen_questions
from duels.screens.order_sheet.form_parts import Choice, OrderForm, SpellTexts
from duels.screens.order_sheet.lesson_guide import with_marked_gestures
from duels.screens.order_sheet.opponent_gestures import OpponentGestures, opponent_gestures
from duels.screens.order_sheet.order_words import orders_as_pairs
from duels.screens.order_sheet.text_box import NO_TEXT, TextBox, TypedText, text_box, text_help
from duels.screens.parts.rules.spell_rows import spell_effect
from duels.screens.parts.vacation_words import vacation_words
from duels.screens.parts.view_cache import SheetKey, sheet_key
from duels.template_values import TemplateValue

ORDER_FORM_CACHE: KeyedCache[SheetKey, OrderForm] = KeyedCache(
    "order sheets", size=256, key="the SheetKey: the ViewKey of the writer, and all fields"
)
TEXT_BOX_CACHE: KeyedCache[SheetKey, TextBox] = KeyedCache(
    "orders as text", size=256, key="the SheetKey: the ViewKey of the writer, and all fields"
)


class FormOutcome(StrEnum):
    SHOWN_AGAIN = "shown_again"  # the form is shown with faults or for confirmation
    REVIEWED = "reviewed"  # the orders are shown for review before sealing
    UNWARNED = "unwarned"  # warnings must be shown before sealing
    STALE = "stale"  # the form is based on an outdated seal
    REFUSED = "refused"  # the form cannot be accepted now, or belongs to another turn


@dataclass(frozen=True)
class SubmittedForm:
    """Submitted orders or answers, to show again on the page with all their faults."""

    fields: Mapping[str, str]
    faults: Sequence[engine.play.Fault] = ()
    form_seal: str | None = None  # the seal that the form is based on
    outcome: FormOutcome = FormOutcome.SHOWN_AGAIN
    note: str = ""  # why the form was not accepted
    holds_answers: bool = False  # whether the form contains answers instead of orders
    text: TypedText = NO_TEXT  # contents of the box for text orders

    @property
    def fills_sheet(self) -> bool:
        """Whether the order sheet shows these fields."""
        return not self.holds_answers and self.outcome != FormOutcome.REFUSED

    @property
    def is_stale(self) -> bool:
        return self.outcome == FormOutcome.STALE


@dataclass(frozen=True)
class Receipt(TemplateValue):
    """The reader's sealed orders or answers, and the opponents who must still act."""

    sealed_at: datetime
    seal: str
    taken_back: bool
    words: tuple[str, ...]
    lines: tuple[tuple[str, str], ...]  # field and value as text
    waiting_for: tuple[str, ...]
    vacations: str  # sentences about opponents on vacation
    chance: str = ""  # random bytes from the player's browser, part of the seal
    is_lost: bool = False  # whether the key to decrypt the orders is missing
    gets_emails: bool = False  # whether an email reports that it is the reader's turn again


@dataclass(frozen=True)
class OrderForms(TemplateValue):
    """The forms for orders and for answers on a duel's page."""

    typed: SubmittedForm | None = None
    typed_from: str = ""  # the seal that the form is based on
    receipt: Receipt | None = None
    # If the submitted form was not accepted: its version of the orders or answers (`typed`) and the
    # `sealed` version, as pairs of field and value.
    versions: Mapping[str, Sequence[tuple[str, str]]] | None = None
    form: OrderForm | None = None  # set if the reader can seal orders
    text_box: TextBox | None = None
    is_folded: bool = False
    text_help: Mapping[str, str] | None = None  # names for the examples of text orders
    opponent_gestures: Sequence[OpponentGestures] = ()
    questions: Sequence[Choice] = ()
    other_faults: Sequence[engine.play.Fault] = ()  # not about one of the questions

    @property
    def is_reviewed(self) -> bool:
        """Whether the page asks for confirmation before sealing."""
        outcomes = (FormOutcome.REVIEWED, FormOutcome.UNWARNED)
        return self.typed is not None and self.typed.outcome in outcomes

    @property
    def is_unwarned(self) -> bool:
        """Whether the page shows warnings before sealing."""
        return self.typed is not None and self.typed.outcome == FormOutcome.UNWARNED

    @property
    def is_sealed(self) -> bool:
        receipt = self.receipt
        return receipt is not None and not receipt.taken_back and not receipt.is_lost


def spell_book_of(duel: Duel) -> SpellTexts:
    """Return the names and effects of a duel's spells for its order sheet."""
    return _spell_book(duel.ruleset, tuple(duel.options))


@named_cache("words of spells", size=16, key="the ruleset and the options")
def _spell_book(ruleset_id: str, options: tuple[str, ...]) -> SpellTexts:
    ruleset = engine.play.RULESETS[ruleset_id].under(options)
    return SpellTexts(
        names={spell.id: spell.name for spell in ruleset.spells.values()},
        effects={spell.id: spell_effect(spell, ruleset) for spell in ruleset.spells.values()},
    )


def order_forms(page: DuelPage, typed: SubmittedForm | None) -> OrderForms:
    """Return the forms on the page, with everything that was typed into them."""
    forms = OrderForms(typed, page.form_seal, _receipt(page))
    if typed is not None and typed.note:
        forms = replace(forms, versions=_versions_to_compare(page, typed))
    if page.can_seal:
        assert page.me is not None
        forms = replace(
            with_sheet(forms, page),
            text_help=text_help(page.view, page.me.code),
            opponent_gestures=opponent_gestures(page.view),
        )
    return _with_questions(forms, page) if page.questions else forms


def with_sheet(forms: OrderForms, page: DuelPage) -> OrderForms:
    """Add the reader's order sheet, based on the fields typed so far."""
    assert page.me is not None
    turn, wizard, typed = page.open_turn, page.me.code, forms.typed
    if typed is None or not typed.fills_sheet:
        assert page.sheet is not None
        fields = page.draft
        said = typed.fields.get("say") if typed and not typed.holds_answers else ""
        if said and not fields.get("say"):
            fields = fields | {"say": said}  # a message that was typed for an earlier turn
        return replace(
            forms,
            form=_cached_order_form(page, page.sheet, fields, ()),
            text_box=TEXT_BOX_CACHE.get(
                sheet_key(page, page.draft),
                lambda: text_box(turn.position, wizard, page.draft, NO_TEXT),
            ),
            is_folded=typed is None and forms.is_sealed and page.draft_saved_at is None,
        )
    form = _cached_order_form(page, drafted_sheet(page, typed.fields), typed.fields, typed.faults)
    text = typed.text
    if form.other_faults:
        # The sheet does not have fields for all orders in the text, so keep the text.
        text = replace(text, is_read=False)
    return replace(
        forms,
        form=form,
        text_box=text_box(turn.position, wizard, typed.fields, text),
        typed_from=page.form_seal if typed.form_seal is None else typed.form_seal,
    )


def drafted_sheet(page: DuelPage, fields: Mapping[str, str]) -> engine.play.Sheet:
    """Return the engine's sheet for these fields, or the page's if they are invalid."""
    assert page.me is not None
    try:
        draft = engine.orders.from_fields(fields)
    except engine.play.InvalidData:
        assert page.sheet is not None
        return page.sheet
    return engine.play.sheet(page.open_turn.position, page.me.code, draft)


def _cached_order_form(
    page: DuelPage,
    sheet: engine.play.Sheet,
    fields: Mapping[str, str],
    faults: Sequence[engine.play.Fault],
) -> OrderForm:
    key = None if faults else sheet_key(page, fields)

    def build_form() -> OrderForm:
        shown = replace(sheet, advance=foreseen_questions(sheet, page.view, fields))
        advice = advice_on(page.open_turn.position, sheet.wizard, fields)
        charmed = map(warning_to_show, charmed_hand_warnings(shown, page.view, fields))
        advice = replace(advice, warnings=(*advice.warnings, *charmed))
        form = order_form(shown, fields, spell_book_of(page.duel), faults, advice, page.view)
        return replace(with_marked_gestures(form, page), key=key)

    return ORDER_FORM_CACHE.get(key, build_form)


def _receipt(page: DuelPage) -> Receipt | None:
    live = page.live_orders
    if live is None or page.me is None:
        return None
    told: tuple[str, ...] = ()
    if live.is_lost:
        return Receipt(live.sealed_at, live.seal, live.taken_back, (), (), (), "", is_lost=True)
    if page.questions:
        lines = _questions_with_answers(page.questions, live.fields)
    else:
        spells = page.view.rules.spell_names
        lines = tuple(orders_as_pairs(live.fields, page.view.names, spells))
        told = adjudication.orders_as_sentences(
            page.open_turn.position, page.me.code, engine.orders.from_fields(live.fields)
        )
    others = tuple(name for name in page.waiting_for if name != page.me.name)
    return Receipt(
        live.sealed_at,
        live.seal,
        live.taken_back,
        told,
        lines,
        others,
        vacation_words(page),
        chance=live.chance,
        gets_emails=bool(others) and post.gets_emails(page.me.wizard, page.duel),
    )


def _questions_with_answers(
    questions: Sequence[AskedQuestion], given: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    return tuple(
        (question.text, question.words_by_option[given[question.id]])
        for question in questions
        if given.get(question.id) in question.options
    )


def _versions_to_compare(
    page: DuelPage, typed: SubmittedForm
) -> Mapping[str, Sequence[tuple[str, str]]]:
    names, spells = page.view.names, page.view.rules.spell_names
    live = page.live_orders.fields if page.live_orders else {}
    return {
        version: _questions_with_answers(page.questions, fields)
        if typed.holds_answers
        else orders_as_pairs(fields, names, spells)
        for version, fields in (("typed", typed.fields), ("sealed", live))
    }


def _with_questions(forms: OrderForms, page: DuelPage) -> OrderForms:
    typed = forms.typed
    live = page.live_orders.fields if page.live_orders else {}
    fields = typed.fields if typed and typed.holds_answers else live
    faults = typed.faults if typed and typed.holds_answers else ()
    asked = {question.id for question in page.questions}
    effects = spell_book_of(page.duel).effects
    effect_of = partial(answer_effect, view=page.view, effects=effects)
    return replace(
        forms,
        questions=question_choices(page.questions, fields, faults, effect_of),
        other_faults=[fault for fault in faults if fault.field not in asked],
    )
