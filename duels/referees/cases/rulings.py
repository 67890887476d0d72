"""The command that publishes a ruling and ends its case."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction

from duels.errors import Refused
from duels.models import ActKind, User, Wizard
from duels.referees.cases.case_state import checked_rule, checked_text, end_case
from duels.referees.cases.eligibility import parties_of
from duels.referees.cases.handling import lock_held_case
from duels.referees.cases.notices import notify_parties_of_ruling
from duels.referees.log.act_log import append_act, public_name, referee_ref
from duels.referees.models import (
    MAX_RULING_WORDS_LENGTH,
    Case,
    CaseStatus,
    CitedRule,
    Ruling,
    Verdict,
)
from duels.typed_text import clean_text

MAX_CITED_RULES = 12


@transaction.atomic
def rule_on_case(
    *,
    case_id: int,
    user: User,
    verdict: str,
    words: str,
    now: datetime,
    rules: Sequence[str] = (),
    settles: str = "",
    private_words: str = "",
) -> Ruling:
    """Rule on the case, and publish the ruling under its number.

    `words` is public and must not name anyone. `private_words` is text only for the players. If the
    ruling settles the meaning of a rule, `settles` is this rule, which is then also cited.
    """
    case = lock_held_case(case_id, user, now)
    if verdict not in Verdict.values:
        raise Refused("unknown_verdict", "Choose a verdict.", field="verdict")
    words = checked_text(words, MAX_RULING_WORDS_LENGTH)
    _check_contains_no_names(words, role_names(case))
    private_words = clean_text(private_words)
    if private_words:
        private_words = checked_text(private_words, MAX_RULING_WORDS_LENGTH, field="private_words")
    settled = checked_rule(settles, field="settles")
    cited = _cited_rules(rules, settled)
    if verdict in (Verdict.ENGINE_RIGHT, Verdict.ENGINE_WRONG) and not cited:
        text = "Cite the rule that shows whether the engine was right."
        raise Refused("no_rule", text, field="rules")
    ruling = Ruling.objects.create(
        case=case,
        round=case.round,
        referee=user,
        referee_name=public_name(user),
        verdict=verdict,
        words=words,
        private_words=private_words,
        published_at=now,
    )
    CitedRule.objects.bulk_create(
        CitedRule(ruling=ruling, rule=each, is_settled=each == settled) for each in cited
    )
    end_case(case, CaseStatus.RULED, now)
    append_act(
        ActKind.RULING,
        by=referee_ref(user),
        reason=f"{ruling.title}: {ruling.get_verdict_display()}",
        now=now,
        duel=case.duel,
        case=case.pk,
        wizard_id=None if case.is_dispute else case.about_id,
        turn=case.ordinal,
        facts={"ruling": ruling.pk, "verdict": verdict, "rules": cited, "settles": settled},
    )
    notify_parties_of_ruling(case, ruling, now)
    return ruling


def _check_contains_no_names(words: str, roles: Mapping[str, str]) -> None:
    """Raise `Refused` if the text contains one of these names, and suggest that wizard's role."""
    for name, role in roles.items():
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words):
            text = (
                f"Everyone can read this, but it names {name}. Write “{role}” instead. There is a "
                "separate field for text that only the players can read."
            )
            raise Refused("names_somebody", text, field="words")


def role_names(case: Case) -> dict[str, str]:
    """Return the phrases that replace the names of a case's wizards in a public ruling."""
    roles: dict[str, str] = {}
    if case.duel is not None:
        seats = case.duel.seats.filter(place__isnull=False).select_related("wizard")
        for seat in seats.order_by("place"):
            assert seat.place is not None
            roles[seat.wizard.name] = f"the {ORDINAL_WORDS[seat.place]} wizard"
    for wizard in Wizard.objects.filter(pk__in=parties_of(case)):
        is_reporter = wizard.pk == case.opened_by_id
        roles.setdefault(wizard.name, "the player" if is_reporter else "the wizard")
    return roles


ORDINAL_WORDS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def _cited_rules(typed: Sequence[str], settled: str) -> list[str]:
    cited = [checked_rule(each, field="rules") for each in typed if each.strip()]
    cited = list(dict.fromkeys([*cited, *([settled] if settled else [])]))
    if len(cited) > MAX_CITED_RULES:
        raise Refused("too_many_rules", f"Cite at most {MAX_CITED_RULES} rules.", field="rules")
    return cited
