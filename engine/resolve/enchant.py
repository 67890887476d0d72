"""Enchantments, and the questions that they raise.

rules: turn:enchantments, R12, R43, R60, R63, R69, R76, R81, R92, R93, R96, R102, R133, R135, R162
"""

from engine.events import Controlled
from engine.ids import SEATS, WizardHand
from engine.legality.hand_constraints import CHARMED, HELD
from engine.orders import KIND_OF_HAND_QUESTION
from engine.positions.position import (
    EXTRA,
    FOREVER,
    NORMAL,
    TIME_STOP_IN_OWN_TURN,
    Effect,
    Monster,
    Wizard,
)
from engine.questions import OpenQuestions, Question
from engine.resolve.event_factories import enchanted, guarded
from engine.resolve.summon import element_question, report_summoned
from engine.resolve.table import Being, Casting, Table, can_affect, unseen_by
from engine.rulesets.choices import DefaultVictim
from engine.spellbook import (
    TURNS_OF_DURATION,
    UNDECIDED_ELEMENTAL,
    CasterDecision,
    Guard,
    Spell,
)

VICTIM_IS_KEPT = DefaultVictim.KEPT
SHIELD = Guard.SHIELD


def apply_enchantments(table: Table) -> None:
    """Apply shields and enchantments, some of them only at the end of the turn."""
    for subject, casts in table.casts_reaching.items():
        for cast in casts:
            if cast.spell.is_enchantment:
                being = table.position.being(subject)
                assert being is not None
                apply_enchantment(table, being, cast)
            elif cast.spell.guard is SHIELD:
                table.shields |= {subject}
                table.report(guarded, subject, cast.spell.id, cast.wizard.id)


def apply_enchantment(table: Table, being: Being, cast: Casting) -> None:
    """Apply one enchantment to one being."""
    kind, rules = cast.spell.id, table.rules
    if cast.spell.resists and isinstance(being, Monster) and being.is_elemental:
        return  # the phase for heat and cold settles this
    if not can_affect(cast.spell.works, being):
        table.fail(cast, "unsuitable")
    elif cast.spell.takes_over:
        charm_monster(table, being, cast)
    elif isinstance(being, Monster) and being.kind in cast.spell.destroys:
        table.destroy(being.id, kind)
    elif cast.spell.breaks:
        assert isinstance(being, Wizard)
        note_broken_sequences(table, being, cast)
    elif cast.spell.stops_time and not rules.acts_before_turns:
        stop_time(table, being, cast)
    elif cast.spell.mind and isinstance(being, Monster) and rules.minds_strike_monsters_at_once:
        bind_monster_mind(table, being, cast)
    elif cast.spell.mind:
        table.mind_casts += ((being, cast),)
    else:
        apply_timed_enchantment(table, being, cast)
        is_fatal = cast.spell.is_illness and not rules.illness_waits_in_monsters
        if is_fatal and isinstance(being, Monster):
            table.slay(being.id, kind)  # at the end of this turn, after its attack. rules: W31


def stop_time(table: Table, being: Being, cast: Casting) -> None:
    """Give the subject an extra turn, unless it is a monster that rests in this one.

    rules: R98, W13
    """
    is_idle = isinstance(being, Monster) and table.position.kind != NORMAL
    if is_idle and table.rules.time_stop is TIME_STOP_IN_OWN_TURN:
        table.fail(cast, "unsuitable")
    elif being.id not in table.stopped:
        table.stopped += (being.id,)


def bind_monster_mind(table: Table, being: Monster, cast: Casting) -> None:
    """Apply a mind spell to a monster's next attack, or to every attack if it is permanent.

    The next attack is in this turn, or in the next normal turn if the monster rests in this one.
    rules: W15
    """
    rests = table.position.kind != NORMAL and being.id not in table.position.stopped
    first = table.turn + (rests and not table.rules.acts_before_turns)
    last = FOREVER if cast.permanent else first
    effect = Effect(first, last, cast.master, cast.permanent)
    add_or_combine_effect(being, cast.spell, effect)
    report_enchanted(table, being, cast)


def note_broken_sequences(table: Table, being: Wizard, cast: Casting) -> None:
    """Record that the subject's sequences break at the end of the turn.

    In an extra action before a turn, that is the end of that turn. rules: R93, R169
    """
    if table.extra and table.rules.acts_before_turns:
        turn = table.turn
        unseen = unseen_by(table.position, being, cast)
        effect = Effect(turn, turn, cast.wizard.id, unseen_by=unseen)
        add_or_combine_effect(being, cast.spell, effect)
        report_enchanted(table, being, cast)
    elif being not in table.broken:
        table.broken += (being,)


def charm_monster(table: Table, being: Being, cast: Casting) -> None:
    """Give the charmer control of the monster from this turn's attack on. rules: R123, R156"""
    assert isinstance(being, Monster)
    if being.controller != cast.master:
        being.controller = cast.master
        if table.rules.unordered is not VICTIM_IS_KEPT:  # rules: W20
            being.victim = ""
    table.report(Controlled, being.id, cast.master, cast.spell.id)


def apply_timed_enchantment(table: Table, being: Being, cast: Casting) -> None:
    """Apply a timed enchantment.

    If the being is already under it, the later of the two ends counts. An illness kills at the
    earlier one. rules: R92
    """
    kind = cast.spell.id
    if (being.id, kind) in table.windows_used:
        report_enchanted(table, being, cast)
        return
    first, last = TURNS_OF_DURATION[cast.spell.lasts]
    effect = Effect(
        table.turn + first,
        FOREVER if cast.permanent or last is None else table.turn + last,
        cast.wizard.id,
        cast.permanent,
        unseen_by=unseen_by(table.position, being, cast),
    )
    add_or_combine_effect(being, cast.spell, effect)
    is_at_once = effect.first == table.turn and table.position.kind == EXTRA
    if is_at_once and table.rules.time_stop is TIME_STOP_IN_OWN_TURN:  # rules: W12
        being.effects[kind] = being.effects[kind]._replace(first=table.turn)
    report_enchanted(table, being, cast)


def add_or_combine_effect(being: Being, spell: Spell, effect: Effect) -> None:
    """Add the effect to the being, or combine it with an older one of the same kind. rules: R92"""
    held = being.effects.get(spell.id)
    if held is not None:
        choose = min if spell.is_illness else max
        last = choose(held.last, effect.last)
        effect = effect._replace(
            first=min(held.first, effect.first),
            last=last,
            permanent=held.permanent or effect.permanent,
            unseen_by=tuple(w for w in held.unseen_by if w in effect.unseen_by),
        )
    being.effects[spell.id] = effect


def report_enchanted(table: Table, being: Being, cast: Casting) -> None:
    if table.emit:
        table.emit(enchanted(being.id, cast.spell.id, cast.wizard.id, cast.permanent))


def ask_questions(table: Table) -> None:
    """Settle the decisions made after the reveal: hands, and kinds of elementals.

    Raises OpenQuestions if the table collects questions and some are still open.
    """
    elements, hands = elemental_questions(table), hand_questions(table)
    if table.asking:
        batch = elements + [question for question, _ in hands]
        batch += questions_for_blind_casters(table, {question.id for question in batch})
        still_open = tuple(q for q in batch if table.given_answer(q) is None)
        if still_open:
            raise OpenQuestions(still_open)
    for cast, monster in table.chosen_elementals:
        report_summoned(table, cast, monster)
    for question, cast in hands:
        hand = table.given_answer(question) or question.default
        table.hands_named = {**table.hands_named, cast.key: hand}
    store_blind_charms(table)


def store_blind_charms(table: Table) -> None:
    """Store the hand that each blind charmer named: it is offered even if the charm fails.

    rules: R81
    """
    for cast in table.casts:
        if cast.spell.hands is CHARMED and table.was_blind(cast.wizard.id):
            question = hand_question(cast, cast.wizard.id, cast.aimed)
            if cast.aimed in SEATS:
                hand = table.given_answer(question) or question.default
                later = table.extra and table.rules.acts_before_turns
                charm = WizardHand(cast.aimed, hand, later)
                cast.wizard.blind_charms = (*cast.wizard.blind_charms, charm)


def elemental_questions(table: Table) -> list[Question]:
    """Return the question "fire or ice?" for each new elemental whose kind is open. rules: R63"""
    return [
        element_question(table, cast, monster)
        for cast, monster in table.chosen_elementals
        if monster.kind == UNDECIDED_ELEMENTAL
    ]


def hand_questions(table: Table) -> list[tuple[Question, Casting]]:
    """Return a question for each paralysis or charm of a wizard's hand. rules: R76, R81, R136"""
    found: list[tuple[Question, Casting]] = []
    for being, cast in mind_casts_that_act(table):
        if not isinstance(being, Wizard) or cast.spell.asks is not CasterDecision.HAND:
            continue
        if cast.spell.hands is HELD and hand_held_this_turn(table, being):
            continue
        decider = cast.wizard.id if table.extra else cast.master
        found.append((hand_question(cast, decider, being.id), cast))
    return found


def hand_question(cast: Casting, decider: str, about: str) -> Question:
    kind = KIND_OF_HAND_QUESTION[cast.spell.hands]
    id = f"{kind}:{cast.key}:{decider}"
    return Question(id, kind, decider, about, ("L", "R"), "L")


def questions_for_blind_casters(table: Table, asked: set[str]) -> list[Question]:
    """Return questions for blind casters, always asked so as to reveal nothing. rules: R81"""
    found: list[Question] = []
    for cast in table.casts:
        if cast.spell.asks is CasterDecision.HAND and table.was_blind(cast.wizard.id):
            question = hand_question(cast, cast.wizard.id, cast.aimed)
            if question.id not in asked and cast.aimed in SEATS:
                found.append(question)
    return found


def hand_held_this_turn(table: Table, wizard: Wizard) -> str:
    """Return the hand that a paralysis held during this turn, or "". rules: R81"""
    effect = table.before.wizard(wizard.id).effects.get(table.rules.holding)
    return effect.hand if effect is not None and effect.is_active(table.turn) else ""


def mind_casts_that_act(table: Table) -> list[tuple[Being, Casting]]:
    """Return the mind spells that act: the earliest seat's for each kind and being. rules: R76"""
    firsts: dict[tuple[str, str], tuple[Being, Casting]] = {}
    for being, cast in table.mind_casts:
        key = (being.id, cast.spell.id)
        if key not in firsts or cast.master < firsts[key][1].master:
            firsts[key] = (being, cast)
    return list(firsts.values())
