"""Rows of cautions about gestures, stabs, banks and monsters."""

from tests.engine.board import ADA, BRAM, SEALED_RULESETS, STEPWISE_RULESETS, begun, under_effects
from tests.engine.caution_rows.cases import (
    ONE_TURN,
    PARALYSIS,
    THREE_TURNS,
    UNNUMBERED_RULESETS,
    WARLOCKS,
    Row,
    adas,
    at,
    brams,
    orders,
)

ROWS = (
    # gestures
    Row("no_gesture", "left", (at(), orders("- -")), (at(), orders("- W"))),
    Row(
        "no_gesture", "left",
        (at(begun("S", "S", effects={"haste": THREE_TURNS})), orders("- -")),
        (at(begun("S", "S", effects={"haste": THREE_TURNS})), {**orders("- -"), "left2": "W"}),
        SEALED_RULESETS,
    ),
    Row(
        "no_gesture", "left",
        (at(begun("-", "S", effects={"paralysis": PARALYSIS})), orders("- -")),
        (at(begun("-", "-", effects={"amnesia": {**ONE_TURN, "sets": ["--"]}})), orders("- -")),
        UNNUMBERED_RULESETS,
    ),
    Row("surrender", "left", (at(), orders("P P")), (at(), orders("P W"))),
    Row(
        "forced_surrender", "left",
        (at(begun("P", "P", effects={"amnesia": {**ONE_TURN, "sets": ["PP"]}})), orders("- -")),
        (at(begun("P", "W", effects={"amnesia": {**ONE_TURN, "sets": ["PW"]}})), orders("- -")),
    ),
    Row(
        "surrender", "left",
        (at(begun("P", "W", effects={"paralysis": {**ONE_TURN, "hand": "L", "letter": "P"}})),
            orders("- P")),
        (at(begun("P", "P", effects={"amnesia": {**ONE_TURN, "sets": ["PP"]}})), orders("- -")),
        UNNUMBERED_RULESETS,
    ),
    Row(
        "may_surrender", "right",
        (at(under_effects(confusion=ONE_TURN)), orders("P >")),
        (at(under_effects(confusion=ONE_TURN)), orders("W >")),
    ),
    Row(
        "may_surrender", "left",
        (at(under_effects(charm_person={**ONE_TURN, "hand": "L", "caster": BRAM})), orders("W P")),
        (at(under_effects(charm_person={**ONE_TURN, "hand": "L", "caster": BRAM})), orders("P W")),
        UNNUMBERED_RULESETS,
    ),
    Row(
        "may_surrender", "left",
        (at(under_effects(charm_person={**ONE_TURN, "caster": BRAM})), orders("W P")),
        (at(under_effects(charm_person={**ONE_TURN, "caster": BRAM})), orders("W S")),
        WARLOCKS,
    ),
    Row(
        "may_surrender", "right",
        (at(begun("S", "P", effects={"paralysis": {**ONE_TURN, "caster": BRAM}})), orders("P W")),
        (at(begun("S", "D", effects={"paralysis": {**ONE_TURN, "caster": BRAM}})), orders("P W")),
        WARLOCKS,
    ),
    Row("half_a_clap", "right", (at(), orders("F C")), (at(), orders("C C"))),
    Row("two_knives", "right", (at(), orders("> >")), (at(), orders("> -")), STEPWISE_RULESETS),
    Row(
        "forced_hand", "left",
        (at(begun("S", effects={"paralysis": {**ONE_TURN, "hand": "L", "letter": "D"}}),
            options=["strict"]), orders("F -")),
        (at(begun("S", effects={"paralysis": {**ONE_TURN, "hand": "L", "letter": "D"}}),
            options=["strict"]), orders("D -")),
        STEPWISE_RULESETS,
    ),
    Row(
        "feared_letter", "left",
        (at(under_effects(fear=ONE_TURN), options=["strict"]), orders("F -")),
        (at(under_effects(fear=ONE_TURN), options=["strict"]), orders("W -")),
        STEPWISE_RULESETS,
    ),
    # delays and permanencies
    Row(
        "spell_is_banked", "bank",
        (at(begun("S", effects={"delayed_effect": THREE_TURNS})), orders("D P")),
        (at(begun("S", effects={"delayed_effect": THREE_TURNS})), orders("D P", bank="L")),
        UNNUMBERED_RULESETS,
    ),
    Row(
        "bank_overwritten", "bank",
        (at(begun("S", bank="fireball", effects={"delayed_effect": THREE_TURNS})),
            orders("D -", bank="L")),
        (at(begun("S", effects={"delayed_effect": THREE_TURNS})), orders("D -", bank="L")),
        (*STEPWISE_RULESETS, *WARLOCKS),
    ),
    Row(
        "permanency_wasted", "permanency",
        (at(begun("WWF", effects={"permanency": THREE_TURNS})), orders("P -")),
        (at(begun("WW", effects={"permanency": THREE_TURNS})), orders("P -")),
        UNNUMBERED_RULESETS,
    ),
    Row(
        "permanency_wasted", "permanency",
        (at(begun("WWF", effects={"permanency": THREE_TURNS})), orders("P -", permanency="L")),
        (at(begun("WW", effects={"permanency": THREE_TURNS})), orders("P -", permanency="L")),
        WARLOCKS,
    ),
    # marks, hands named with the orders, hearts
    Row(
        "marked_for_nothing", "bank",
        (at(begun("S", effects={"delayed_effect": THREE_TURNS})), orders("D -", bank="R")),
        (at(begun("S", effects={"delayed_effect": THREE_TURNS})), orders("D -", bank="L")),
        WARLOCKS,
    ),
    Row(
        "marked_for_nothing", "permanency",
        (at(begun("WW", effects={"delayed_effect": THREE_TURNS, "permanency": THREE_TURNS})),
            orders("P -", bank="L", permanency="L")),
        (at(begun("WW", effects={"delayed_effect": THREE_TURNS, "permanency": THREE_TURNS})),
            orders("P -", permanency="L")),
        WARLOCKS,
    ),
    # stabs
    Row(
        "stabs_yourself", "left_subject",
        (at(), orders("> -", left_subject=ADA)),
        (at(), orders("> -", left_subject=BRAM)),
        STEPWISE_RULESETS,
    ),
    Row(
        "stabs_own_monster", "right_subject",
        (at(monsters=[adas(), brams()]), orders("- >", right_subject="m0")),
        (at(monsters=[adas(), brams()]), orders("- >", right_subject="m1")),
    ),
    Row(
        "stab_shielded", "left_subject",
        (at({}, under_effects(protection_from_evil=THREE_TURNS)), orders("> -")),
        (at({}, under_effects(resist_heat=THREE_TURNS)), orders("> -")),
    ),
    Row(
        "stab_shielded", "right_subject",
        (at(), orders("P >", left_subject=BRAM)),
        (at(), orders("P >", left_subject=ADA)),
    ),
    Row(
        "stab_unseen", "left_subject",
        (at({}, under_effects(invisibility=THREE_TURNS)), orders("> -")),
        (at({}, under_effects(blindness=THREE_TURNS)), orders("> -")),
    ),
    Row(
        "stab_blind", "left_subject",
        (at(under_effects(blindness=THREE_TURNS)), orders("> -")),
        (at(under_effects(poison=THREE_TURNS)), orders("> -")),
        STEPWISE_RULESETS,
    ),
    Row(
        "stab_at_nobody", "left_subject",
        (at(), orders("> -", left_subject="R:w0")),
        (at(), orders("> -", left_subject="R:w1")),
        SEALED_RULESETS,
    ),
    Row(
        "stab_at_nobody", "left_subject",
        (at(), orders("> -", left_subject="nowhere")),
        (at(), orders("> -")),
        STEPWISE_RULESETS,
    ),
    # monsters
    Row(
        "attacks_master", "victim:m0",
        (at(monsters=[adas()]), orders("- -", victim__m0=ADA)),
        (at(monsters=[adas()]), orders("- -", victim__m0=BRAM)),
    ),
    Row(
        "attacks_master", "victim2:m0",
        (at(monsters=[adas(effects={"haste": THREE_TURNS})]),
            orders("- -", victim__m0=BRAM, victim2__m0=ADA)),
        (at(monsters=[adas(effects={"haste": THREE_TURNS})]),
            orders("- -", victim__m0=BRAM, victim2__m0=BRAM)),
        SEALED_RULESETS,
    ),
    Row(
        "attacks_own_monster", "victim:m0",
        (at(monsters=[adas(), adas("troll"), brams()]), orders("- -", victim__m0="m1")),
        (at(monsters=[adas(), adas("troll"), brams()]), orders("- -", victim__m0="m2")),
    ),
    Row(
        "attacks_own_monster", "victim:m0",
        (at(begun("PSD"), monsters=[adas(), brams()]),
            orders("D -", left_subject="m1", left_spell="charm_monster", victim__m0="m1")),
        (at(begun("PSD"), monsters=[adas(), brams()]),
            orders("D -", left_subject=BRAM, left_spell="charm_monster", victim__m0="m1")),
    ),
    Row(
        "attacks_nobody", "victim:m0",
        (at(monsters=[adas()]), orders("- -", victim__m0="R:w0")),
        (at(monsters=[adas()]), orders("- -", victim__m0="R:w1")),
        SEALED_RULESETS,
    ),
    Row(
        "attack_shielded", "victim:m0",
        (at({}, under_effects(protection_from_evil=THREE_TURNS), monsters=[adas()]), orders("- -")),
        (at({}, under_effects(protection_from_evil=THREE_TURNS), monsters=[adas()]),
            orders("- -", victim__m0="no_one")),
    ),
    Row(
        "attack_unseen", "victim:m0",
        (at({}, under_effects(invisibility=THREE_TURNS), monsters=[adas()]), orders("- -")),
        (at({}, under_effects(invisibility=THREE_TURNS), monsters=[adas("fire")]), orders("- -")),
    ),
)  # fmt: skip
