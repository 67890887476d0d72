"""The reveal: the gestures that hands really make.

rules: turn:reveal, R2, R16, R79, R82, R86-R88
"""

from engine.events import KnifeKept, MindsClashed, Spoke
from engine.gestures import NOTHING, STAB, STABS_PAIR, SURRENDER_PAIR
from engine.ids import SetHand, WizardHand
from engine.legality import hand_constraints
from engine.legality.casting import (
    MAX_CACHED_STATES,
    default_choice,
    default_subject,
    is_allowed_subject,
)
from engine.orders import EMPTY_SET, NO_ORDERS, HandSet
from engine.positions.position import STANDING, Effect, Wizard
from engine.resolve.event_factories import FIRST_SET_EVENTS, gestured, overridden
from engine.resolve.table import Table
from engine.rulesets.choices import HandNamingTime, TwoStabs
from engine.spellbook import DIRECTED_EFFECTS, DefaultSubject

IDLE_PAIR = NOTHING + NOTHING
NAMED_WHEN_SPELL_ACTS = HandNamingTime.WHEN_IT_ACTS
OPPONENT = DefaultSubject.OPPONENT


def reveal_gestures(table: Table) -> None:
    """Record every acting wizard's sets, and advance their histories and automaton states."""
    rules = table.rules
    moves, ends, kept = rules.automaton.moves, rules.ends, -2 * rules.automaton.depth
    orders, emit, sets, extra = table.orders, table.emit, table.sets, table.extra
    known, binding = rules.chosen, rules.binding
    if rules.hand_named is NAMED_WHEN_SPELL_ACTS:
        reset_named_hands(table)
    for wizard in table.acting:
        id = wizard.id
        own = orders.get(id, NO_ORDERS)
        written = own.sets
        if own.say and emit:
            emit(Spoke(id, own.say))
        if wizard.blind_charms and not extra:
            delete_old_charms(wizard)
        if wizard.effects and not wizard.effects.keys().isdisjoint(binding):
            pairs = forced_sets(table, wizard, written)
        else:
            pairs = own.first_pair
        sets[id] = pairs
        number = 1
        for pair in pairs:
            move = moves[pair]
            if move.is_stab_or_surrender:
                record_surrender_or_stab(table, wizard, number, pair, written)
            left = wizard.left_state = move.left[wizard.left_state]
            right = wizard.right_state = move.right[wizard.right_state]
            wizard.letters = (wizard.letters + pair)[kept:]
            if ends[left] or ends[right]:
                hands = own.first_set if number == 1 else orders_of_set(written, number)
                chosen = known.get(left * MAX_CACHED_STATES + right)
                if chosen is None:
                    chosen = default_choice(rules, left, right)
                table.completed_sets += ((wizard, number, hands, left, right, chosen),)
            if emit:
                if extra or number > 1:
                    emit(gestured(id, number, pair[0], pair[1], extra))
                else:
                    emit(FIRST_SET_EVENTS[id][pair])
            number = 2


def orders_of_set(written: tuple[HandSet, ...], number: int) -> HandSet:
    """Return the orders for the set with this number, or empty ones if there is no such set."""
    return written[number - 1] if number <= len(written) else EMPTY_SET


def delete_old_charms(wizard: Wizard) -> None:
    """Delete the record of charmed hands, except those for the next turn. rules: R81"""
    later = [charm for charm in wizard.blind_charms if charm.is_later]
    wizard.blind_charms = tuple(charm._replace(is_later=False) for charm in later)


def record_surrender_or_stab(
    table: Table, wizard: Wizard, number: int, pair: str, written: tuple[HandSet, ...]
) -> None:
    """Record the surrender or the stab in this set. Only one of two stabs takes effect."""
    if pair == SURRENDER_PAIR:
        table.surrenders += ((wizard, number),)
    else:
        acting = set_with_one_stab(table, wizard, number) if pair == STABS_PAIR else pair
        note_stab(table, wizard, number, acting, written)


def reset_named_hands(table: Table) -> None:
    """Reset the hand of a paralysis that is dormant, so that a new one can be named. rules: W18"""
    holding = table.rules.holding
    for wizard in table.started:
        effect = wizard.effects.get(holding)
        if (
            effect is not None
            and effect.hand
            and hand_constraints.is_hand_spell_dormant(table.rules, table.before, holding, effect)
        ):
            wizard.effects[holding] = effect._replace(hand="")


def note_stab(
    table: Table, wizard: Wizard, number: int, pair: str, written: tuple[HandSet, ...]
) -> None:
    """Record a stab at the written subject if that fits, otherwise the default. rules: R17, R146"""
    hand = "L" if pair[0] == STAB else "R"
    subject = written[number - 1].subjects.get(hand) if number <= len(written) else None
    if not subject or not is_allowed_subject(table.position, table.rules.stab, subject, wizard.id):
        subject = default_subject(table.position, table.rules.stab, wizard.id)
        if not subject and table.rules.stab.default is OPPONENT:
            subject = table.draw_opponent(wizard.id, SetHand(hand, number))
    table.stabs += ((wizard, subject),)


def forced_sets(table: Table, wizard: Wizard, written: tuple[HandSet, ...]) -> tuple[str, ...]:
    """Return the sets that a wizard with effects really makes."""
    pairs: tuple[str, ...] = ()
    for number in range(hand_constraints.set_count(table.position, wizard)):
        pairs += (written[number].pair if number < len(written) else IDLE_PAIR,)
    minds = hand_constraints.active_mind_spells(table.rules, table.position, wizard)
    if len(minds) > 1:
        table.report(MindsClashed, wizard.id, minds)
    if len(minds) != 1:
        return pairs
    forced: tuple[str, ...] = ()
    for number, pair in enumerate(pairs, 1):
        forced += (set_under_mind_spell(table, wizard, minds[0], number, pair),)
    return forced


def set_under_mind_spell(table: Table, wizard: Wizard, kind: str, number: int, pair: str) -> str:
    """Return one set as changed by the mind spell that acts on it.

    A permanent mind spell may repeat what it did to the first set on which it acted. rules: R173,
    W26
    """
    effect, hands = wizard.effects[kind], table.rules.hands_under[kind]
    if hands is hand_constraints.REPEATED:
        forced = hand_constraints.remembered_set(table.rules, wizard, effect, number)
        for hand, letter in zip("LR", forced, strict=True):
            table.report(overridden, wizard.id, number, hand, letter, kind, effect.caster)
        return forced
    if hands is hand_constraints.COPIED:
        table.report(overridden, wizard.id, number, "L", pair[1], kind, effect.caster)
        return pair[1] * 2
    if hands is hand_constraints.FRIGHTENED:
        return frightened_set(table, wizard, number, pair, kind, effect.caster)
    if hands in DIRECTED_EFFECTS and table.rules.hand_named is NAMED_WHEN_SPELL_ACTS:
        hand, letter = directed_hand(table, wizard, kind, number)
        if not letter:
            return pair
    elif hands is hand_constraints.HELD:
        hand, letter = effect.hand, hand_constraints.held_letter(table.rules, wizard, effect)
    elif hands is hand_constraints.CHARMED:
        hand = effect.hand
        letter = effect.letter or charmed_letter(table, wizard, effect, number)
        if effect.permanent and not effect.letter and table.rules.lasting_minds_repeat:
            own = pair[0] if hand == "L" else pair[1]
            wizard.effects[kind] = effect._replace(letter=letter or own)
        if not letter:
            return pair
    elif effect.letter:
        hand, letter = effect.hand, effect.letter
    else:
        when = f"{'extra ' if table.extra else ''}{'' if number == 1 else f'set {number} '}"
        hand, letter = roll_confused_gesture(table, wizard, when, "LLLRRR")
        if effect.permanent and table.rules.lasting_minds_repeat:
            wizard.effects[kind] = effect._replace(hand=hand, letter=letter)
    table.report(overridden, wizard.id, number, hand, letter, kind, effect.caster)
    changed = letter + pair[1] if hand == "L" else pair[0] + letter
    if changed == STABS_PAIR and table.rules.two_stabs is TwoStabs.REFUSED:
        return set_with_forced_stab(table, wizard, number, hand)
    return changed


def directed_hand(table: Table, wizard: Wizard, kind: str, number: int) -> tuple[str, str]:
    """Return the hand that the caster names with this turn's orders, and its letter.

    The letter is "" if the spell changes nothing. A paralysis holds the hand that it held in the
    turn before, otherwise the named hand, otherwise the left hand. rules: W18, W19
    """
    effect = wizard.effects[kind]
    if hand_constraints.is_hand_spell_dormant(table.rules, table.before, kind, effect):
        return "", ""
    orders = table.orders_of(effect.caster)
    if table.rules.hands_under[kind] is hand_constraints.CHARMED:
        for hand in "LR":
            letters = orders.charmed.get(WizardHand(wizard.id, hand).text, ())
            if number <= len(letters):
                return hand, letters[number - 1]
        return "", ""
    hand = effect.hand or orders.held.get(wizard.id, "L")
    wizard.effects[kind] = effect._replace(hand=hand)
    return hand, hand_constraints.paralysed_letter(
        table.rules, hand_constraints.last_row(wizard)["LR".index(hand)]
    )


def set_with_forced_stab(table: Table, wizard: Wizard, number: int, forced: str) -> str:
    """Return the set in which the forced hand has the knife and the free one does nothing.

    rules: R16
    """
    free = "R" if forced == "L" else "L"
    table.report(KnifeKept, wizard.id, number, free)
    return STAB + NOTHING if forced == "L" else NOTHING + STAB


def set_with_one_stab(table: Table, wizard: Wizard, number: int) -> str:
    """Return the set that results from two stabs, of which only one takes effect. rules: R16, W6"""
    pair = hand_constraints.PAIR_FOR_TWO_STABS[table.rules.two_stabs]
    table.report(KnifeKept, wizard.id, number, "R" if pair[0] == STAB else "L")
    return pair


def frightened_set(
    table: Table, wizard: Wizard, number: int, pair: str, cause: str, by: str
) -> str:
    """Return the pair with an idle hand in place of each letter that fear bars. rules: R87"""
    for hand, letter in zip("LR", pair, strict=True):
        if letter not in table.rules.under_fear:
            table.report(overridden, wizard.id, number, hand, NOTHING, cause, by)
    return hand_constraints.frightened_pair(table.rules, pair)


def charmed_letter(table: Table, wizard: Wizard, effect: Effect, number: int) -> str:
    """Return the letter that the charmer wrote; "" if there is none or the charmer is out.

    rules: R86
    """
    charmer = table.position.wizard(effect.caster)
    if charmer.standing != STANDING:
        return ""
    letters = table.orders_of(charmer.id).charmed.get(WizardHand(wizard.id, effect.hand).text, ())
    return letters[number - 1] if number <= len(letters) else ""


def roll_confused_gesture(table: Table, wizard: Wizard, when: str, hands: str) -> tuple[str, str]:
    """Return the results of two dice; `hands` has the hand for each side of the first.

    rules: R160
    """
    label = f"turn {table.turn} {when}confusion {wizard.id}"
    hand = table.draw(wizard.id, "hand", f"{label} hand", hands)
    return hand, table.draw(wizard.id, "gesture", f"{label} gesture", table.rules.confused)
