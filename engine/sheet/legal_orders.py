"""Every legal order of a wizard, for programs that play or search.

rules: turn:orders, R4, R7, R8, R14, R15, R146
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TypeVar

from engine.gestures import BOTH, GESTURES, LEFT, RIGHT
from engine.ids import WIZARD_HANDS
from engine.legality import scope
from engine.legality.casting import choose_spells, default_subject
from engine.legality.hand_constraints import set_count
from engine.legality.moves import Moves, PossibleSpells
from engine.orders import MARK_FIELDS, HandSet, Orders
from engine.positions.position import STANDING, Position
from engine.rulesets.choices import HandNamingTime
from engine.sheet.beings import NameableBeings, monster_sheets, nameable_beings
from engine.sheet.extras import capture_choices, held_hands, sacrifice_choice
from engine.sheet.sheet_types import CaptureChoice

HANDS = (LEFT, RIGHT, BOTH)
Sets = tuple[HandSet, ...]
Choice = TypeVar("Choice")


def legal_orders(
    position: Position, wizard: str, pairs: Collection[str] | None = None
) -> Iterator[Orders]:
    """Yield the legal orders of this wizard, each once. There can be millions of them.

    If `pairs` is given, only with sets of these letters ("WP" for W with the left hand). All orders
    with the same gestures come one after another, in the order in which the sheet lists gestures.
    The first of these orders leaves every other choice at its default.

    These orders are left out, because others have the same effect or because they have none now:

    - messages and advance answers. Questions are separate: see `questions`.
    - other ways to write the same choice: a default subject, a spell that is cast anyway, an idle
      hand where a spell forces a letter, the hand of a two-handed spell.
    - orders for monsters that do not attack this turn, or that are made by the hand of another
      wizard, and subjects that the sheet does not list because no hand can make them this turn.

    If all other choices are made after the reveal, orders contain only gestures. Yields nothing for
    a wizard who is out. Raises KeyError for an unknown wizard.
    """
    own = position.wizard(wizard)
    if own.standing != STANDING or position.outcome:
        return
    moves = Moves(position, own)
    letters = [_possible_gestures(moves, number, pairs) for number in range(1, moves.sets + 1)]
    for sets in product(*letters):
        if scope.are_choices_asked_later(position):
            yield Orders(sets=sets)
            continue
        for chosen in _with_spells(moves, sets):
            for aimed in _with_subjects(moves, chosen):
                yield from _with_other_choices(moves, aimed)


def _possible_gestures(moves: Moves, number: int, pairs: Collection[str] | None) -> list[HandSet]:
    """Return the sets of letters that may be written."""
    lefts, rights = (
        [letter for letter in GESTURES if letter in moves.allowed_letters(number, hand)]
        for hand in (LEFT, RIGHT)
    )
    sets = [HandSet(left, right) for left, right in product(lefts, rights)]
    return [
        hands
        for hands in sets
        if (pairs is None or hands.pair in pairs) and not moves.has_two_stabs(number, hands)
    ]


def _with_spells(moves: Moves, sets: Sets) -> Iterator[Sets]:
    """Yield these sets with every different choice of the spells that they complete."""
    possible = PossibleSpells(moves, Orders(sets=sets))
    choices = [_spell_choices(possible, number) for number in range(1, moves.sets + 1)]
    for spells in product(*choices):
        yield tuple(
            replace(hands, spells=chosen) for hands, chosen in zip(sets, spells, strict=True)
        )


def _spell_choices(possible: PossibleSpells, number: int) -> list[Mapping[str, str]]:
    """Return the different choices of spells for one set, first the default."""
    lefts, rights, boths = (
        list(
            dict.fromkeys(
                end.spell.id
                for end in possible.completable_spells(number, hand)
                if end.both == (hand == BOTH)
            )
        )
        for hand in HANDS
    )
    written: list[Mapping[str, str]] = [
        {hand: spell for hand, spell in ((LEFT, left), (RIGHT, right)) if spell}
        for left, right in product(["", *lefts], ["", *rights])
    ]
    written += [{BOTH: spell} for spell in boths]
    if possible.is_open:
        return written
    rules = possible.position.rules
    found: dict[object, Mapping[str, str]] = {}
    for spells in written:
        casts = [
            (cast.hand, cast.maker, cast.completed.pattern)
            for lefts_end, rights_end in possible.possible_completions(number)
            for cast in choose_spells(rules, lefts_end, rights_end, spells)
        ]
        found.setdefault(tuple(casts), spells)
    return list(found.values())


def _with_subjects(moves: Moves, sets: Sets) -> Iterator[Orders]:
    """Yield orders with these sets, with every choice of subjects, with and without a release."""
    possible = PossibleSpells(moves, Orders(sets=sets))
    beings = (*nameable_beings(possible), scope.NOWHERE)
    aims = [_subject_choices(possible, number, beings) for number in range(1, moves.sets + 1)]
    for subjects in product(*aims):
        aimed = tuple(
            replace(hands, subjects=named) for hands, named in zip(sets, subjects, strict=True)
        )
        yield Orders(sets=aimed)
        for subject in _release_subjects(moves, beings):
            yield Orders(sets=aimed, release=True, release_subject=subject)


def _subject_choices(
    possible: PossibleSpells, number: int, beings: Sequence[str]
) -> list[Mapping[str, str]]:
    """Return the choices of subjects for one set, first the default."""
    options = [["", *_subjects_of_hand(possible, number, hand, beings)] for hand in HANDS]
    return [
        {hand: subject for hand, subject in zip(HANDS, named, strict=True) if subject}
        for named in product(*options)
    ]


def _subjects_of_hand(
    possible: PossibleSpells, number: int, hand: str, beings: Sequence[str]
) -> Iterator[str]:
    """Yield the subjects that may be written for a hand, except its default."""
    default = ""
    if not possible.is_open:
        casts = [
            cast.completed.spell for cast in possible.possible_casts(number) if cast.hand == hand
        ]
        if not casts and not possible.is_stabbing(number, hand):
            return
        spell = casts[0] if casts else possible.position.rules.stab
        default = default_subject(possible.position, spell, possible.own.id)
    for subject in beings:
        if subject != default and possible.is_legal_subject(number, hand, subject):
            yield subject


def _release_subjects(moves: Moves, beings: Sequence[str]) -> Iterator[str]:
    """Yield the subjects with which the wizard's bank can be released, first the default, ""."""
    position, own = moves.position, moves.own
    if not moves.can_release:
        return
    yield ""
    if position.rules.bank_keeps_subject:
        return
    spell = position.rules.spells[own.bank]
    default = default_subject(position, spell, own.id)
    for subject in beings:
        if subject != default and moves.is_possible_subject(spell, subject):
            yield subject


def _with_other_choices(moves: Moves, orders: Orders) -> Iterator[Orders]:
    """Yield these orders with every choice of victims, others' hands, marks and a Sacrifice."""
    possible = PossibleSpells(moves, orders)
    position, own = moves.position, moves.own
    captures = {choice.kind: choice for choice in capture_choices(possible)}
    banks, permanencies = (_markable_hands(captures.get(field)) for field in MARK_FIELDS)
    hearts = (False, True) if scope.can_stop_heart(position, own) else (False,)
    plain = list(product(banks, permanencies, _sacrifice_choices(possible), hearts))
    victims = _combinations(_victim_choices(possible))
    held = list(_combinations((each.wizard, each.options) for each in held_hands(position, own)))
    for own_victims, charmed, own_held in product(victims, _charm_choices(moves), held):
        for bank, permanency, sacrifice, heart in plain:
            yield replace(
                orders,
                victims=own_victims,
                charmed=charmed,
                held=own_held,
                bank=bank,
                permanency=permanency,
                sacrifice=sacrifice,
                heart=heart,
            )


def _combinations(choices: Iterable[tuple[str, Iterable[Choice]]]) -> Iterator[dict[str, Choice]]:
    """Yield every way to make or leave out each of these choices, first without any."""
    options: list[list[tuple[str, Choice] | None]] = [
        [None, *((key, value) for value in of)] for key, of in choices
    ]
    for made in product(*options):
        yield dict(filter(None, made))


def _victim_choices(possible: PossibleSpells) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    """Yield each monster that will attack on the wizard's orders, with the victims it can have."""
    beings = NameableBeings(possible)
    for row in monster_sheets(beings):
        places = (*beings.ids, scope.ATTACKER, scope.NO_ONE)
        victims = [each for each in places if possible.is_legal_victim(row.key, each)]
        choices: list[tuple[str, ...]] = [(each,) for each in victims]
        if row.attacks > 1:
            choices += [(one, two) for one, two in product(["", *victims], victims) if one != two]
        yield row.key, choices


def _charm_choices(moves: Moves) -> Iterator[dict[str, tuple[str, ...]]]:
    """Yield the choices of letters for charmed hands, at most one for each wizard's charm."""
    position = moves.position
    by_wizard: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for key in scope.charmed_hands(position, moves.own):
        wizard = WIZARD_HANDS[key].wizard
        one_of_two = position.rules.hand_named is HandNamingTime.WHEN_IT_ACTS
        options = by_wizard.setdefault(wizard if one_of_two else key, [])
        for sets in range(1, set_count(position, position.wizard(wizard)) + 1):
            options += [(key, letters) for letters in product(GESTURES, repeat=sets)]
    for charmed in _combinations(by_wizard.items()):
        yield dict(charmed.values())


def _markable_hands(capture: CaptureChoice | None) -> Sequence[str]:
    """Return the hands that may be named for a window, first none."""
    if capture is None:
        return ("",)
    return ("", *(capture.hands or dict.fromkeys(hand for hand, _ in capture.candidates)))


def _sacrifice_choices(possible: PossibleSpells) -> Sequence[str]:
    """Return the monsters that a Sacrifice may give up, first none."""
    choice = sacrifice_choice(possible)
    if choice is None:
        return ("",)
    won = [row.key for row in monster_sheets(NameableBeings(possible))]
    return ("", *dict.fromkeys((*choice.options, *won)))
