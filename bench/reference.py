"""A fixed piece of work in plain Python, so that turn times can be compared across machines.

The work is of the same kind as the engine's: creating and copying small objects, following letters
through a transition table, and filling and sorting lists and mappings. Never change it: new figures
must remain comparable with old ones.
"""

from bench.timing import fastest_pass_seconds

ROUNDS = 200
STATES = 97


class Piece:
    __slots__ = ("effects", "id", "letters", "state")

    def __init__(self, id: str, state: int) -> None:
        self.id = id
        self.state = state
        self.letters = ""
        self.effects: dict[str, int] = {}

    def copy(self) -> "Piece":
        new = Piece.__new__(Piece)
        new.id = self.id
        new.state = self.state
        new.letters = self.letters
        new.effects = self.effects.copy()
        return new


def do_reference_work() -> int:
    """Do the fixed work, and return its result, which never changes."""
    table = [(7 * state + symbol) % STATES for state in range(STATES) for symbol in range(8)]
    pieces = [Piece(f"w{number}", number) for number in range(4)]
    told: list[tuple[str, int]] = []
    for number in range(40):
        pieces = [piece.copy() for piece in pieces]
        for piece in pieces:
            symbol = (number + piece.state) % 8
            piece.state = table[piece.state * 8 + symbol]
            piece.letters = (piece.letters + "CDFPSW>-"[symbol])[-8:]
            if piece.state % 3 == 0:
                piece.effects[piece.letters[-2:]] = number
                told.append((piece.id, piece.state))
    told.sort()
    return sum(state for _, state in told) + sum(len(piece.effects) for piece in pieces)


def reference_microseconds() -> float:
    """Return the time that the fixed work takes, in microseconds."""
    return fastest_pass_seconds(lambda: [do_reference_work() for _ in range(ROUNDS)]) / ROUNDS * 1e6
