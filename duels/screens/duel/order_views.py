"""Views to check, draft, seal and take back orders and answers.

If a form is rejected, the page shows it again as it was typed.
"""

from dataclasses import replace
from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

import engine.orders
import engine.play
import engine.proof
import engine.words
from duels import errors
from duels.commands import sealing
from duels.commands.locking import TURN_IS_VOID
from duels.loaded.database_clock import site_now
from duels.models import Duel, Seat, Stage, Turn, Wizard
from duels.queries import pages
from duels.queries.rows import questions_for
from duels.requests import access, form_keys
from duels.requests.rate_limits import check_rate
from duels.screens.duel.views import SEAL_TAG_PREFIX, duel_response
from duels.screens.order_sheet.context import FormOutcome, OrderForms, SubmittedForm, with_sheet
from duels.screens.order_sheet.own_sets import grid_rows_in_fields
from duels.screens.order_sheet.text_box import NO_TEXT, TypedText, merge_text_orders
from duels.sign_in import guests
from duels.wording.moments import moment_words
from duels.wording.order_fields import COMMON_TARGET_FIELD, order_field

# Fields in the form that are not orders.
FIELDS_OUTSIDE_ORDERS = frozenset(
    {
        "csrfmiddlewaretoken",
        "turn",
        "form_seal",
        "do",
        "text",
        "text_before",
        "seen",
        "part",
        "roll_backs",
        "round",
        form_keys.FORM_KEY_FIELD,
        engine.proof.RANDOM_NUMBER_FIELD,
        COMMON_TARGET_FIELD,
    }
)
MAX_SEAL_LENGTH = 64
UNKNOWN_TURN_TEXT = "This is not a turn of the duel."
SHEET_BUTTONS = frozenset({"look", "seal", "draft"})  # these apply edited text orders first
RATE_LIMITED_BUTTONS = frozenset({"seal", "draft"})  # buttons that store the sheet's fields


def submitted_form(request: HttpRequest, *, holds_answers: bool = False) -> SubmittedForm:
    """Return the submitted orders or answers.

    A common target for all monsters replaces the target of each monster.
    """
    fields = {
        name: request.POST[name] for name in request.POST if name not in FIELDS_OUTSIDE_ORDERS
    }
    if everybody := request.POST.get(COMMON_TARGET_FIELD):
        fields |= {name: everybody for name in fields if order_field(name).kind == "victim"}
    return SubmittedForm(
        fields,
        form_seal=request.POST.get("form_seal", "")[: MAX_SEAL_LENGTH + 1],
        holds_answers=holds_answers,
        text=TypedText(request.POST.get("text", ""), request.POST.get("text_before", "")),
    )


def turn_of_form(request: HttpRequest, loaded_duel: Duel) -> Turn | None:
    """Return the turn that a form was made for, or None if the form does not name a turn.

    The form also contains the number of rollbacks before the turn opened. This keeps a form for a
    void turn from changing the turn that replaced it.
    """
    ordinal = number_in_field(request, "turn")
    roll_backs = number_in_field(request, "roll_backs", 0)
    if ordinal is None or roll_backs is None:
        return None
    named = Turn.with_voided.filter(duel=loaded_duel, ordinal=ordinal, roll_backs=roll_backs)
    return named.first()


def number_in_field(request: HttpRequest, name: str, default: int | None = None) -> int | None:
    """Return the number in this field, `default` if it is missing, or None if it is invalid."""
    text = request.POST.get(name)
    if text is None:
        return default
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


@access.post_only
@access.duellist_only
def submit_orders(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Handle the buttons of the order sheet."""
    found = access.duel_or_404(duel_id, wizard)
    if found.started_at is None:
        not_begun = errors.Refused("not_begun", "This duel has not begun.")
        return access.refusal_response(request, not_begun, ruleset=found.ruleset)
    form, turn = submitted_form(request), turn_of_form(request, found)
    if turn is None:
        fault = engine.play.Fault("unknown_turn", "turn", "turn:orders", UNKNOWN_TURN_TEXT)
        form = replace(form, faults=[fault], text=NO_TEXT)
        return duel_response(request, found, wizard, form, HTTPStatus.BAD_REQUEST)
    do = request.POST.get("do", "seal")
    try:
        if do == "read" or (do in SHEET_BUTTONS and form.text.is_changed):
            return _apply_text_response(request, found, turn, wizard, form)
        if do == "discard_text":
            return _review_response(request, found, turn, wizard, replace(form, text=NO_TEXT))
        if do == "look":
            reviewed = replace(form, outcome=FormOutcome.REVIEWED)
            return _review_response(request, found, turn, wizard, reviewed)
        if do in RATE_LIMITED_BUTTONS:
            check_rate(request, "seal", wizard)
        _run_button(request, do, turn, wizard, form)
    except errors.Refused as refused:
        return _rejected_response(request, found, wizard, form, refused)
    if do == "seal":
        return _seal_response(request, found, turn, wizard, "Your orders for {} are sealed.")
    if do == "drop":  # for other buttons, the sheet itself shows what has happened
        messages.success(request, "Your draft is deleted.")
    return _back_to_duel(request, found, wizard, "orders")


def _rejected_response(
    request: HttpRequest,
    loaded_duel: Duel,
    wizard: Wizard,
    form: SubmittedForm,
    refused: errors.Refused,
) -> HttpResponse:
    """Show the page again with the form as typed, and the reason why it was rejected."""
    status = access.refusal_status(refused)
    match refused:
        case errors.UnreadWarnings():
            form = replace(form, outcome=FormOutcome.UNWARNED)
            status = HTTPStatus.UNPROCESSABLE_ENTITY
        case errors.IllegalOrders():
            form = replace(form, faults=refused.faults)
        case errors.StaleForm():  # if the form is sent again, it is based on the current seal
            seal = refused.current.seal
            form = replace(form, form_seal=seal, outcome=FormOutcome.STALE, note=refused.text)
        case _:
            form = replace(form, form_seal=None, outcome=FormOutcome.REFUSED, note=refused.text)
    return duel_response(request, loaded_duel, wizard, form, status)


def _back_to_duel(
    request: HttpRequest, loaded_duel: Duel, wizard: Wizard, part: str
) -> HttpResponse:
    response = redirect(f"{reverse('duel', args=[loaded_duel.pk])}#{part}")
    guests.extend_guest_stay(request, response, wizard)
    return response


def _seal_response(
    request: HttpRequest, loaded_duel: Duel, turn: Turn, wizard: Wizard, words: str
) -> HttpResponse:
    """Redirect to the sealed orders, or to the news if this seal was the turn's last.

    The news is the outcome of the duel or the report of the turn.
    """
    name = engine.words.turn_name(loaded_duel.ruleset, turn.kind, turn.number)
    messages.success(request, words.format(name), extra_tags=f"{SEAL_TAG_PREFIX}{turn.ordinal}")
    turn.refresh_from_db()
    if turn.is_open:
        is_asked = turn.stage == Stage.ANSWERS and questions_for(
            turn, Seat.objects.get(duel=loaded_duel, wizard=wizard)
        )
        return _back_to_duel(request, loaded_duel, wizard, "questions" if is_asked else "orders")
    loaded_duel.refresh_from_db(fields=["status"])
    part = "outcome" if loaded_duel.is_over else f"turn-{turn.ordinal}"
    return _back_to_duel(request, loaded_duel, wizard, part)


def _run_button(
    request: HttpRequest, button: str, turn: Turn, wizard: Wizard, form: SubmittedForm
) -> None:
    now, fields = site_now(), form.fields
    match button:
        case "seal":
            sealing.seal_orders(
                turn_id=turn.pk,
                wizard=wizard,
                fields=fields,
                form_seal=form.form_seal or "",
                seen=request.POST.getlist("seen"),
                now=now,
                chance=request.POST.get(engine.proof.RANDOM_NUMBER_FIELD, ""),
            )
        case "draft":
            sealing.save_draft(turn_id=turn.pk, wizard=wizard, fields=fields, now=now)
        case "drop":
            sealing.drop_draft(turn_id=turn.pk, wizard=wizard)
        case "take_back":
            sealing.unseal(turn_id=turn.pk, wizard=wizard, now=now)
        case _:
            raise errors.Refused("unknown_button", "This button does not exist.", field="do")


def _review_response(
    request: HttpRequest, loaded_duel: Duel, turn: Turn, wizard: Wizard, form: SubmittedForm
) -> HttpResponse:
    """Show the page again with these orders and, if they are reviewed, a summary of them.

    Nothing is saved.
    """
    if turn.voided_in:
        raise errors.Refused("turn_void", TURN_IS_VOID)
    if not turn.is_open:
        raise errors.Refused("turn_over", "This turn has been played.")
    try:
        engine.orders.from_fields(form.fields)
    except engine.play.InvalidData as invalid:
        return _invalid_field_response(request, loaded_duel, wizard, form, invalid)
    return duel_response(request, loaded_duel, wizard, form)


def _apply_text_response(
    request: HttpRequest, loaded_duel: Duel, turn: Turn, wizard: Wizard, form: SubmittedForm
) -> HttpResponse:
    """Show the page again with the text orders applied to the sheet, or with their errors.

    The page also shows the sentences that describe the orders, with a button to seal them. Nothing
    is saved.
    """
    page = pages.duel_page(loaded_duel, wizard, turn_count=0)
    if not page.can_seal or page.me is None or turn != page.turn:
        raise errors.Refused("no_sheet", "You have no orders to write for this turn.")
    position, code = page.open_turn.position, page.me.code
    try:
        fields = merge_text_orders(position, code, form.text, form.fields)
        faults = engine.play.check(position, code, engine.orders.from_fields(fields))
    except engine.words.UnreadableOrders as unreadable:
        form = replace(form, text=replace(form.text, misreadings=unreadable.misreadings))
        return duel_response(request, loaded_duel, wizard, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    except engine.play.InvalidData as invalid:
        return _invalid_field_response(request, loaded_duel, wizard, form, invalid)
    outcome = FormOutcome.SHOWN_AGAIN if faults else FormOutcome.REVIEWED
    text = replace(form.text, is_read=True)
    form = replace(form, fields=fields, faults=faults, text=text, outcome=outcome)
    return duel_response(request, loaded_duel, wizard, form)


def _invalid_field_response(
    request: HttpRequest,
    loaded_duel: Duel,
    wizard: Wizard,
    form: SubmittedForm,
    invalid: engine.play.InvalidData,
) -> HttpResponse:
    text = f"This {invalid.text}."
    fault = engine.play.Fault("invalid_field", invalid.field, "turn:orders", text)
    form = replace(form, faults=[fault])
    return duel_response(request, loaded_duel, wizard, form, HTTPStatus.UNPROCESSABLE_ENTITY)


@access.post_only
@access.duellist_only
def order_sheet_part(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Render the part of the order sheet that depends on the choices made so far.

    With `part=summary`, render the summary of the orders and the button to seal them.
    """
    loaded = access.loaded_duel_or_404(duel_id, wizard)
    found = loaded.duel
    page = pages.page_of_loaded_duel(loaded, wizard, turn_count=0) if found.started_at else None
    named = (request.POST.get("turn", ""), request.POST.get("roll_backs", "0"))
    if (
        page is None
        or not page.can_seal
        or named != (str(page.turn.ordinal), str(page.turn.roll_backs))
    ):
        return _turn_over_response(request, found)
    form = submitted_form(request)
    orders = with_sheet(OrderForms(form), page)
    assert orders.form is not None
    context = {
        "page": page,
        "ruleset": found.ruleset,
        "orders": orders,
        "own_rows": grid_rows_in_fields(page, form.fields, orders.form),
    }
    is_summary = request.POST.get("part") == "summary"
    if is_summary and form.text.is_changed:
        # The summary would leave out the edited text. The script then submits the whole form
        # instead.
        return HttpResponse(status=HTTPStatus.UNPROCESSABLE_ENTITY)
    part = "summary" if is_summary else "sheet_answer"
    return render(request, f"duels/order_sheet/{part}.html", context)


def _turn_over_response(request: HttpRequest, loaded_duel: Duel) -> HttpResponse:
    """Return a notice that orders for this turn can no longer be changed.

    Only the notice above the sheet is replaced, so everything entered stays in place.
    """
    response = render(
        request, "duels/order_sheet/sheet_over.html", {"duel": loaded_duel}, status=409
    )
    response["HX-Retarget"] = "#sheet-notice"
    response["HX-Reswap"] = "innerHTML"
    return response


@access.post_only
@access.duellist_only
def save_draft(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Save a draft at a script's request, and return the result as a sentence."""
    found = access.duel_or_404(duel_id, wizard)
    turn = turn_of_form(request, found)
    now = site_now()
    try:
        if turn is None:
            raise errors.Refused("unknown_turn", UNKNOWN_TURN_TEXT)
        fields = submitted_form(request).fields
        kept = sealing.save_draft(turn_id=turn.pk, wizard=wizard, fields=fields, now=now)
    except errors.Refused as refused:
        return _text_response(f"Draft not saved: {refused.text}", access.refusal_status(refused))
    if kept is None:
        return _text_response("Same as your sealed orders.")
    return _text_response(
        f"Draft saved at {moment_words(kept.saved_at, 'time')}. It is not sealed."
    )


def _text_response(text: str, status: int = HTTPStatus.OK) -> HttpResponse:
    return HttpResponse(text, content_type="text/plain; charset=utf-8", status=status)


@access.post_only
@access.duellist_only
def seal_answers(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Seal a wizard's answers to the questions after the reveal."""
    found = access.duel_or_404(duel_id, wizard)
    form, turn = submitted_form(request, holds_answers=True), turn_of_form(request, found)
    if turn is None:
        refused = errors.Refused("unknown_turn", UNKNOWN_TURN_TEXT, field="turn")
        return access.refusal_response(request, refused, ruleset=found.ruleset)
    batch = number_in_field(request, "round", 1)
    try:
        if batch is None:
            text = "This turn has no such round of questions."
            raise errors.Refused("unknown_round", text, field="round")
        check_rate(request, "seal", wizard)
        sealing.answer_questions(
            turn_id=turn.pk,
            wizard=wizard,
            answers=form.fields,
            batch=batch,
            form_seal=form.form_seal or "",
            now=site_now(),
            chance=request.POST.get(engine.proof.RANDOM_NUMBER_FIELD, ""),
        )
    except errors.Refused as refused:
        is_shown = isinstance(refused, errors.IllegalOrders | errors.StaleForm)
        if is_shown or refused.code in access.TOO_MANY_REQUESTS_CODES:
            return _rejected_response(request, found, wizard, form, refused)
        return access.refusal_response(request, refused, ruleset=found.ruleset)
    return _seal_response(request, found, turn, wizard, "Your answer in {} is sealed.")
