"""The scenes in which two spells are cast on one turn, and the visible result after it.

There are four wizards. w0 and w2 cast, w1 is (or owns) the subject, and w3 stabs and has a goblin,
so that every shield has a visible effect. All wizards are slightly hurt, so that every cure has a
visible effect.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final

import engine.orders
import engine.play
from engine.events import Summoned
from engine.positions.position import EXTRA, HASTE, NORMAL, STANDING, Monster, Position, Wizard
from engine.rulesets import RULESETS
from engine.rulesets.choices import NUMBERED, STEPWISE
from tests.engine.matrix.matrix_file import ELEMENTS, IN_FORCE_SUFFIX

FIRST, SUBJECT, SECOND, STABBER = ("w0", "w1", "w2", "w3")
DAMAGE_BY_WIZARD: Final = {"w0": 3, "w1": 5, "w2": 4, "w3": 2}
IDLE_GESTURES: Final = "WF"
"""Gestures that w1 makes when not casting: no spell, but something that mind spells can repeat."""

IDLE_GESTURES_BY_EFFECT: Final = {"paralysis*": "WD"}
"""Gestures of w1 in this turn and the turn before, if they are not "WW", by effect in force."""

_TURNS_IN_FORCE: Final = {"disease": 3, "poison": 3, "amnesia": 1, "confusion": 1,
                          "charm_person": 1, "paralysis": 1, "fear": 1,
                          "resist_heat": None, "resist_cold": None}  # fmt: skip
_EFFECT_DETAILS: Final[Mapping[str, Mapping[str, object]]] = {
    "amnesia": {"sets": ["WW"]},
    "charm_person": {"caster": "w3", "hand": "R"},
    "paralysis": {"hand": "R", "letter": "D"},
}
RECALLED_VICTIM: Final = "w2"
"""Last victim of an amnesiac monster."""

BANKED_SPELL: Final = "shield"
"""Spell in the bank when the turn begins."""

HELD_HAND: Final = "R"
"""Hand held by a paralysis in force."""

WINDOW_FIELDS: Final = {"delayed_effect*": "bank", "permanency*": "permanency"}
"""Field that marks a hand for the window in force."""

HAND_NAMING_SPELLS: Final = ("paralysis", "charm_person")
"""Spells whose caster names a hand."""

Facts = dict[str, str]
"""The visible result after the turn, by a heading such as "w1" or "m0 under"."""


@dataclass(frozen=True, slots=True)
class SceneMonster:
    """A monster that exists before the turn, with its controller, victim and damage."""

    kind: str
    controller: str = ""
    victim: str = ""
    damage: int = 0
    is_corpse: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """The casters, subjects and attackers. A wizard who casts both spells releases the first."""

    name: str
    column: str
    casters: tuple[str, str]
    subjects: tuple[str, str]
    beasts: tuple[SceneMonster, ...]
    stabs: Mapping[str, str]
    has_held: bool = False  # the first of the two spells is already in force
    has_newcomer: bool = False  # the second spell summons an elemental
    wounds: Mapping[str, int] = field(default_factory=lambda: DAMAGE_BY_WIZARD)


@dataclass(frozen=True, slots=True)
class SpellCast:
    """One of the two spells.

    `name` is the spell's name in the matrix, with its element after a slash.
    """

    name: str
    caster: str
    subject: str
    is_released: bool

    @property
    def spell(self) -> str:
        return self.name.partition("/")[0].rstrip(IN_FORCE_SUFFIX)

    @property
    def element(self) -> str:
        return self.name.partition("/")[2]

    @property
    def is_held(self) -> bool:
        """Whether the spell is already in force when the turn begins."""
        return self.name.endswith(IN_FORCE_SUFFIX)


_ONE_GOBLIN = (SceneMonster("goblin", STABBER, SUBJECT),)
_TWO_GOBLINS = (SceneMonster("goblin", STABBER, FIRST), SceneMonster("goblin", STABBER, SUBJECT))
_SUBJECT_MONSTERS: Final = {
    "giant": SceneMonster("giant", SUBJECT, STABBER, 1),
    "fire": SceneMonster("fire", SUBJECT, "", 1),
    "ice": SceneMonster("ice", SUBJECT, "", 1),
    "corpse": SceneMonster("giant", is_corpse=True),
}


def _monster_scene(
    name: str, kind: str, casters: tuple[str, str], *, has_held: bool = False
) -> Scene:
    stabs = {} if kind == "corpse" else {STABBER: "m0"}
    return Scene(name, kind, casters, ("m0", "m0"), (_SUBJECT_MONSTERS[kind],), stabs, has_held)


_BOTH, _SAME = (FIRST, SECOND), (FIRST, FIRST)
SCENES: Final = (
    Scene("two at a wizard", "wizard", _BOTH, (SUBJECT, SUBJECT), _ONE_GOBLIN, {STABBER: SUBJECT}),
    Scene("one at a wizard", "wizard", _SAME, (SUBJECT, SUBJECT), _ONE_GOBLIN, {STABBER: SUBJECT}),
    Scene(
        "one by a rival, one by the subject", "wizard", (FIRST, SUBJECT), (SUBJECT, SUBJECT),
        _ONE_GOBLIN, {STABBER: SUBJECT},
    ),
    Scene(
        "each at the other", "wizard", (FIRST, SUBJECT), (SUBJECT, FIRST), _TWO_GOBLINS,
        {SECOND: SUBJECT, STABBER: FIRST},
    ),
    Scene(
        "between two dying wizards", "wizard", (FIRST, SUBJECT), (SUBJECT, FIRST), (), {},
        wounds={"w0": 12, "w1": 13},
    ),
    _monster_scene("two at a giant", "giant", _BOTH),
    _monster_scene("one at a giant", "giant", _SAME),
    _monster_scene("two at a fire elemental", "fire", _BOTH),
    _monster_scene("one at a fire elemental", "fire", _SAME),
    _monster_scene("two at an ice elemental", "ice", _BOTH),
    _monster_scene("one at an ice elemental", "ice", _SAME),
    _monster_scene("two at a corpse", "corpse", _BOTH),
    Scene(
        "next to a fire elemental", "wizard", _BOTH, (SUBJECT, SUBJECT),
        (*_ONE_GOBLIN, SceneMonster("fire", STABBER, "", 1)), {STABBER: SUBJECT},
    ),
    Scene(
        "next to an ice elemental", "wizard", _BOTH, (SUBJECT, SUBJECT),
        (*_ONE_GOBLIN, SceneMonster("ice", STABBER, "", 1)), {STABBER: SUBJECT},
    ),
    Scene(
        "at a fire elemental that meets another", "fire", _BOTH, ("m0", SUBJECT),
        (_SUBJECT_MONSTERS["fire"],), {STABBER: "m0"}, has_newcomer=True,
    ),
    Scene(
        "at an ice elemental that meets another", "ice", _BOTH, ("m0", SUBJECT),
        (_SUBJECT_MONSTERS["ice"],), {STABBER: "m0"}, has_newcomer=True,
    ),
    Scene(
        "in force on a wizard", "wizard", (STABBER, FIRST), (SUBJECT, SUBJECT), _ONE_GOBLIN,
        {STABBER: SUBJECT}, has_held=True,
    ),
    Scene(
        "in force on the caster", "wizard", (STABBER, SUBJECT), (SUBJECT, FIRST), _TWO_GOBLINS,
        {SECOND: SUBJECT, STABBER: FIRST}, has_held=True,
    ),
    Scene(
        "in force on the caster and subject", "wizard", (STABBER, SUBJECT), (SUBJECT, SUBJECT),
        _ONE_GOBLIN, {STABBER: SUBJECT}, has_held=True,
    ),
    _monster_scene("in force on a giant", "giant", (STABBER, FIRST), has_held=True),
    _monster_scene("in force on a fire elemental", "fire", (STABBER, FIRST), has_held=True),
    _monster_scene("in force on an ice elemental", "ice", (STABBER, FIRST), has_held=True),
)  # fmt: skip
SCENE_BY_NAME: Final = {scene.name: scene for scene in SCENES}


def casts_of(scene: Scene, one: str, other: str) -> tuple[SpellCast, SpellCast]:
    """Return the two spells as this scene casts them."""
    released = scene.casters[0] == scene.casters[1]
    return (
        SpellCast(one, scene.casters[0], scene.subjects[0], released),
        SpellCast(other, scene.casters[1], scene.subjects[1], False),
    )


def gestures_by_wizard(scene: Scene, casts: tuple[SpellCast, ...], ruleset: str) -> dict[str, str]:
    """Return each wizard's pair of letters for this turn, by wizard."""
    pairs = dict.fromkeys(scene.wounds, "--") | {SUBJECT: _idle_gestures(casts)}
    for cast in casts:
        if not cast.is_released and not cast.is_held:
            letter = _pattern_of_cast(cast, ruleset)[-1]
            pairs[cast.caster] = letter.upper() * 2 if letter.islower() else "-" + letter
    return pairs


def _idle_gestures(casts: tuple[SpellCast, ...]) -> str:
    return IDLE_GESTURES_BY_EFFECT.get(casts[0].name, "WW") if casts[0].is_held else IDLE_GESTURES


def play_scene(scene: Scene, casts: tuple[SpellCast, ...], ruleset: str) -> Facts:
    """Play the turn with the engine and return the visible result."""
    before = _starting_position(scene, casts, ruleset)
    flats = _orders_of_wizards(scene, casts, ruleset)
    orders = {id: _orders_from_fields(tuple(flat.items())) for id, flat in flats.items()}
    answers: dict[str, str] = {}
    deciders = []
    while any(cast.element for cast in casts) and (
        batch := engine.play.questions(before, orders, answers, MatrixDice())
    ):
        for question in batch:
            if question.kind == "elemental":
                deciders.append(question.wizard)
                answers[question.id] = _answer_about_element(question, casts)
            else:
                answers[question.id] = question.default
    after, events = engine.play.resolve(before, orders, answers, MatrixDice())
    born = {event.monster for event in events if isinstance(event, Summoned)}
    facts = _visible_facts(scene, after, born)
    facts["chooses the element"] = " ".join(sorted(deciders))
    return facts


@cache
def _orders_from_fields(flat: tuple[tuple[str, str], ...]) -> engine.orders.Orders:
    return engine.orders.from_fields(dict(flat))


def _pattern_of_cast(cast: SpellCast, ruleset: str) -> str:
    return RULESETS[ruleset].spells[cast.spell].patterns[0]


def _starting_position(scene: Scene, casts: tuple[SpellCast, ...], ruleset: str) -> Position:
    """Return a position in which this turn's gestures complete the spells.

    A spell that will be released is in the bank. If the two spells belong to different wizards,
    combine the cached setups of the two.
    """
    first, second = casts
    if second.caster == (first.subject if first.is_held else first.caster):
        return _set_up_position(scene, casts, ruleset)
    position = _position_of_first_caster(scene.name, first, ruleset).copy()
    position.wizards[int(second.caster[1:])] = _second_caster(scene.name, second, ruleset).copy()
    return position


@lru_cache(maxsize=256)
def _position_of_first_caster(scene: str, cast: SpellCast, ruleset: str) -> Position:
    return _set_up_position(SCENE_BY_NAME[scene], (cast,), ruleset)


@cache
def _second_caster(scene: str, cast: SpellCast, ruleset: str) -> Wizard:
    return _set_up_position(SCENE_BY_NAME[scene], (cast,), ruleset).wizard(cast.caster)


def _set_up_position(scene: Scene, casts: tuple[SpellCast, ...], ruleset: str) -> Position:
    wizards: list[dict[str, object]] = [{"damage": wound} for wound in scene.wounds.values()]
    for cast in casts:
        row = wizards[int(cast.caster[1:])]
        if cast.is_held:
            continue
        if cast.is_released:
            row["bank"] = cast.spell
            if is_numbered(ruleset):
                row["bank_subject"] = _written_subject(cast)
        else:
            past = _pattern_of_cast(cast, ruleset)[:-1]
            row["right"] = past.upper()
            row["left"] = "".join(letter.upper() if letter.islower() else "-" for letter in past)
    monsters: list[dict[str, object]] = [
        {
            "kind": beast.kind,
            "controller": _controller_of(beast, ruleset) or None,
            "victim": beast.victim or None,
            "damage": beast.damage,
            "state": "corpse" if beast.is_corpse else "alive",
        }
        for beast in scene.beasts
    ]
    for cast in casts:
        if cast.is_held:
            beings = wizards if cast.subject.startswith("w") else monsters
            being = beings[int(cast.subject[1:])]
            if cast.spell == "bank":
                being["bank"] = BANKED_SPELL
            else:
                being["effects"] = {cast.spell: _effect_in_force(cast, ruleset)}
            if cast.subject == SUBJECT and SUBJECT not in scene.casters:
                idle = _idle_gestures(casts)
                being |= {"left": idle[0], "right": idle[1]}
            if cast.name == "amnesia*" and beings is monsters:
                being["victim"] = RECALLED_VICTIM
    duellists = [engine.play.Duellist(id) for id in scene.wounds]
    return engine.play.begin(ruleset, duellists, setup={"wizards": wizards, "monsters": monsters})


def is_numbered(ruleset: str) -> bool:
    """Return whether extra turns have their own numbers and hands are named in the orders."""
    return RULESETS[ruleset].order_of_play == NUMBERED


def _controller_of(beast: SceneMonster, ruleset: str) -> str:
    is_nobodys = is_numbered(ruleset) and beast.kind in ELEMENTS
    return "" if is_nobodys else beast.controller


def _effect_in_force(cast: SpellCast, ruleset: str) -> dict[str, object]:
    """Return the effect as a row of a setup. Most effects last this turn and the next."""
    binds = _EFFECT_DETAILS.get(cast.spell, {}) if cast.subject.startswith("w") else {}
    if is_numbered(ruleset):
        binds = {"caster": STABBER} if cast.spell in HAND_NAMING_SPELLS else {}
        return {"turns": _TURNS_IN_FORCE.get(cast.spell, 2), **binds}
    if cast.spell == "amnesia" and not binds:
        binds = {"victims": [RECALLED_VICTIM]}
    return {"turns": _TURNS_IN_FORCE.get(cast.spell, 2), **binds}


class MatrixDice:
    """Dice that make a confused wizard's right hand make a W and a confused monster attack w0."""

    def draw(self, label: str, sides: int) -> int:
        return 0 if label.endswith("victim") else sides - 1


def _orders_of_wizards(
    scene: Scene, casts: tuple[SpellCast, ...], ruleset: str
) -> dict[str, dict[str, str]]:
    """Return all four wizards' orders as fields. w0 names left hands, the others right ones."""
    flats = {}
    names_hands = not is_numbered(ruleset) and any(
        cast.spell in HAND_NAMING_SPELLS for cast in casts
    )
    for id, pair in gestures_by_wizard(scene, casts, ruleset).items():
        flats[id] = {"left": pair[0], "right": pair[1]}
        if names_hands:
            hand = hand_named_by(id)
            flats[id] |= {f"answer:{spell}": hand for spell in HAND_NAMING_SPELLS}
    has_two_sets = casts[0].name == "haste*" and scene.column == "wizard"
    if has_two_sets and casts[1].caster != SUBJECT and not is_numbered(ruleset):
        flats[SUBJECT] |= {"left2": "W", "right2": "W"}
    for cast in casts:
        if cast.is_held:
            continue
        flat = flats[cast.caster]
        subject = _written_subject(cast)
        if cast.is_released and is_numbered(ruleset):
            flat["release"] = "yes"
        elif cast.is_released:
            flat |= {"release": "yes", "release_subject": subject}
        else:
            hand = "both" if _pattern_of_cast(cast, ruleset)[-1].islower() else "right"
            flat |= {f"{hand}_spell": cast.spell, f"{hand}_subject": subject}
    if casts[0].name == "charm_person*":
        flats[STABBER][f"charmed:{SUBJECT}.{HELD_HAND}"] = "W"
    if is_numbered(ruleset):
        _write_hands(flats, scene, casts, ruleset)
    for number, beast in enumerate(scene.beasts):
        if beast.victim:
            flats[beast.controller][f"victim:m{number}"] = beast.victim
    for id, subject in scene.stabs.items():
        flats[id] |= {"left": ">", "left_subject": subject}
    asked = {SUBJECT, *(cast.caster for cast in casts)}
    return {id: flat for id, flat in flats.items() if id in asked or id in scene.stabs}


def _written_subject(cast: SpellCast) -> str:
    """Return the subject to write for this spell, or nothing for a storm."""
    return "" if cast.spell in ("fire_storm", "ice_storm") else cast.subject


def _write_hands(
    flats: dict[str, dict[str, str]], scene: Scene, casts: tuple[SpellCast, ...], ruleset: str
) -> None:
    """Write held and marked hands into the orders, because nobody is asked after the reveal."""
    held, other = casts
    if held.name == "paralysis*":
        flats[STABBER][f"held:{SUBJECT}"] = HELD_HAND
    if held.name in WINDOW_FIELDS and other.caster == SUBJECT:
        hand = "BH" if _pattern_of_cast(other, ruleset)[-1].islower() else "R"
        flats[SUBJECT][WINDOW_FIELDS[held.name]] = hand


def hand_named_by(wizard: str) -> str:
    """Return the hand that this wizard names for Paralysis or Charm Person."""
    return "L" if wizard == FIRST else "R"


def _answer_about_element(question: engine.play.Question, casts: tuple[SpellCast, ...]) -> str:
    """Return the element that the matrix states for this question about an elemental.

    The id of a question contains the spell's hand, or the subject and a number.
    """
    made = [cast for cast in casts if cast.element]
    for cast in made:
        if question.id.endswith(f"{'BANK' if cast.is_released else 'R'}:{cast.caster}"):
            return cast.element
    subject, _, number = question.id.removeprefix("elemental:").partition(".")
    return [cast.element for cast in made if cast.subject == subject][int(number)]


# -- the visible result


def _visible_facts(scene: Scene, after: Position, born: set[str]) -> Facts:
    facts: Facts = {"the duel": after.outcome or "goes on"}
    for wizard in after.wizards:
        _add_wizard_facts(facts, wizard, after)
    left = {monster.id: monster for monster in after.monsters}
    for number in range(len(scene.beasts)):
        _add_monster_facts(facts, f"m{number}", left.get(f"m{number}"), after)
    newborn = [monster_fact(m, after) for m in after.monsters if m.id in born]
    facts["newborn"] = "; ".join(sorted(newborn))
    facts["extra turn"] = " ".join(after.stopped) if after.kind == EXTRA else ""
    if after.kind == HASTE and is_numbered(after.ruleset):
        hasted = [wizard.id for wizard in after.wizards_in_duel() if "haste" in wizard.effects]
        facts["extra turn"] = f"hasted {' '.join(hasted)}"
    return facts


def _add_wizard_facts(facts: Facts, wizard: Wizard, after: Position) -> None:
    if wizard.standing != STANDING:
        facts[wizard.id] = wizard.standing
        return
    facts[wizard.id] = f"damage {wizard.damage}"
    facts[f"{wizard.id} under"] = effects_fact(wizard, after)
    facts[f"{wizard.id} bank"] = wizard.bank
    facts[f"{wizard.id} gestures"] = "kept" if wizard.left else "broken"


def _add_monster_facts(facts: Facts, id: str, monster: Monster | None, after: Position) -> None:
    facts[id] = monster_fact(monster, after) if monster else "gone"
    if monster is not None and monster.state == "alive":
        facts[f"{id} under"] = effects_fact(monster, after)


def monster_fact(monster: Monster, after: Position) -> str:
    """Describe a monster. In stepwise play, omit a master who is out of the duel."""
    if monster.state != "alive":
        return f"{monster.kind} corpse"
    master = monster.controller
    if master and _is_stepwise(after) and after.wizard(master).standing != STANDING:
        master = ""
    return f"{monster.kind} of {master or 'nobody'} damage {monster.damage}"


def _is_stepwise(position: Position) -> bool:
    return position.rules.order_of_play == STEPWISE


def effects_fact(being: Wizard | Monster, after: Position) -> str:
    """Describe the effects in force after turn 1, with turns left and forced gestures or victims.

    In stepwise play, amnesia makes a monster attack its last victim again. Before an extra turn,
    Haste shows two turns more than it will have. If extra turns have numbers, each of them delays
    the end by one turn, and no hand is named yet.
    """
    in_steps = _is_stepwise(after)
    seen = []
    numbered = is_numbered(after.ruleset)
    put_off = 1 if numbered and after.kind != NORMAL else 0
    for kind, effect in sorted(being.effects.items()):
        left = effect.last - 1 - put_off
        if left <= 0:
            continue  # ends with this turn, if an extra turn was played
        if kind == "haste" and in_steps and after.kind == EXTRA:
            left -= 2
        span = str(left) if left < 100 else "ever"
        binds = [] if numbered else [effect.hand, *effect.sets]
        if kind == "amnesia" and not binds[1:] and isinstance(being, Monster) and in_steps:
            binds.append(being.victim)
        if kind == "paralysis" and not numbered:
            binds.append(effect.letter)
        if kind == "charm_person" or (numbered and kind == "paralysis"):
            binds.append(f"by {effect.caster}")
        permanent = effect.permanent and kind not in ("resist_heat", "resist_cold")
        words = [kind, "for", "ever" if permanent else span, *binds]
        seen.append(" ".join(word for word in words if word))
    return "; ".join(seen)
