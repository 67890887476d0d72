"""The command that plays a duel at one terminal, which the players use in turn.

A player's secrets are shown only to that player: orders, questions and reports.
"""

import json
import secrets
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from engine.advice.cautions import cautions
from engine.advice.orders_text import orders_text
from engine.cli.input import BadInput, first_position
from engine.cli.recorder import Recorder
from engine.cli.screens import HELP_TEXT, duel_lines, question_lines, report_lines
from engine.cli.terminal import InputEnded, ask, clear, print_lines
from engine.dice import AnyDice, Dice
from engine.events import Event
from engine.legality.check import check
from engine.orders import Orders, fields
from engine.positions.history import History, Turn
from engine.positions.position import DRAW, Position
from engine.questions import Question
from engine.resolve import events_before_answers, questions, resign, resolve
from engine.sheet import acting_wizards, deciding_wizards, default_orders
from engine.text_orders.notation import UnreadableOrders, parse_orders
from engine.view.view_types import ALL
from engine.words.narrate import turn_name

SEED_BYTES: Final = 32
RESIGN, QUIT, HELP_WORD = "RESIGN", "QUIT", "HELP"


def play_duel(
    ruleset: str,
    names: Sequence[str],
    options: Sequence[str],
    *,
    against_nothing: bool = False,
    record: str = "",
) -> int:
    """Play a duel, and write its record to the file `record`, if given. Raises BadInput.

    There are at least two wizards, even if fewer names are given. `against_nothing`: only the first
    wizard is played, and the others do nothing.
    """
    position = first_position(ruleset, [*names, *[""] * (2 - len(names))], options)
    players = [wizard.id for wizard in position.wizards][: 1 if against_nothing else None]
    duel = _TerminalDuel(position, players)
    try:
        if record:
            Path(record).touch()
        duel.play()
        if record:
            text = json.dumps(duel.recorder.record, ensure_ascii=False, indent=1)
            Path(record).write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{record}: {error.strerror or 'cannot be written'}") from error
    return 0


class _TerminalDuel:
    """A duel, with the turns so far. `players` are the wizards that people play."""

    def __init__(self, position: Position, players: Sequence[str]) -> None:
        self.position = position
        self.players = players
        self.turns: list[Turn] = []
        self.events: list[Event] = []  # of the present turn
        self.last_seen = dict.fromkeys(players, 0)
        self.seed = secrets.token_hex(SEED_BYTES)
        self.recorder = Recorder(position, self.seed, lambda: datetime.now(UTC).isoformat())

    @property
    def history(self) -> History:
        return History(tuple(self.turns), self.position)

    def play(self) -> None:
        """Play until the duel is over or a player quits, and show the result."""
        how, result = "rules", ""
        try:
            while not self.position.outcome:
                how = self.play_turn()
            result = self.position.outcome
        except InputEnded:
            how, result = "abandoned", DRAW
            self.close_turn(self.position, {}, {}, is_played=False)
        self.recorder.end(self.position, how, result)
        clear()
        print_lines(*report_lines(self.history, ALL, len(self.turns) - 1))
        print_lines("", *duel_lines(self.history, ALL), "", self.result_text(how))

    def result_text(self, how: str) -> str:
        if how == "abandoned":
            return "The duel was abandoned. It counts as a draw."
        if self.position.outcome == DRAW:
            return "The duel is a draw."
        return f"{self.position.wizard(self.position.outcome).name} has won."

    def play_turn(self) -> str:
        """Collect everyone's orders, play the turn, and return how the duel ends if it is over."""
        self.recorder.open_turn(self.position)
        self.events = []
        orders = self.collect_orders()
        if self.position.outcome:
            self.close_turn(self.position, {}, {}, is_played=False)
            return "resigned"
        dice = Dice(bytes.fromhex(self.seed), self.recorder.commitments)
        answers = self.collect_answers(orders, dice)
        after, events = resolve(self.position, orders, answers, dice)
        self.events += events
        self.close_turn(after, orders, answers, is_played=True)
        return "rules"

    def close_turn(
        self,
        after: Position,
        orders: Mapping[str, Orders],
        answers: Mapping[str, str],
        *,
        is_played: bool,
    ) -> None:
        """Add the turn to the record and, if anything happened in it, to the history."""
        before, events = self.recorder.position, tuple(self.events)
        if events or is_played:
            self.turns.append(Turn(len(self.turns) + 1, before, events))
        self.position = after
        sealed = {wizard: fields(own) for wizard, own in orders.items()}
        self.recorder.close_turn(after, events, sealed, answers, is_played=is_played)

    # Orders

    def collect_orders(self) -> dict[str, Orders]:
        """Return the orders of all wizards who act. Wizards who resign leave at once."""
        orders: dict[str, Orders] = {}
        deciding = deciding_wizards(self.position)
        for wizard in acting_wizards(self.position):
            if self.position.outcome:
                break
            decides = wizard in deciding and wizard in self.players
            own = self.ask_orders(wizard) if decides else default_orders(self.position, wizard)
            if own is None:
                self.recorder.leave(wizard)
                self.position, left = resign(self.position, wizard)
                self.events += left
            else:
                orders[wizard] = own
                self.recorder.seal(wizard, fields(own), is_default=not decides)
        acting = acting_wizards(self.position)
        return {wizard: own for wizard, own in orders.items() if wizard in acting}

    def ask_orders(self, wizard: str) -> Orders | None:
        """Return the orders that the player seals, or None if they resign."""
        self.hide_previous_screen(wizard)
        turn = turn_name(self.position.ruleset, self.position.kind, self.position.turn)
        print_lines("", *duel_lines(self.history, wizard), "")
        print_lines(
            f"Orders for {turn}, one per line. End with an empty line, or type {HELP_WORD}."
        )
        while True:
            lines = self.read_lines()
            if lines == [RESIGN]:
                return None
            orders = self.legal_orders("\n".join(lines), wizard)
            if orders is not None and self.is_confirmed(wizard, orders):
                return orders
            print_lines("Write all orders again:")

    def is_confirmed(self, wizard: str, orders: Orders) -> bool:
        """Show the orders with warnings, and return whether the player seals them."""
        print_lines(*orders_text(self.position, wizard, orders))
        print_lines(*(f"Warning: {each.text}" for each in cautions(self.position, wizard, orders)))
        return ask("Seal these orders? [Y/n] ").upper() in ("", "Y", "YES")

    def read_lines(self) -> list[str]:
        """Return the lines before an empty line, or a single command word."""
        lines: list[str] = []
        while line := ask("> "):
            word = line.upper()
            if word == QUIT:
                raise InputEnded
            if word == RESIGN:
                return [RESIGN]
            if word == HELP_WORD:
                print_lines(*HELP_TEXT)
            else:
                lines.append(line)
        return lines

    def legal_orders(self, text: str, wizard: str) -> Orders | None:
        """Return the orders in the text; if they have faults, show them and return None."""
        try:
            orders = parse_orders(text, self.position, wizard)
        except UnreadableOrders as error:
            print_lines(*(f"Line {each.line}: {each.text}" for each in error.misreadings))
            return None
        faults = check(self.position, wizard, orders)
        print_lines(*(f"{fault.text} [{fault.rule}]" for fault in faults))
        return None if faults else orders

    # Questions

    def collect_answers(self, orders: Mapping[str, Orders], dice: AnyDice) -> dict[str, str]:
        answers: dict[str, str] = {}
        batch = 0
        while asked := questions(self.position, orders, answers, dice):
            batch += 1
            shown = events_before_answers(self.position, orders, answers, dice)
            turn = Turn(len(self.turns) + 1, self.position, shown)
            history = History((*self.turns, turn), self.position, is_open=True)
            for wizard in dict.fromkeys(question.wizard for question in asked):
                own = [question for question in asked if question.wizard == wizard]
                given = self.ask_questions(history, wizard, own)
                self.recorder.seal(
                    wizard, given, batch=batch, is_default=wizard not in self.players
                )
                answers |= given
        return answers

    def ask_questions(
        self, history: History, wizard: str, asked: Sequence[Question]
    ) -> dict[str, str]:
        if wizard not in self.players:
            return {question.id: question.default for question in asked}
        self.hide_previous_screen(wizard)
        print_lines(*report_lines(history, wizard, len(self.turns)), "")
        return {question.id: self.ask_question(history, question) for question in asked}

    def ask_question(self, history: History, question: Question) -> str:
        print_lines(*question_lines(history, question))
        numbers = {str(number): option for number, option in enumerate(question.options, 1)}
        numbers[""] = question.default
        default = question.options.index(question.default) + 1
        while (answer := ask(f"Your choice [{default}]: ")) not in numbers:
            if answer.upper() == QUIT:
                raise InputEnded
            print_lines(f"Write a number from 1 to {len(question.options)}.")
        return numbers[answer]

    def hide_previous_screen(self, wizard: str) -> None:
        """Hide the previous player's screen, and show this player's unread reports."""
        name = self.position.wizard(wizard).name
        if len(self.players) > 1:
            clear()
            ask(f"{name}, press Enter when nobody else can see the screen. ")
        print_lines(f"You are {name}.", *report_lines(self.history, wizard, self.last_seen[wizard]))
        self.last_seen[wizard] = len(self.turns)
