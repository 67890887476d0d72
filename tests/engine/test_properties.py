"""Property tests with random duels; see also `test_fuzz`."""

import random
from collections.abc import Iterator, Mapping, Sequence

from hypothesis import example, given, settings
from hypothesis import strategies as st

import engine.orders
import engine.play
import engine.words
from engine.gestures import STAB
from engine.legality.hand_constraints import active_mind_spell
from engine.legality.moves import Moves
from engine.positions.position import Position
from engine.resolve.table import is_alive
from engine.rulesets.choices import CaptureRule
from tests import daily
from tests.engine.board import ALL_RULESETS
from tests.engine.random_duels import (
    ALL_LETTERS,
    WIZARD_NAMES,
    Player,
    Step,
    random_duel,
    random_orders,
)

SEEDS = st.integers(0, 2**32 - 1)


RULESETS_WITH_SHEETS = ALL_RULESETS
RULESETS_WITHOUT_STEPS = tuple(
    id for id in ALL_RULESETS if engine.play.RULESETS[id].order_of_play != engine.play.STEPWISE
)


def random_turns(
    seed: int, *, wizards: int = 0, turns: int = 40, rulesets: Sequence[str] = ALL_RULESETS
) -> Iterator[Step]:
    """Return a random duel under one of these rulesets, with 2 to 5 wizards if `wizards` is 0."""
    chance = random.Random(seed)
    count = wizards or chance.randint(2, 5)
    return random_duel(chance, wizards=count, turns=turns, ruleset=chance.choice(rulesets))


@given(SEEDS)
@settings(max_examples=daily.examples(60))
def test_resolve_is_deterministic_and_does_not_change_its_arguments(seed: int) -> None:
    for step in random_turns(seed, turns=25):
        before = engine.play.dump(step.position)
        orders = {wizard: dict(engine.orders.fields(own)) for wizard, own in step.orders.items()}
        again = engine.play.resolve(step.position, step.orders, step.answers, step.dice)
        assert again == (step.after, step.events)
        assert engine.play.dump(step.position) == before
        assert {wizard: engine.orders.fields(own) for wizard, own in step.orders.items()} == orders
        seen: list[engine.play.Event] = []
        engine.play.resolve(step.position, step.orders, step.answers, step.dice, sink=seen.append)
        assert tuple(seen) == step.events
        dropped = engine.play.resolve(
            step.position, step.orders, step.answers, step.dice, sink=engine.play.drop_events
        )
        assert dropped == (step.after, ())


@given(SEEDS)
@settings(max_examples=daily.examples(60))
def test_random_duels_round_trip_through_dump_and_load(seed: int) -> None:
    steps = list(random_turns(seed, turns=25))
    for step in steps:
        assert engine.play.load(engine.play.dump(step.after)) == step.after
        assert engine.play.load(engine.play.dump(step.events)) == step.events
        for orders in step.orders.values():
            flat = engine.orders.fields(orders)
            assert engine.orders.fields(engine.orders.from_fields(flat)) == flat
            assert (
                engine.orders.fields(_orders_of_value(engine.play.load(engine.play.dump(orders))))
                == flat
            )
    history = history_of(steps)
    assert engine.play.load(engine.play.dump(history)) == history


def _orders_of_value(value: object) -> engine.orders.Orders:
    assert isinstance(value, engine.orders.Orders)
    return value


def history_of(steps: list[Step]) -> engine.play.History:
    turns = tuple(
        engine.play.Turn(n, step.position, step.events) for n, step in enumerate(steps, 1)
    )
    return engine.play.History(turns, steps[-1].after)


@given(SEEDS)
@settings(max_examples=daily.examples(40))
def test_view_and_narrate_work_for_every_observer(seed: int) -> None:
    """Every observer has views and reports, and every sheet's defaults are legal."""
    steps = list(random_turns(seed, turns=20))
    history = history_of(steps)
    for observer in (*(wizard.id for wizard in history.position.wizards), "spectator", "all"):
        view = engine.play.view(history, observer)
        for report in engine.words.narrate(view):
            for line in report.lines:
                assert line.rule
                assert line.text[0] == line.text[0].upper()
                assert "{" not in line.text
    for step in steps:
        for wizard in engine.play.acting_wizards(step.position):
            sheet = engine.play.sheet(step.position, wizard, step.orders[wizard])
            assert engine.play.check(step.position, wizard, engine.orders.Orders()) == ()
            orders = engine.play.default_orders(step.position, wizard)
            assert engine.play.check(step.position, wizard, orders) == ()
            assert sheet.decides == (wizard in engine.play.deciding_wizards(step.position))


@given(SEEDS)
@settings(max_examples=daily.examples(60))
def test_everything_the_sheet_offers_is_legal(seed: int) -> None:
    """Every subject and victim on a sheet is legal, and every forbidden gesture is illegal."""
    chance = random.Random(seed)
    for step in random_turns(seed, turns=20, rulesets=RULESETS_WITH_SHEETS):
        for wizard in engine.play.acting_wizards(step.position):
            flat = _orders_from_sheet(step.position, wizard, chance)
            assert (
                engine.play.check(step.position, wizard, engine.orders.from_fields(flat)) == ()
            ), flat
            sheet = engine.play.sheet(step.position, wizard)
            for hands in sheet.sets[:1]:
                for option in hands.left.gestures:
                    if not option.allowed:
                        orders = engine.orders.from_fields({"left": option.letter})
                        faults = engine.play.check(step.position, wizard, orders)
                        feared = not step.position.rules.fear_refuses and (
                            active_mind_spell(step.position, step.position.wizard(wizard)) == "fear"
                        )  # W24: the gesture becomes nothing
                        assert option.letter == "-" or faults or feared


@given(SEEDS)
@settings(max_examples=daily.examples(40))
def test_check_accepts_exactly_the_choices_that_the_sheet_lists(seed: int) -> None:
    """Try every choice for one pair of gestures that `possible_choices` yields."""
    chance = random.Random(seed)
    for step in random_turns(seed, turns=20):
        position, wizard = step.position, chance.choice([*step.orders] or [""])
        if not wizard or not engine.play.sheet(position, wizard).sets:
            continue
        if Moves(position, position.wizard(wizard)).limits.changeable:
            continue  # `check` accepts choices for all possible gestures, the sheet shows one
        draft = pair_from_sheet(position, wizard, chance)
        for field, value, is_listed in possible_choices(position, wizard, draft):
            orders = engine.orders.from_fields({**draft, field: value})
            faults = engine.play.check(position, wizard, orders)
            assert is_listed == (not faults), (wizard, draft, field, value, faults)


def pair_from_sheet(position: Position, wizard: str, chance: random.Random) -> dict[str, str]:
    """Return gestures that the sheet allows, preferring those that complete a spell."""
    hands = engine.play.sheet(position, wizard).sets[0]
    lefts, rights = (
        [option.letter for option in hand.gestures if option.allowed]
        for hand in (hands.left, hands.right)
    )
    drafts = [{"left": left, "right": right} for left in lefts for right in rights]
    legal = [
        draft
        for draft in drafts
        if not engine.play.check(position, wizard, engine.orders.from_fields(draft))
    ]
    completing = [draft for draft in legal if draft["left"] + draft["right"] in hands.completions]
    return chance.choice(completing or legal)


def possible_choices(
    position: Position, wizard: str, draft: Mapping[str, str]
) -> Iterator[tuple[str, str, bool]]:
    """Yield fields for these gestures and their values, and whether the sheet lists them.

    Leave out legal choices that the sheet does not list because they have no effect of their own:
    the hands of a two-handed spell, stabs at the dead, and victims of monsters that do not attack.
    """
    sheet = engine.play.sheet(position, wizard, engine.orders.from_fields(draft))
    beings = [wizard.id for wizard in position.wizards]
    beings += [monster.id for monster in position.monsters]
    places = [*beings, "m999", "nowhere", "no_one", "attacker"]
    rows = sheet.sets[0].completions.get(draft["left"] + draft["right"], ())
    for side, hand in (("left", "L"), ("right", "R"), ("both", "BH")):
        if hand != "BH" and any(row.hand == "BH" for row in rows):
            continue
        for spell in position.rules.spells:
            yield f"{side}_spell", spell, any((r.hand, r.spell) == (hand, spell) for r in rows)
        cast = next((row.spell for row in rows if row.hand == hand and row.default), "")
        aimed = cast or ("stab" if draft.get(side) == STAB else "")
        options = sheet.subjects[aimed].options if aimed else ()
        for place in places:
            if aimed != "stab" or place not in beings or is_alive(position.being(place)):
                yield f"{side}_subject", place, place in options
    commanded = {row.key: row.options for row in sheet.monsters}
    for monster in position.monsters:
        if monster.id in commanded or monster.controller != wizard:
            for place in places:
                yield f"victim:{monster.id}", place, place in commanded.get(monster.id, ())
    yield "release", "yes", sheet.bank is not None
    yield "heart", "yes", sheet.may_stop_heart
    for other in position.wizards:
        for hand in "LR":
            named = [each.options for each in sheet.held if each.wizard == other.id]
            yield f"held:{other.id}", hand, any(hand in options for options in named)
            moved = {(each.wizard, each.hand) for each in sheet.charmed}
            yield f"charmed:{other.id}.{hand}", "F", (other.id, hand) in moved


def _orders_from_sheet(position: Position, wizard: str, chance: random.Random) -> dict[str, str]:
    """Return orders that use everything that the sheet offers."""
    sides = {"L": "left", "R": "right", "BH": "both"}
    flat: dict[str, str] = {}
    for hands in engine.play.sheet(position, wizard).sets:
        suffix = "" if hands.number == 1 else "2"
        pairs = [pair for pair in hands.completions if pair != "PP"]
        pair = chance.choice(pairs) if pairs else ""
        for side, hand in (("left", hands.left), ("right", hands.right)):
            letter = pair[0 if side == "left" else 1] if pair else hand.forced or "-"
            flat[side + suffix] = letter
        if not hands.right.forced and not hands.left.forced and not pair:
            flat["left" + suffix] = ">"
    sheet = engine.play.sheet(position, wizard, engine.orders.from_fields(flat))
    for hands in sheet.sets:
        suffix = "" if hands.number == 1 else "2"
        pair = flat["left" + suffix] + flat["right" + suffix]
        for completion in hands.completions.get(pair, ()):
            options = sheet.subjects[completion.spell].options
            if completion.default and options:
                flat[f"{sides[completion.hand]}_subject{suffix}"] = chance.choice(options)
        for side, letter in zip(("left", "right"), pair, strict=True):
            if letter == ">":
                flat[f"{side}_subject{suffix}"] = chance.choice(sheet.subjects["stab"].options)
    for monster in sheet.monsters:
        flat[f"victim:{monster.key}"] = chance.choice(monster.options)
    for charmed in sheet.charmed:
        if not charmed.is_one_of_two or f"charmed:{charmed.wizard}.L" not in flat:
            flat[f"charmed:{charmed.key}"] = chance.choice(ALL_LETTERS)
    for held in sheet.held:
        flat[held.field] = chance.choice(held.options)
    if sheet.may_stop_heart and chance.random() < 0.1:
        flat["heart"] = "yes"
    if sheet.bank is not None:
        flat["release"] = "yes"
        if sheet.bank.options:
            flat["release_subject"] = chance.choice(sheet.bank.options)
    return flat


@given(SEEDS)
@example(525)  # a mirror lasts into a hasted turn in which only shields are cast
@settings(max_examples=daily.examples(150))
def test_resignation_does_not_make_sealed_orders_of_others_illegal(seed: int) -> None:
    """Orders that the other wizards have sealed stay legal. rules: turn:resign"""
    chance = random.Random(seed)
    ruleset = chance.choice(ALL_RULESETS)
    for step in random_duel(chance, wizards=chance.randint(3, 5), turns=30, ruleset=ruleset):
        leaver = chance.choice(step.position.wizards_in_duel()).id
        position, events = engine.play.resign(step.position, leaver)
        assert events[0].code == "resigned"
        if not position.outcome:
            rest = {wizard: o for wizard, o in step.orders.items() if wizard != leaver}
            rest = {
                wizard: o
                for wizard, o in rest.items()
                if wizard in engine.play.acting_wizards(position)
            }
            after, _ = engine.play.resolve(position, rest, step.answers, step.dice)
            assert after.wizard(leaver).standing == "resigned"
            assert after.wizard(leaver).damage == step.position.wizard(leaver).damage


# The order of the seats


@given(SEEDS)
@example(298612011)  # a goblin is summoned by chance and dies in its first turn
@settings(max_examples=daily.examples(150))
def test_permuting_the_seats_permutes_the_outcome(seed: int) -> None:
    """Seats do not matter if the orders name every subject and dice are labelled by name.

    The duels end as soon as a rule depends on seats: new monsters are numbered by seat (R164),
    and earlier seats have privileges in R76 and R124.
    """
    chance = random.Random(seed)
    ruleset = chance.choice(RULESETS_WITHOUT_STEPS)
    count = chance.randint(2, 4)
    order = list(range(count))
    chance.shuffle(order)
    dice = engine.play.Dice(chance.randbytes(16))
    one = engine.play.begin(ruleset, [engine.play.Duellist(WIZARD_NAMES[n]) for n in range(count)])
    other = engine.play.begin(ruleset, [engine.play.Duellist(WIZARD_NAMES[n]) for n in order])
    patterns = [c.pattern for c in one.rules.completables if not c.spell.monster]
    players = [Player(chance, patterns) for _ in range(count)]
    place = {f"w{seat}": f"w{order.index(seat)}" for seat in range(count)}
    for _ in range(30):
        if one.outcome or any(wizard.effects.get("haste") for wizard in one.wizards):
            break
        orders = {
            w: _orders_with_named_subjects(one, w, players[int(w[1:])])
            for w in engine.play.acting_wizards(one)
        }
        renamed = {place[w]: _orders_with_permuted_seats(o, place) for w, o in orders.items()}
        if _depends_on_seats(one, orders):
            break
        one, _ = engine.play.resolve(one, orders, {}, dice)
        other, _ = engine.play.resolve(other, renamed, {}, dice)
        if one.created:
            break
        assert _wizard_states_by_name(one) == _wizard_states_by_name(other)


def _orders_with_named_subjects(
    position: Position, wizard: str, player: Player
) -> engine.orders.Orders:
    """Return random orders with a subject for every spell and stab."""
    orders = random_orders(position, wizard, player)
    # These have no subjects or chosen spells.
    flat = {k: v for k, v in engine.orders.fields(orders).items() if "_s" not in k}
    sheet = engine.play.sheet(position, wizard, engine.orders.from_fields(flat))
    standing = [other.id for other in position.wizards_in_duel()]
    # A banked spell keeps the subject that it had when it was banked. rules: W34
    is_aimed = position.rules.capture is CaptureRule.MARKED
    if "release" in flat and sheet.bank is not None and sheet.bank.options and not is_aimed:
        options = sheet.bank.options
        flat["release_subject"] = player.chance.choice([id for id in standing if id in options])
    for hands in sheet.sets:
        suffix = "" if hands.number == 1 else "2"
        pair = flat.get("left" + suffix, "-") + flat.get("right" + suffix, "-")
        sides = {"L": "left", "R": "right", "BH": "both"}
        for completion in hands.completions.get(pair, ()):
            options = sheet.subjects[completion.spell].options
            if completion.default and options:
                name = f"{sides[completion.hand]}_subject{suffix}"
                flat[name] = player.chance.choice([id for id in standing if id in options])
        for side, letter in zip(("left", "right"), pair, strict=True):
            if letter == ">":
                rivals = [id for id in standing if id != wizard]
                flat[f"{side}_subject{suffix}"] = player.chance.choice(rivals)
    named = engine.orders.from_fields(flat)
    assert engine.play.check(position, wizard, named) == ()
    return named


def _orders_with_permuted_seats(
    orders: engine.orders.Orders, place: dict[str, str]
) -> engine.orders.Orders:
    def name(text: str) -> str:
        return place.get(text, text)

    flat: dict[str, str] = {}
    for key, value in engine.orders.fields(orders).items():
        if key.startswith("charmed"):
            head, _, hand = key.partition(":")
            wizard, _, side = hand.partition(".")
            flat[f"{head}:{name(wizard)}.{side}"] = value
        else:
            flat[key] = name(value)
    return engine.orders.from_fields(flat)


def _depends_on_seats(position: Position, orders: dict[str, engine.orders.Orders]) -> bool:
    """Return whether the result of the turn depends on seats.

    Seats matter if two paralyses or two raisings are cast, or if a mind spell changes a hand, whose
    spell then gets a default subject. rules: R13, R76, R124
    """
    _, events = engine.play.resolve(position, orders, {}, engine.play.Dice(b""))
    if any(event.code == "overridden" for event in events):
        return True
    casts = [event for event in events if event.code == "cast"]
    spells = [getattr(event, "spell", "") for event in casts]
    return spells.count("paralysis") > 1 or spells.count("raise_dead") > 1


def _wizard_states_by_name(position: Position) -> dict[str, object]:
    """Return the wizards' states by name, without casters, which can depend on seats (R76)."""
    names = {wizard.id: wizard.name for wizard in position.wizards}
    names |= {"": "", "draw": "draw"}
    return {
        wizard.name: (
            wizard.damage, wizard.standing, wizard.left, wizard.right, wizard.bank,
            wizard.used_bolt, names[position.outcome],
            sorted(
                (kind, e.first, e.last, e.permanent, e.hand, e.letter, e.sets)
                + ((names[e.caster],) if kind == "charm_person" else ())
                for kind, e in wizard.effects.items()
            ),
        )
        for wizard in position.wizards
    }  # fmt: skip
