"""What a wizard may and must decide for the coming turn: gestures, spells, subjects, monsters.

Tells nothing that his view would not. rules: turn:orders, F11-F27, F56, F88, F89
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.casting import choose, default_subject, ending
from engine.check import (
    ATTACKER,
    NO_ONE,
    NOWHERE,
    Scope,
    acts,
    charmed_hands,
    expected_pair,
    is_known,
    is_own_elemental,
    suits,
)
from engine.gestures import BANK, GESTURES, HAND_NAMES, STAB, SYMBOLS, TWO_STABS, WIDTH
from engine.minds import (
    allowed_letters,
    changeable_hands,
    count_sets,
    forced_letters,
    mind_at_work,
)
from engine.orders import HandSet, Orders
from engine.position import ALIVE, DEAD, EXTRA, STANDING, STRICT, Monster, Position, Wizard
from engine.rulesets.ruleset import Completable
from engine.spellbook import Spell

STAB_ID: Final = "stab"


@dataclass(frozen=True, slots=True)
class GestureOption:
    """One of the eight things a hand can do, and why it cannot if it cannot."""

    letter: str
    allowed: bool
    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class HandSheet:
    """One hand. `forced` is the letter it must make, "" if free; `changeable` who may change it."""

    hand: str
    gestures: tuple[GestureOption, ...]
    forced: str
    rule: str
    reason: str
    changeable: str


@dataclass(frozen=True, slots=True)
class Completion:
    """A spell that a pair of gestures completes; `default` if it is cast when nothing is chosen."""

    hand: str
    spell: str
    name: str
    default: bool
    rule: str


@dataclass(frozen=True, slots=True)
class SetSheet:
    """One set of gestures; `completions` by pair ("WP"), only where something is completed."""

    number: int
    left: HandSheet
    right: HandSheet
    completions: Mapping[str, tuple[Completion, ...]]


@dataclass(frozen=True, slots=True)
class SubjectChoice:
    """Whom a spell or a stab may be written at; no options where it strikes the whole arena."""

    options: tuple[str, ...]
    default: str


@dataclass(frozen=True, slots=True)
class MonsterSheet:
    """A monster to command, now or if these orders succeed. `attacks`: 1, or 2 if hasted."""

    key: str
    name: str
    attacks: int
    options: tuple[str, ...]
    default: str
    note: str


@dataclass(frozen=True, slots=True)
class CharmedHand:
    """Another's hand whose gestures this wizard writes."""

    wizard: str
    hand: str
    sets: int
    key: str


@dataclass(frozen=True, slots=True)
class BankSheet:
    """The banked spell, which may be released."""

    spell: str
    name: str
    options: tuple[str, ...]
    default: str


@dataclass(frozen=True, slots=True)
class Capture:
    """Which of several completed spells a delay or a permanency shall take: (hand, spell)."""

    kind: str
    candidates: tuple[tuple[str, str], ...]
    default: str


@dataclass(frozen=True, slots=True)
class Advance:
    """A question that may be answered before it is asked."""

    kind: str
    field: str
    options: tuple[str, ...]
    default: str
    text: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything one wizard decides in one turn."""

    wizard: str
    acts: bool
    decides: bool
    sets: tuple[SetSheet, ...]
    subjects: Mapping[str, SubjectChoice]
    beings: Mapping[str, str]
    monsters: tuple[MonsterSheet, ...]
    charmed: tuple[CharmedHand, ...]
    bank: BankSheet | None
    captures: tuple[Capture, ...]
    advance: tuple[Advance, ...]


ADVANCE: Final = (
    Advance(
        "elemental", "answer:elemental", ("fire", "ice"), "fire",
        "If I may choose an elemental's kind",
    ),
    Advance(
        "paralysis", "answer:paralysis", ("L", "R"), "L", "If I paralyse somebody: which hand",
    ),
    Advance(
        "charm_person", "answer:charm_person", ("L", "R"), "L", "If I charm somebody: which hand",
    ),
)  # fmt: skip


def sheet(position: Position, wizard: str, draft: Orders | None = None) -> Sheet:
    """What this wizard may and must decide now; what depends on his gestures follows the draft.

    Raises KeyError for an unknown wizard.
    """
    own = position.wizard(wizard)
    orders = draft if draft is not None else Orders()
    scope = Scope(position, own, _readable(orders))
    sets = tuple(_set_sheets(scope))
    beings = list(_beings(scope))
    return Sheet(
        wizard=wizard,
        acts=acts(position, own),
        decides=decides(position, own),
        sets=sets,
        subjects=_subjects(scope, sets, beings),
        beings=_names(position, own, beings),
        monsters=tuple(_monsters(scope, beings)),
        charmed=tuple(_charmed(position, own)),
        bank=_bank(scope, beings),
        captures=tuple(_captures(scope)),
        advance=tuple(_advance(scope)),
    )


def acting(position: Position) -> tuple[str, ...]:
    """The wizards who may seal orders this turn: those who gesture or command. rules: R98, R162"""
    return tuple(
        wizard.id
        for wizard in position.wizards
        if acts(position, wizard) or (not position.outcome and _commands(position, wizard))
    )


def awaited(position: Position) -> tuple[str, ...]:
    """The wizards who have something to decide; only they are waited for. May be empty."""
    return tuple(wizard.id for wizard in position.wizards if decides(position, wizard))


def default_orders(position: Position, wizard: str) -> Orders:
    """What is played for an absent wizard: nothing; what forced hands complete goes nowhere.

    Where a spell cannot go nowhere it goes to its default. rules: R8, promise 9
    """
    own = position.wizard(wizard)
    scope = Scope(position, own, Orders())
    sets: list[HandSet] = []
    for number in range(1, len(scope.pairs) + 1):
        subjects = {
            hand: NOWHERE
            for hand in ("L", "R", "BH")
            for spell in scope.casts(number, hand)[:1]
            if spell.nowhere and not spell.is_area
        }
        if scope.is_open:
            subjects = {}
        sets.append(HandSet(subjects=subjects))
    return Orders(sets=tuple(sets))


def decides(position: Position, own: Wizard) -> bool:
    """Whether anything is left to this wizard's decision this turn."""
    if position.outcome or own.standing != STANDING:
        return False
    if _commands(position, own):
        return True
    if not acts(position, own):
        return False
    if own.bank or charmed_hands(position, own):
        return True
    extra = position.kind == EXTRA
    for number in range(1, count_sets(own, position.turn, extra=extra) + 1):
        forced = forced_letters(position, own, number)
        if not all(forced) or STAB in forced:
            return True
    scope = Scope(position, own, Orders())
    return any(not spell.is_area for _, spell in scope.all_casts())


def _commands(position: Position, own: Wizard) -> bool:
    """Whether he has a monster that will attack this turn and takes orders."""
    return own.standing == STANDING and any(
        monster.controller == own.id and _takes_orders(position, monster)
        for monster in position.monsters
    )


def _takes_orders(position: Position, monster: Monster) -> bool:
    if monster.state != ALIVE or monster.is_elemental:
        return False
    return position.kind != EXTRA or monster.id in position.stopped


def _readable(orders: Orders) -> Orders:
    """The draft with letters that are no gestures taken as nothing, so that it can be foreseen."""
    sets = tuple(
        HandSet(
            hands.left if hands.left in GESTURES and len(hands.left) == 1 else "-",
            hands.right if hands.right in GESTURES and len(hands.right) == 1 else "-",
            hands.spells,
            hands.subjects,
        )
        for hands in orders.sets
    )
    return Orders(
        sets=sets,
        victims=orders.victims,
        release=orders.release,
        release_subject=orders.release_subject,
    )


# Hands and spells


def _set_sheets(scope: Scope) -> Iterator[SetSheet]:
    position, own = scope.position, scope.own
    left, right = own.left_state, own.right_state
    step = position.rules.automaton.step
    for number in range(1, len(scope.pairs) + 1):
        hands = tuple(_hand_sheet(position, own, number, hand) for hand in "LR")
        yield SetSheet(number, hands[0], hands[1], _completions(position, own, left, right, hands))
        symbols = SYMBOLS[expected_pair(position, own, scope.orders, number)]
        left = step[left * WIDTH + symbols[0]]
        right = step[right * WIDTH + symbols[1]]


def _hand_sheet(position: Position, own: Wizard, number: int, hand: str) -> HandSheet:
    kind = mind_at_work(position, own)
    forced = forced_letters(position, own, number)["LR".index(hand)]
    allowed = forced or allowed_letters(position, own)
    reason = rule = changeable = ""
    if forced:
        rule = f"spell:{kind}"
        reason = f"{position.rules.spells[kind].name} makes this hand do {forced}."
    elif kind == "fear":
        rule, reason = "R87", "You are afraid: only P, W, a stab or nothing."
    if hand in changeable_hands(position, own):
        rule = f"spell:{kind}"
        if kind == "charm_person":
            charmer = position.wizard(own.effects[kind].caster)
            changeable = f"charmed by {charmer.name}"
            reason = f"{charmer.name} may write another gesture for this hand."
        else:
            changeable = "confused"
            reason = "Two dice may change the gesture of one of your hands."
    options = tuple(
        GestureOption(
            letter, letter in allowed, "" if letter in allowed else rule,
            "" if letter in allowed else reason,
        )
        for letter in GESTURES
    )  # fmt: skip
    return HandSheet(hand, options, forced, rule, reason, changeable)


def _completions(
    position: Position, own: Wizard, left: int, right: int, hands: tuple[HandSheet, ...]
) -> dict[str, tuple[Completion, ...]]:
    rules, step = position.rules, position.rules.automaton.step
    lefts = [option.letter for option in hands[0].gestures if option.allowed]
    rights = [option.letter for option in hands[1].gestures if option.allowed]
    found: dict[str, tuple[Completion, ...]] = {}
    for a in lefts:
        for b in rights:
            symbols = SYMBOLS[a + b]
            left_state = step[left * WIDTH + symbols[0]]
            right_state = step[right * WIDTH + symbols[1]]
            if (rules.ends[left_state] or rules.ends[right_state]) and a + b != TWO_STABS:
                ends = (
                    ending(rules, left_state, used_bolt=own.used_bolt),
                    ending(rules, right_state, used_bolt=own.used_bolt),
                )
                rows = tuple(_completion_rows(*ends))
                if rows:
                    found[a + b] = rows
    return found


def _completion_rows(
    lefts: Sequence[Completable], rights: Sequence[Completable]
) -> Iterator[Completion]:
    defaults = {(hand, end.spell.id) for hand, _, end, _ in choose(lefts, rights, {})}
    shown: set[tuple[str, str]] = set()
    for hand, ends in (("L", lefts), ("R", rights)):
        for end in ends:
            key = ("BH" if end.both else hand, end.spell.id)
            if key not in shown:
                shown.add(key)
                spell = end.spell
                yield Completion(key[0], spell.id, spell.name, key in defaults, spell.rule)


# Beings


def _beings(scope: Scope) -> Iterator[str]:
    """The beings that may be named: those he knows of, then those that may come to be."""
    position, own = scope.position, scope.own
    for wizard in position.wizards:
        if wizard.standing in (STANDING, DEAD):
            yield wizard.id
    yield from _known_monsters(position, own)
    for number in range(1, len(scope.pairs) + 1):
        suffix = "" if number == 1 else str(number)
        for hand in ("L", "R"):
            if any(spell.monster for spell in scope.casts(number, hand)):
                yield f"{hand}{suffix}:{own.id}"
    if own.bank and position.rules.spells[own.bank].monster and scope.orders.release:
        yield f"{BANK}:{own.id}"
    for wizard in position.wizards:
        if wizard is not own and wizard.standing == STANDING and position.kind != EXTRA:
            for hand in ("L", "R"):
                yield f"{hand}:{wizard.id}"


def _known_monsters(position: Position, own: Wizard) -> list[str]:
    if own.knows is None:
        return [monster.id for monster in position.monsters]
    known = set(own.knows)
    known |= {monster.id for monster in position.monsters if monster.controller == own.id}
    return sorted(known, key=lambda id: int(id[1:]))


def _names(position: Position, own: Wizard, beings: list[str]) -> dict[str, str]:
    names = {id: being_name(position, id) for id in beings if id not in (own.knows or {})}
    names |= own.knows or {}
    names[NOWHERE] = "nowhere"
    names[NO_ONE] = "nobody (hold back)"
    if own.knows is not None:
        names[ATTACKER] = "whoever attacked me last"
    return names


def being_name(position: Position, id: str) -> str:
    """How a being is called on an order sheet; one to come by the hand that may make it."""
    if ":" in id:
        hand, _, maker = id.partition(":")
        owner = position.wizard(maker).name
        what = HAND_NAMES.get(hand.rstrip("2"), hand)
        second = " (second set)" if hand.endswith("2") else ""
        return f"what {owner}'s {what} makes{second}"
    being = position.being(id)
    return being.name if being is not None else id


def _subjects(
    scope: Scope, sets: tuple[SetSheet, ...], beings: list[str]
) -> dict[str, SubjectChoice]:
    position, own = scope.position, scope.own
    spells = {
        completion.spell
        for each in sets
        for rows in each.completions.values()
        for completion in rows
    }
    choices = {
        id: _subject_choice(scope, position.rules.spells[id], beings) for id in sorted(spells)
    }
    options = [id for id in beings if id != own.id and _is_living(position, own, id)]
    choices[STAB_ID] = SubjectChoice(tuple(options), position.next_opponent(own.id))
    return choices


def _subject_choice(scope: Scope, spell: Spell, beings: list[str]) -> SubjectChoice:
    if spell.is_area:
        return SubjectChoice((), "")
    options = [id for id in beings if suits(scope, spell, id)]
    if spell.nowhere:
        options.append(NOWHERE)
    return SubjectChoice(tuple(options), default_subject(scope.position, spell, scope.own.id))


def _is_living(position: Position, own: Wizard, id: str) -> bool:
    """Whether the wizard may take it to be alive."""
    if ":" in id:
        return True
    being = position.being(id)
    if isinstance(being, Wizard):
        return being.standing == STANDING
    if own.knows is not None:
        return id in own.knows or (being is not None and being.controller == own.id)
    return being is not None and being.state == ALIVE


def _monsters(scope: Scope, beings: list[str]) -> Iterator[MonsterSheet]:
    """Monsters that obey, then those that these orders would make, charm or raise. R15, R55"""
    position, own = scope.position, scope.own
    options = [id for id in beings if _is_living(position, own, id)]
    if own.knows is not None:
        options.append(ATTACKER)
    options.append(NO_ONE)
    foe = position.next_opponent(own.id)
    named: set[str] = set()
    for monster in position.monsters:
        if monster.controller == own.id and _takes_orders(position, monster):
            named.add(monster.id)
            haste = monster.effects.get("haste")
            hasted = haste is not None and haste.acts(position.turn) and position.kind != EXTRA
            last = monster.victim if _is_living(position, own, monster.victim) else foe
            yield MonsterSheet(
                monster.id, monster.name, 2 if hasted else 1,
                tuple(id for id in options if id != monster.id), last, "",
            )  # fmt: skip
    for subject, spell in scope.all_casts():
        if spell.id not in ("charm_monster", "raise_dead") or subject in ("", *named):
            continue
        if is_own_elemental(position, own, subject):
            continue
        if subject[:1] != "w" and is_known(position, own, subject):
            named.add(subject)
            note = f"if {spell.name} succeeds"
            name = (own.knows or {}).get(subject) or being_name(position, subject)
            yield _conditional(subject, name, options, foe, note)
    for id in beings:
        if id.endswith(f":{own.id}") and id not in named:
            name = being_name(position, id)
            yield _conditional(id, name, options, foe, "if the summons succeeds")


def _conditional(key: str, name: str, options: list[str], foe: str, note: str) -> MonsterSheet:
    victims = tuple(id for id in options if id != key)
    return MonsterSheet(key, name, 1, victims, foe, note)


def _charmed(position: Position, own: Wizard) -> Iterator[CharmedHand]:
    for key in charmed_hands(position, own):
        id, _, hand = key.partition(".")
        sets = count_sets(position.wizard(id), position.turn, extra=position.kind == EXTRA)
        yield CharmedHand(id, hand, sets, key)


def _bank(scope: Scope, beings: list[str]) -> BankSheet | None:
    own = scope.own
    if not own.bank or not acts(scope.position, own):
        return None
    spell = scope.position.rules.spells[own.bank]
    choice = _subject_choice(scope, spell, beings)
    return BankSheet(spell.id, spell.name, choice.options, choice.default)


def _captures(scope: Scope) -> Iterator[Capture]:
    """Offered where a window is open or opening and the draft completes something for it. F89"""
    position, own = scope.position, scope.own
    completed = [
        (hand if number == 1 else f"{hand}{number}", spell)
        for number in range(1, len(scope.pairs) + 1)
        for hand in ("L", "R", "BH")
        for spell in scope.casts(number, hand)[:1]
        if not (hand != "BH" and spell in scope.casts(number, "BH"))
    ]
    for kind, effect in (("bank", "delayed_effect"), ("permanency", "permanency")):
        window = own.effects.get(effect)
        is_open = window is not None and window.acts(position.turn)
        opening = any(spell.id == effect for _, spell in completed)
        if (kind == "bank" and own.bank) or not (is_open or opening):
            continue
        candidates = tuple(
            (hand, spell.id)
            for hand, spell in completed
            if (kind == "bank" and spell.id != effect) or spell.can_be_permanent
        )
        if candidates:
            yield Capture(kind, candidates, candidates[0][0])


def _advance(scope: Scope) -> Iterator[Advance]:
    """What may be asked of him after the reveal, as far as he can foresee it. rules: R9"""
    if STRICT in scope.position.options or not acts(scope.position, scope.own):
        return
    rules, own = scope.position.rules, scope.own
    states = {own.left_state, own.right_state}
    within = {
        rules.completables[n].spell.id for state in states for n in rules.automaton.reach[state]
    }
    for question in ADVANCE:
        if question.kind == "elemental" or question.kind in within or len(scope.pairs) > 1:
            yield question
