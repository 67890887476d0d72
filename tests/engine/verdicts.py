"""Verdicts: the statements that a case can make about the result of a turn."""

from dataclasses import dataclass, field

import engine.play
import engine.words
from engine.events import Cast, Event, Failed, MarkersReturned, MarkerTaken, Stopped
from engine.rulesets import RULESETS
from tests.engine.casebook import CaseLine, CaseTurn

CASE_NAMES_OF_QUESTIONS = {"paralysis_hand": "paralysis", "charm_hand": "charm_person"}
"""Names that cases use for the program's questions."""

Batch = tuple[engine.play.Question, ...]
"""Questions that are asked together, in the order in which they are asked."""

ELEMENT_BY_ELEMENTAL = {"fire_elemental": "fire", "ice_elemental": "ice"}


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn that was played, with the names of beings in the case."""

    ids: dict[str, str]
    position: engine.play.Position
    events: tuple[Event, ...]
    history: engine.play.History
    asked: set[tuple[str, str]]
    batches: tuple[Batch, ...] = ()
    views: dict[str, engine.play.View] = field(default_factory=dict[str, engine.play.View])

    def being_id(self, name: str, entry: CaseLine) -> str:
        if name not in self.ids:
            raise entry.fault(f"no being is called {name!r}")
        return self.ids[name]

    def name_in_case(self, id_: str) -> str:
        return next((name for name, own in self.ids.items() if own == id_), id_)

    def view(self, observer: str = "all") -> engine.play.View:
        """Return what this observer sees, computed once for all verdicts of a turn."""
        if observer not in self.views:
            self.views[observer] = engine.play.view(self.history, observer)
        return self.views[observer]

    def status_of(self, id_: str) -> engine.play.BeingView | None:
        return next((being for being in self.view().status if being.id == id_), None)


def spell_id_in_ruleset(word: str, ruleset: str) -> str:
    """Return the id of the spell to which a word in a case refers.

    An elemental has its own spell, unless the ruleset has one for both kinds.
    """
    if word in ELEMENT_BY_ELEMENTAL:
        own = f"summon_{word}"
        return own if own in RULESETS[ruleset].spells else "summon_elemental"
    return word


def question_kind_in_cases(question: engine.play.Question) -> str:
    """Return the name that cases use for the question's kind."""
    return CASE_NAMES_OF_QUESTIONS.get(question.kind, question.kind)


class VerdictNotMet(Exception):
    """Error for a verdict that is not met. The message states the actual result."""


def check_verdicts(block: CaseTurn, outcome: PlayedTurn) -> None:
    """Raise AssertionError with all verdicts of the block that are not met."""
    missed = []
    for entry in block.expect:
        try:
            check_verdict(entry, outcome)
        except VerdictNotMet as found:
            missed.append(f"{entry.where}: expected {entry.text!r}, found {found}")
    if missed:
        raise AssertionError("\n".join(missed))


def check_verdict(entry: CaseLine, outcome: PlayedTurn) -> None:
    """Check one verdict. Raise Missed if it is not met."""
    match entry.words:
        case ["goes", "on"]:
            _require_equal(outcome.position.outcome or None, None)
        case ["over", "draw"]:
            _require_equal(outcome.position.outcome, "draw")
        case ["over", name, "wins"]:
            _require_equal(outcome.position.outcome, outcome.being_id(name, entry))
        case ["next", kind]:
            _require_equal(outcome.position.kind, kind)
        case ["monsters", number]:
            _check_number_of_monsters(outcome, None, int(number))
        case ["monsters", name, number]:
            controller = None if name == "none" else outcome.being_id(name, entry)
            _check_number_of_monsters(outcome, controller or "", int(number))
        case ["break", name]:
            _check_break(outcome, outcome.being_id(name, entry), True)
        case ["no", "break", name]:
            _check_break(outcome, outcome.being_id(name, entry), False)
        case ["sees", observer, name, turn, what]:
            seer = _observer_id(outcome, observer, entry)
            _check_visible_gestures(outcome, seer, outcome.being_id(name, entry), int(turn), what)
        case ["knows", observer, name, "banked", spell]:
            seer = _observer_id(outcome, observer, entry)
            _check_visible_bank(outcome, seer, outcome.being_id(name, entry), spell)
        case ["told", observer, what]:
            _check_mention(outcome, _observer_id(outcome, observer, entry), what, True)
        case ["not", "told", observer, what]:
            _check_mention(outcome, _observer_id(outcome, observer, entry), what, False)
        case ["not", "told", observer]:
            _check_nothing_is_mentioned(outcome, _observer_id(outcome, observer, entry))
        case ["lists", observer, *names]:
            beings = outcome.view(_observer_id(outcome, observer, entry)).status
            _require_equal([outcome.name_in_case(being.id) for being in beings], names)
        case ["event", code]:
            _check_event(outcome, code, True)
        case ["no", "event", code]:
            _check_event(outcome, code, False)
        case ["cause", cause, source]:
            _check_cause_of_failure(outcome, cause, source)
        case ["batches", number]:
            _require_equal(len(outcome.batches), int(number))
        case ["batch", number, *_]:
            _check_batch(entry, outcome, int(number.rstrip(":")))
        case [("offers" | "selects") as what, *_]:
            _check_question(entry, outcome, what)
        case ["names", "differ"]:
            names = [being.name for being in outcome.view().status]
            if len(set(names)) != len(names):
                raise VerdictNotMet(", ".join(names))
        case [name, *rest] if rest:
            _check_being(entry, outcome, outcome.being_id(name, entry), rest)
        case _:
            raise entry.fault("no such expectation")


def _identifying_words(
    outcome: PlayedTurn, question: engine.play.Question
) -> tuple[str, str, set[str]]:
    """Return the wizard and kind of the question, and words by which a case can identify it."""
    about = outcome.name_in_case(question.about) if question.about else ""
    number = str(question.number) if question.number else ""
    words = {question.spell, question.hand, about, number, *question.labels} - {""}
    return outcome.name_in_case(question.wizard), question_kind_in_cases(question), words


def _matches_question(
    outcome: PlayedTurn, question: engine.play.Question, words: list[str]
) -> bool:
    """Return whether `A target missile R` means this question."""
    who, kind, marks = _identifying_words(outcome, question)
    return words[:2] == [who, kind] and set(words[2:]) <= marks


def _check_batch(entry: CaseLine, outcome: PlayedTurn, number: int) -> None:
    """`batch 2: A target missile R, B target`: exactly these questions, in this order."""
    wanted = [each.split() for each in entry.text.partition(":")[2].split(",")]
    batch = outcome.batches[number - 1] if number <= len(outcome.batches) else ()
    pairs = zip(batch, wanted, strict=False)
    if len(batch) != len(wanted) or not all(_matches_question(outcome, *pair) for pair in pairs):
        told = [_identifying_words(outcome, question) for question in batch]
        raise VerdictNotMet(", ".join(f"{who} {kind} {sorted(marks)}" for who, kind, marks in told))


def _check_question(entry: CaseLine, outcome: PlayedTurn, what: str) -> None:
    """`offers A target missile: no_one A B`: the options in the order in which they are offered.

    `selects A target: B` or `selects A left_spell: nothing`: the preselected option.
    """
    before, _, after = entry.text.partition(":")
    asked = [question for batch in outcome.batches for question in batch]
    fitting = [each for each in asked if _matches_question(outcome, each, before.split()[1:])]
    if len(fitting) != 1:
        raise VerdictNotMet(f"{len(fitting)} such questions")
    question = fitting[0]
    chosen = [question.default] if question.is_preset else ["nothing"]
    found = list(question.options) if what == "offers" else chosen
    _require_equal([_option_in_case(outcome, option) for option in found], after.split())


def _option_in_case(outcome: PlayedTurn, option: str) -> str:
    return "no_one" if option == "nowhere" else outcome.name_in_case(option)


def _observer_id(outcome: PlayedTurn, name: str, entry: CaseLine) -> str:
    return name if name in ("spectator", "all") else outcome.being_id(name, entry)


def _require_equal(found: object, expected: object) -> None:
    if found != expected:
        raise VerdictNotMet(repr(found))


def _check_number_of_monsters(outcome: PlayedTurn, controller: str | None, number: int) -> None:
    """Check the number of living monsters: all (None), uncontrolled (""), or one wizard's."""
    living = [being for being in outcome.view().status if being.kind != "wizard"]
    living = [being for being in living if being.state == "alive"]
    if controller is not None:
        living = [being for being in living if (being.controller or "") == controller]
    if len(living) != number:
        raise VerdictNotMet(
            ", ".join(f"{being.name} of {being.controller}" for being in living) or "none"
        )


def _check_break(outcome: PlayedTurn, wizard: str, expected: bool) -> None:
    broken = outcome.view().turns[-1].breaks
    if (wizard in broken) is not expected:
        raise VerdictNotMet(f"breaks of {[outcome.name_in_case(id_) for id_ in broken]}")


def _check_event(outcome: PlayedTurn, code: str, expected: bool) -> None:
    codes = [event.code for event in outcome.events]
    if (code in codes) is not expected:
        raise VerdictNotMet(", ".join(codes))


def _check_cause_of_failure(outcome: PlayedTurn, cause: str, source: str) -> None:
    """Check that a spell, stab or attack failed for this cause."""
    found = [(event.cause, event.spell) for event in outcome.events if isinstance(event, Failed)]
    found += [(event.cause, event.source) for event in outcome.events if isinstance(event, Stopped)]
    if (cause, spell_id_in_ruleset(source, outcome.position.rules.id)) not in found:
        raise VerdictNotMet(
            ", ".join(f"{why} {what}" for why, what in found) or "nothing that failed"
        )


def _letters_of_row(row: engine.play.Row) -> str:
    return row.left.letter + row.right.letter


def _check_visible_gestures(
    outcome: PlayedTurn, observer: str, wizard: str, turn: int, what: str
) -> None:
    """Check that the observer's grid shows `fog`, `none` or letters (`WP`, `WP/SD`) for a turn."""
    rows = outcome.view(observer).turns[turn - 1].rows.get(wizard, ())
    shown = "/".join(_letters_of_row(row) for row in rows) or "none"
    if set(shown) <= {"?", "/"}:
        shown = "fog"
    _require_equal(shown, what)


def _report_lines(outcome: PlayedTurn, observer: str) -> tuple[engine.words.Line, ...]:
    return engine.words.narrate(outcome.view(observer))[-1].lines


def _check_mention(outcome: PlayedTurn, observer: str, what: str, expected: bool) -> None:
    """Check whether the observer's report cites the rule or names the spell."""
    lines = _report_lines(outcome, observer)
    what = spell_id_in_ruleset(what, outcome.position.rules.id)
    spell = outcome.position.rules.spells.get(what)
    cited = any(
        what in (line.rule, line.rule.removeprefix("spell:"), line.code)
        or (spell is not None and spell.name in line.text)
        for line in lines
    )
    if cited is not expected:
        raise VerdictNotMet("; ".join(f"{line.text} [{line.rule}]" for line in lines) or "no lines")


def _check_visible_bank(outcome: PlayedTurn, observer: str, id_: str, spell: str) -> None:
    """Check which banked spell the observer's status list shows."""
    (being,) = [being for being in outcome.view(observer).status if being.id == id_]
    _require_equal(being.bank or "nothing", spell_id_in_ruleset(spell, outcome.position.rules.id))


def _check_nothing_is_mentioned(outcome: PlayedTurn, observer: str) -> None:
    told = [line for line in _report_lines(outcome, observer) if line.wizard not in ("", observer)]
    if told:
        raise VerdictNotMet("; ".join(line.text for line in told))


def _check_being(entry: CaseLine, outcome: PlayedTurn, id_: str, words: list[str]) -> None:
    """Check a verdict about one being."""
    match words:
        case [number] if number.removeprefix("-").isdigit():
            _check_damage(outcome, id_, int(number))
        case ["damage", number]:
            _check_damage(outcome, id_, int(number))
        case [("alive" | "standing" | "corpse" | "gone") as state]:
            _check_state(outcome, id_, state)
        case [("surrendered" | "resigned" | "forfeited" | "removed") as state]:
            _check_state(outcome, id_, state)
        case ["dead"]:
            _check_state(outcome, id_, "dead", "corpse", "gone")
        case ["of", name]:
            _check_controller(outcome, id_, "" if name == "none" else outcome.being_id(name, entry))
        case ["has", "not", code]:
            if code in _effects_by_code(outcome, id_):
                raise VerdictNotMet(f"{code} in force")
        case ["has", *rest]:
            _check_effect(entry, outcome, id_, rest)
        case ["banked", spell]:
            being = outcome.status_of(id_)
            banked = (being.bank if being else "") or "nothing"
            _require_equal(banked, spell_id_in_ruleset(spell, outcome.position.rules.id))
        case ["must", hand, letter]:
            _require_equal(_hand_sheet(outcome, id_, hand).forced, letter)
        case ["free", *hands]:
            for hand in hands or ["L", "R"]:
                _require_equal(_hand_sheet(outcome, id_, hand).forced, "")
        case ["barred", *letters]:
            _check_forbidden(outcome, id_, letters)
        case ["charms", name, hand]:
            _check_charm(outcome, id_, outcome.being_id(name, entry), hand)
        case ["used_bolt"]:
            _require_equal(outcome.position.wizard(id_).used_bolt, True)
        case ["not", "used_bolt"]:
            _require_equal(outcome.position.wizard(id_).used_bolt, False)
        case ["sets", number]:
            _require_equal(len(engine.play.sheet(outcome.position, id_).sets), int(number))
        case ["made", "L", left, "R", right]:
            _check_made_gestures(outcome, id_, 1, left + right)
        case ["made", "2", "L", left, "R", right]:
            _check_made_gestures(outcome, id_, 2, left + right)
        case ["takes", "marker", other]:
            _check_marker_event(outcome, MarkerTaken(id_, outcome.being_id(other, entry)), True)
        case [("returns" | "keeps") as what, "markers"]:
            _check_marker_event(outcome, MarkersReturned(id_), what == "returns")
        case ["cast", *rest]:
            _check_cast(entry, outcome, id_, rest)
        case ["not", "asked", *kinds]:
            asked = {kind for wizard, kind in outcome.asked if wizard == id_}
            if asked & set(kinds) if kinds else asked:
                raise VerdictNotMet(f"asked {sorted(asked)}")
        case ["asked", kind]:
            if (id_, kind) not in outcome.asked:
                raise VerdictNotMet(f"asked: {sorted(outcome.asked)}")
        case _:
            raise entry.fault("no such expectation")


def _check_damage(outcome: PlayedTurn, id_: str, number: int) -> None:
    being = outcome.status_of(id_)
    _require_equal(being.damage if being else "gone", number)


def _check_state(outcome: PlayedTurn, id_: str, *states: str) -> None:
    being = outcome.status_of(id_)
    state = being.state if being else "gone"
    if state not in states:
        raise VerdictNotMet(state)


def _check_controller(outcome: PlayedTurn, id_: str, controller: str) -> None:
    being = outcome.status_of(id_)
    _require_equal((being.controller or "") if being else "gone", controller)


def _effects_by_code(outcome: PlayedTurn, id_: str) -> dict[str, engine.play.EffectView]:
    being = outcome.status_of(id_)
    return {effect.code: effect for effect in being.effects} if being else {}


def _check_effect(entry: CaseLine, outcome: PlayedTurn, id_: str, words: list[str]) -> None:
    """`has [permanent] EFFECT [for N]`."""
    permanent = words[0] == "permanent"
    code, *rest = words[1:] if permanent else words
    effects = _effects_by_code(outcome, id_)
    if code not in effects:
        raise VerdictNotMet(f"only {sorted(effects)}")
    if permanent and not effects[code].permanent:
        raise VerdictNotMet(f"{code}, not permanent")
    match rest:
        case []:
            pass
        case ["for", number]:
            _require_equal(effects[code].turns_left, int(number))
        case _:
            raise entry.fault("no such expectation")


def _hand_sheet(outcome: PlayedTurn, id_: str, hand: str) -> engine.play.HandSheet:
    sheet = engine.play.sheet(outcome.position, id_)
    gesture_set = sheet.sets[1 if hand.endswith("2") else 0]
    return gesture_set.left if hand.startswith("L") else gesture_set.right


def _check_forbidden(outcome: PlayedTurn, id_: str, letters: list[str]) -> None:
    """Check that exactly these letters (or `nothing`) are forbidden next turn, with either hand."""
    wanted = set() if letters == ["nothing"] else set(letters)
    for hand in "LR":
        gestures = _hand_sheet(outcome, id_, hand).gestures
        _require_equal({each.letter for each in gestures if not each.allowed}, wanted)


def _check_charm(outcome: PlayedTurn, id_: str, victim: str, hand: str) -> None:
    charmed = engine.play.sheet(outcome.position, id_).charmed
    if not any(each.wizard == victim and each.hand == hand for each in charmed):
        raise VerdictNotMet(f"{[each.key for each in charmed]}")


def _check_made_gestures(outcome: PlayedTurn, id_: str, number: int, letters: str) -> None:
    rows = outcome.view().turns[-1].rows.get(id_, ())
    _require_equal(
        _letters_of_row(rows[number - 1]) if len(rows) >= number else "no such set", letters
    )


def _check_marker_event(outcome: PlayedTurn, event: Event, expected: bool) -> None:
    if (event in outcome.events) is not expected:
        codes = (MarkerTaken.code, MarkersReturned.code)
        moved = [each for each in outcome.events if each.code in codes]
        raise VerdictNotMet(f"{moved or 'no marker moved'}")


def _check_cast(entry: CaseLine, outcome: PlayedTurn, id_: str, words: list[str]) -> None:
    """`cast nothing`, `cast not SPELL`, `cast SPELL [HAND] [-> SUBJECT]`."""
    casts = [event for event in outcome.events if isinstance(event, Cast) and event.wizard == id_]
    found = ", ".join(f"{cast.spell} {cast.hand} -> {cast.subject}" for cast in casts) or "nothing"
    match words:
        case ["nothing"]:
            if casts:
                raise VerdictNotMet(found)
            return
        case ["not", spell]:
            if any(
                cast.spell == spell_id_in_ruleset(spell, outcome.position.rules.id)
                for cast in casts
            ):
                raise VerdictNotMet(found)
            return
        case [spell, *rest]:
            code = spell_id_in_ruleset(spell, outcome.position.rules.id)
            fitting = [cast for cast in casts if cast.spell == code]
        case _:
            raise entry.fault("no such expectation")
    if rest and rest[0] != "->":
        fitting = [cast for cast in fitting if cast.hand == rest[0]]
        rest = rest[1:]
    if rest[:1] == ["->"] and len(rest) == 2:
        subject = outcome.ids.get(rest[1], rest[1])
        fitting = [cast for cast in fitting if cast.subject == subject]
    if not fitting:
        raise VerdictNotMet(found)
