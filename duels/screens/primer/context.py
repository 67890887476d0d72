"""Context for the two-minute introduction, whose scenes the engine plays."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import engine.play
import engine.words
from duels.lessons.primer import RULESET, SCENES, WIZARDS, Scene
from duels.lessons.script import gesture_orders
from engine.play import ALL, GESTURE_NAMES, LETTERS

DEFAULT_SCENE = "defence"  # the scene for pages that have room for only one


class ShownHand(NamedTuple):
    """A hand's gesture in one turn, with the name of the spell that it completed, if any."""

    side: str
    letter: str
    spell: str


@dataclass(frozen=True)
class ShownScene:
    """A scene with its turns, which list the hands of all wizards, and its report.

    `reports` has the report of the last turn, if anything happened in it.
    """

    scene: Scene
    names: tuple[str, ...]
    turns: tuple[tuple[ShownHand, ...], ...]
    reports: tuple[engine.words.TurnReport, ...]


def primer_context() -> dict[str, Any]:
    return {
        "scenes": shown_scenes(),
        "ruleset": RULESET,
        "gestures": [(letter, GESTURE_NAMES[letter]) for letter in LETTERS],
        "spells": len(engine.play.RULESETS[RULESET].spells),
    }


@cache
def picture_of_a_turn(ruleset: str) -> ShownScene:
    """Return a scene that shows a spell and a defence, for pages with room for only one scene."""
    (scene,) = (scene for scene in SCENES if scene.slug == DEFAULT_SCENE)
    return _scene_to_show(scene, ruleset)


@cache
def shown_scenes() -> tuple[ShownScene, ...]:
    """Return all scenes. They are played only once per process."""
    return tuple(_scene_to_show(scene, RULESET) for scene in SCENES)


def _play_scene(scene: Scene, ruleset: str) -> engine.play.History:
    duellists = [engine.play.Duellist(name, pronouns) for name, pronouns in WIZARDS]
    position = engine.play.begin(ruleset, duellists, setup=json.loads(scene.setup))
    turns: list[engine.play.Turn] = []
    for pairs in scene.turns:
        orders = {
            wizard.id: gesture_orders(pair)
            for wizard, pair in zip(position.wizards, pairs, strict=True)
        }
        before = position
        position, events = engine.play.resolve(before, orders, {}, engine.play.NoDice())
        turns.append(engine.play.Turn(len(turns) + 1, before, events))
    return engine.play.History(tuple(turns), position)


def _scene_to_show(scene: Scene, ruleset: str) -> ShownScene:
    view = engine.play.view(_play_scene(scene, ruleset), ALL)
    names = view.rules.spell_names
    last = engine.words.narrate(view)[-1]
    return ShownScene(
        scene=scene,
        names=tuple(wizard.name for wizard in view.wizards),
        turns=tuple(
            tuple(
                ShownHand(side, cell.letter, names.get(cell.spell, ""))
                for row in (turn.rows[wizard.id][0] for wizard in view.wizards)
                for side, cell in (("left", row.left), ("right", row.right))
            )
            for turn in view.turns
        ),
        reports=(last,) if last.lines else (),
    )
