"""The sample duel that Bartle's rules print, as orders: Black against White, 22 turns.

Black is `w0` and White `w1`. Everything is written out: the spell where the gestures complete two,
and every subject, so that no default decides.
"""

BLACK, WHITE = "Black", "White"

# Turn 10: Black is confused. The dice show 5, the right hand, and 1, a C; a draw is one less.
DRAWS = {"turn 10 confusion Black hand": 4, "turn 10 confusion Black gesture": 0}
# The damage of Black and White after each turn, as printed.
DAMAGE = (
    *((0, 0), (0, 0), (0, 0), (0, 3), (0, 3), (1, 3), (1, 3), (1, 3)),
    *((1, 3), (1, 3), (1, 3), (1, 3), (6, 3), (6, 3), (6, 3), (6, 5)),
    *((11, 5), (11, 5), (13, 5), (13, 10), (13, 10), (13, 10)),
)

Fields = dict[str, str]


def _hands(left: str, right: str, **more: str) -> Fields:
    return {"left": left, "right": right, **more}


SAMPLE_DUEL: tuple[tuple[Fields, Fields], ...] = (
    (  # 1
        _hands("W", "W"),
        _hands("W", "P", right_spell="shield", right_subject="w1"),
    ),
    (  # 2
        _hands("W", "P", right_spell="shield", right_subject="w0"),
        _hands("W", "D"),
    ),
    (  # 3
        _hands("D", "F"),
        _hands("F", "W"),
    ),
    (  # 4
        _hands("D", "D", right_spell="cause_heavy_wounds", right_subject="w1"),
        _hands("P", "W", left_spell="resist_heat", left_subject="w1"),
    ),
    (  # 5
        _hands("F", "P", right_spell="shield", right_subject="w0"),
        _hands("S", "S", right_spell="counter_spell", right_subject="w1"),
    ),
    (  # 6
        _hands("F", "P", right_spell="amnesia", right_subject="w1"),
        _hands("W", "D", right_spell="missile", right_subject="w0"),
    ),
    (  # 7
        _hands("S", "D"),
        _hands("W", "D"),
    ),
    (  # 8
        _hands("S", "W"),
        _hands("W", "S"),
    ),
    (  # 9
        _hands("F", "F"),
        _hands(
            "S",
            "F",
            left_spell="counter_spell",
            left_subject="w1",
            right_spell="confusion",
            right_subject="w0",
        ),
    ),
    (  # 10
        _hands("P", "F", left_spell="shield", left_subject="w0"),
        _hands(
            "D",
            "W",
            left_spell="missile",
            left_subject="w0",
            right_spell="summon_goblin",
            right_subject="w1",
            **{"victim:R:w1": "w0"},
        ),
    ),
    (  # 11
        _hands(">", "P", right_spell="shield", right_subject="w0", left_subject="m0"),
        _hands("P", "D", left_spell="shield", left_subject="w1", **{"victim:m0": "w0"}),
    ),
    (  # 12
        _hands("P", "S", left_spell="shield", left_subject="w0"),
        _hands("P", "D", left_spell="amnesia", left_subject="w0"),
    ),
    (  # 13
        _hands("P", "S", left_spell="shield", left_subject="w0"),
        _hands("C", "C", right_spell="lightning_bolt", right_subject="w0"),
    ),
    (  # 14
        _hands("W", "W"),
        _hands("S", "S"),
    ),
    (  # 15
        _hands("S", "S", left_spell="invisibility", left_subject="w0"),
        _hands("W", "P", right_spell="shield", right_subject="w1"),
    ),
    (  # 16
        _hands(
            "D",
            "D",
            left_spell="missile",
            left_subject="w1",
            right_spell="missile",
            right_subject="w1",
        ),
        _hands("W", "F", right_spell="anti_spell", right_subject="w0"),
    ),
    (  # 17
        _hands("W", "S"),
        _hands("C", "C", left_spell="fire_storm"),
    ),
    (  # 18
        _hands("D", "P", right_spell="shield", right_subject="w0"),
        _hands("S", "S"),
    ),
    (  # 19
        _hands("D", "F", right_spell="anti_spell", right_subject="w1"),
        _hands(
            "D",
            "D",
            left_spell="missile",
            left_subject="w0",
            right_spell="missile",
            right_subject="w0",
        ),
    ),
    (  # 20
        _hands("C", "C", left_spell="lightning_bolt", left_subject="w1"),
        _hands("S", "S"),
    ),
    (  # 21
        _hands("W", "W", both_spell="magic_mirror", both_subject="w0"),
        _hands("P", "W", left_spell="shield", left_subject="w1"),
    ),
    (  # 22
        _hands(
            "P",
            "P",
            left_spell="shield",
            left_subject="w0",
            right_spell="shield",
            right_subject="w0",
        ),
        _hands("F", "W", left_spell="anti_spell", left_subject="w0"),
    ),
)
