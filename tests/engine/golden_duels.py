"""The golden duels: records that are replayed, and what every observer saw of them.

`golden/NAME.json` is the record of a whole duel and is input; `golden/NAME.txt` is what came of it,
turn by turn and observer by observer, and is made by

    python -m tests.engine.golden_duels regenerate

Look through the difference as through code. `play NAME SEED WIZARDS` makes a new record by letting
random wizards pursue random spells; a record that stands is never made anew.
"""

import hashlib
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import engine
from engine.replay import replay

FOLDER = Path(__file__).parent / "golden"
SAMPLES = Path(__file__).parent / "sample_games"
NAMES = ("Ada", "Bram", "Cleo", "Dorn")
PRONOUNS = ("she", "he", "she", "they")
LETTERS = "FPSWD>-"
WORDS = ("Well met.", "You will regret this.", "A fine evening for a storm!")


def records() -> dict[str, dict[str, Any]]:
    """Every golden record by its name: those of the folder, and the two printed games."""
    found = {path.stem: json.loads(path.read_text("utf-8")) for path in FOLDER.glob("*.json")}
    for path in SAMPLES.glob("*.json"):
        found[path.stem] = json.loads(path.read_text("utf-8"))["record"]
    return dict(sorted(found.items()))


def histories(record: dict[str, Any]) -> Iterator[engine.History]:
    """The duel after each turn of the record, played again from its orders, answers and dice."""
    whole = replay(record)
    positions = [turn.position for turn in whole.turns[1:]] + [whole.position]
    for number, position in enumerate(positions, 1):
        yield engine.History(whole.turns[:number], position)


def transcript(record: dict[str, Any]) -> str:
    """What each observer saw of each turn, those who saw the same together."""
    seats = [f"w{seat}" for seat in range(len(record["wizards"]))]
    names = dict(zip(seats, (each["name"] for each in record["wizards"]), strict=True))
    parts = [f"{' against '.join(names.values())}, {record['ruleset']}\n"]
    for history in histories(record):
        turn = history.turns[-1]
        parts.append(f"\n== {turn.ordinal}: turn {turn.position.turn} {turn.position.kind}\n")
        seen: dict[str, list[str]] = {}
        for observer in (*seats, "spectator", "all"):
            seen.setdefault(page(history, observer), []).append(names.get(observer, observer))
        for text, observers in seen.items():
            parts.append(f"-- {', '.join(observers)}\n{text}")
    parts.append(f"\n== {names.get(history.position.outcome, history.position.outcome)}\n")
    return "".join(parts)


def page(history: engine.History, observer: str) -> str:
    """The last turn as one observer sees it: rows, report, status."""
    window = engine.History(history.turns[-1:], history.position)
    view = engine.view(window, observer)
    (turn,) = view.turns
    lines = []
    for wizard in view.wizards:
        for row in turn.rows.get(wizard.id, ()):
            made = " ".join(cell_text(cell) for cell in (row.left, row.right))
            broken = " |" if wizard.id in turn.breaks else ""
            lines.append(f"   {wizard.name}: {made}{broken}")
    for line in engine.narrate(view)[-1].lines:
        lines.append(f" * {line.text} [{line.rule}]")
    for being in view.status:
        effects = " ".join(effect_text(effect) for effect in being.effects)
        damage = "?" if being.damage is None else being.damage
        bank = f" bank={being.bank}" if being.bank else ""
        owner = f" of {view.names[being.controller]}" if being.controller else ""
        lines.append(f"   {being.name}{owner}: {being.state} {damage} {effects}{bank}".rstrip())
    return "".join(f"{line}\n" for line in lines)


def cell_text(cell: engine.Cell) -> str:
    """One square: its letter, a half clap in brackets, and what was cast with it."""
    letter = f"({cell.letter})" if cell.mark == "half_clap" else cell.letter
    return f"{letter}={cell.spell}" if cell.spell else letter


def effect_text(effect: engine.EffectView) -> str:
    """One effect and how long it goes on."""
    length = "for ever" if effect.permanent else effect.turns_left
    return effect.code if length is None else f"{effect.code}({length})"


class Wanderer:
    """A wizard who pursues a random spell with each hand, and aims at random."""

    def __init__(self, id: str, chance: random.Random) -> None:
        self.id = id
        self.chance = chance
        self.plans = {"left": "", "right": ""}

    def fields(self, position: engine.Position) -> dict[str, str]:
        """Legal orders in flat form: what the plans want, or if that is refused nothing at all."""
        flat: dict[str, str] = {}
        for number, hands in enumerate(engine.sheet(position, self.id).sets, 1):
            suffix = "" if number == 1 else "2"
            letters = self.letters()
            for stem, hand in (("left", hands.left), ("right", hands.right)):
                barred = {each.letter for each in hand.gestures if not each.allowed}
                flat[stem + suffix] = "-" if letters[stem] in barred else letters[stem]
                if hand.forced:
                    del flat[stem + suffix]
        sheet = engine.sheet(position, self.id, engine.from_fields(flat))
        for aimed in ({**flat, **self.aims(sheet, flat)}, flat):
            orders = engine.from_fields(aimed)
            if not engine.check(position, self.id, orders):
                return engine.fields(orders)
        return {}

    def letters(self) -> dict[str, str]:
        """The next letter of each hand's plan; a letter of both hands moves both."""
        for hand in self.plans:
            if not self.plans[hand]:
                spells = list(engine.RULESETS["bartle-1"].spells.values())
                self.plans[hand] = self.chance.choice(self.chance.choice(spells).patterns)
        first, other = self.chance.sample(("left", "right"), 2)
        if self.plans[first][0].islower():
            letter = self.plans[first][0].upper()
            self.plans = {first: self.plans[first][1:], other: ""}
            return {"left": letter, "right": letter}
        made = {hand: plan[0] if plan[0].isupper() else "-" for hand, plan in self.plans.items()}
        self.plans = {h: plan[1:] if plan[0].isupper() else plan for h, plan in self.plans.items()}
        if made[first] == made[other] == "P" and self.chance.random() < 0.98:
            made[other] = ">"
            self.plans[other] = ""
        return {hand: made[hand] for hand in ("left", "right")}

    def likely(self, options: tuple[str, ...]) -> tuple[str, ...]:
        """The options without beings that may never come, unless he feels adventurous."""
        likely = tuple(option for option in options if ":" not in option)
        return options if self.chance.random() < 0.1 else likely or options

    def aims(self, sheet: engine.Sheet, flat: dict[str, str]) -> dict[str, str]:
        """Some choices and subjects, the rest left to the defaults."""
        aims: dict[str, str] = {}
        for hands in sheet.sets:
            suffix = "" if hands.number == 1 else "2"
            left = hands.left.forced or flat.get(f"left{suffix}", "-")
            right = hands.right.forced or flat.get(f"right{suffix}", "-")
            for done in hands.completions.get(left + right, ()):
                options = self.likely(sheet.subjects[done.spell].options)
                if done.default and options and self.chance.random() < 0.4:
                    stem = {"L": "left", "R": "right", "BH": "both"}[done.hand]
                    aims[f"{stem}_subject{suffix}"] = self.chance.choice(options)
        for monster in sheet.monsters:
            if monster.options and self.chance.random() < 0.5:
                aims[f"victim:{monster.key}"] = self.chance.choice(self.likely(monster.options))
        for charmed in sheet.charmed:
            aims[f"charmed:{charmed.key}"] = self.chance.choice(LETTERS)
        if sheet.bank and self.chance.random() < 0.5:
            aims["release"] = "yes"
        if self.chance.random() < 0.1:
            aims["say"] = self.chance.choice(WORDS)
        return aims


def play(seed: str, wizards: int, most: int = 120) -> dict[str, Any]:
    """The record of a duel of random wizards, at most so many turns of it."""
    chance = random.Random(seed)
    duellists = [engine.Duellist(*each) for each in zip(NAMES, PRONOUNS, strict=True)][:wizards]
    position = engine.begin("bartle-1", duellists)
    dice_seed = hashlib.sha256(seed.encode()).digest()
    players = {f"w{seat}": Wanderer(f"w{seat}", chance) for seat in range(wizards)}
    turns: list[dict[str, Any]] = []
    while not position.outcome and len(turns) < most:
        flat = {id: players[id].fields(position) for id in engine.acting(position)}
        orders = {id: engine.from_fields(own) for id, own in flat.items()}
        seals = [json.dumps(own).encode() for own in flat.values()]
        commitments = [hashlib.sha256(seal).hexdigest() for seal in seals]
        dice = engine.Dice(dice_seed, commitments)
        answers: dict[str, str] = {}
        while batch := engine.questions(position, orders, answers, dice):
            answers |= {question.id: chance.choice(question.options) for question in batch}
        number, kind = position.turn, position.kind
        position, _ = engine.resolve(position, orders, answers, dice)
        turns.append(
            {
                "ordinal": len(turns) + 1,
                "number": number,
                "kind": kind,
                "commitments": commitments,
                "orders": flat,
                "answers": answers,
                "damage": {wizard.id: wizard.damage for wizard in position.wizards},
            }
        )
    ended = {"how": "rules", "result": position.outcome}
    return {
        "format": "spellcaster-record",
        "version": 1,
        "ruleset": "bartle-1",
        "options": [],
        "wizards": [{"name": each.name, "pronouns": each.pronouns} for each in duellists],
        "setup": None,
        "dice": {"kind": "hmac", "seed": dice_seed.hex()},
        "ended": ended if position.outcome else {"how": "annulled", "result": None},
        "turns": turns,
    }


def write(record: dict[str, Any], path: Path) -> None:
    """The record as a file with one line a turn."""
    *head, last = [{key: value} for key, value in record.items()]
    assert list(last) == ["turns"]
    lines = [json.dumps(each)[1:-1] + "," for each in head]
    turns = ",\n".join("  " + json.dumps(turn) for turn in record["turns"])
    body = "\n ".join(lines)
    path.write_text(f'{{\n {body}\n "turns": [\n{turns}\n ]\n}}\n', "utf-8")


def regenerate() -> None:
    """Every transcript says what its record comes to now."""
    for name, record in records().items():
        (FOLDER / f"{name}.txt").write_text(transcript(record), "utf-8")


def main(arguments: list[str]) -> None:
    """One of the two commands of the module's first lines."""
    match arguments:
        case ["regenerate"]:
            regenerate()
        case ["play", name, seed, wizards]:
            path = FOLDER / f"{name}.json"
            if path.exists():
                raise SystemExit(f"{path} stands; a golden record is never made anew")
            write(play(seed, int(wizards)), path)
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
