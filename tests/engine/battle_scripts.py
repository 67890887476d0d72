"""Scripts of our own battles in tests/engine/battles/. See battle_writer."""

from tests.engine.battle_writer import BATTLES_FOLDER, BattleScript, battle_document, document_text

GOBLINS_SCRIPT = BattleScript(
    "goblins",
    "three goblins, a stab and a surrender",
    (
        ("SFWPP", "P-SDP"),
        ("SFW--", "SFW>-"),
    ),
    {
        3: "w0 victim:L:w0=w1 | w1 victim:L:w1=w0 victim:R:w1=L:w0",
        4: "w0 right_subject=m1 | w1 right_subject=w0",
    },
)

HASTE_SCRIPT = BattleScript(
    "haste",
    "a hasted wizard, and paralyses without effect in the hasted turns",
    (
        ("PWPWWCWSDF---", "SFWPSCWPPSDWP"),
        ("----SP S F WP", "WFPFFF F F FP"),
    ),
    {
        8: "w1 held:w0=R",
        10: "w1 held:w0=L",
        12: "w1 held:w0=R",
    },
)

TIME_STOP_SCRIPT = BattleScript(
    "time",
    "a banked fireball released during a time stop, and blindness",
    (
        ("DWSSSPSPPC--SD-", "--FSSDD--C>--PP"),
        ("WWFPSFWDWF FD-P", "------WW-P SD-P"),
    ),
    {
        7: "w0 bank=R right_subject=w1 | w1 victim:L:w1=no_one",
        10: "w1 victim:m0=w0",
        11: "w0 release=yes right_subject=w1",
    },
)

VARIANTS_SCRIPT = BattleScript(
    "variants",
    "ParaFC and Maladroit: a paralysed hand claps, and a maladroit wizard surrenders",
    (
        ("FFF--------", "---SDSFDSFP"),
        ("DFFCWD-W-->", "SFWCWS-SF-P"),
    ),
    {
        4: "w0 held:w1=L",
    },
    options=("parafc", "maladroit"),
)

FOUR_WIZARDS_SCRIPT = BattleScript(
    "four",
    "four wizards: charm, mirror, clap of lightning, poison and surrenders",
    (
        ("PSDFWDDC------", "WFP----C------"),
        ("SDDWWFWD----P ", "WWP---------P "),
        ("----CW--P     ", "----CW--P     "),
        ("-FSSDDSPFP----", "SFW->---------"),
    ),
    {
        2: "w1 left_subject=w2",
        3: "w0 right_subject=w3",
        4: "w0 left_subject=w1",
        5: "w0 charmed:w1.R=- | w3 left_subject=w0 right_subject=w0",
        6: "w3 left_subject=w2",
        8: "w0 both_subject=w2 | w1 left_subject=w3",
        10: "w3 left_subject=w0",
        14: "w3 victim:m0=w0",
    },
    {3: "m0 opponent w1"},
)

STOPPED_HEART_SCRIPT = BattleScript(
    "heart",
    "a permanent charm, and a heart that stops",
    (
        ("SPFPSDW-----", "-FFFPSDF----"),
        ("WWFPDS-WFPDP", "SDWWSDPSDPSD"),
    ),
    {
        5: "w0 held:w1=L",
        8: "w0 permanency=R",
        9: "w0 charmed:w1.L=-",
        10: "w0 charmed:w1.R=F",
        11: "w0 charmed:w1.R=P | w1 charmed:w0.L=F",
        12: "w0 charmed:w1.L=> | w1 heart=yes left_subject=w0",
    },
)

ELEMENTALS_SCRIPT = BattleScript(
    "elementals",
    "both elementals, both storms, a goblin charmed as it is summoned, and a draw",
    (
        ("CWSSWCSWWSSFWCP", "C----CSSFPSWWCP"),
        ("-WWFP-CFSSDD--P", "---WSSC--PSDD-P"),
    ),
    {
        5: "w0 left_subject=nowhere",
        10: "w0 left_subject=w1",
        11: "w1 left_subject=m1",
        12: "w1 left_subject=m1 right_subject=nowhere",
        13: "w1 right_subject=L:w0 victim:L:w0=w0",
    },
)

DISPEL_MAGIC_SCRIPT = BattleScript(
    "dispelled",
    "two cures at once, and a goblin that a Dispel Magic destroys",
    (
        ("SFW----->", "---------"),
        ("-DFWCDPWP", "-DFWC---P"),
    ),
    {},
)

SCRIPTS = (
    GOBLINS_SCRIPT,
    HASTE_SCRIPT,
    TIME_STOP_SCRIPT,
    VARIANTS_SCRIPT,
    FOUR_WIZARDS_SCRIPT,
    STOPPED_HEART_SCRIPT,
    ELEMENTALS_SCRIPT,
    DISPEL_MAGIC_SCRIPT,
)


def main() -> None:
    """Play all scripts and write the battles."""
    for script in SCRIPTS:
        (BATTLES_FOLDER / f"{script.name}.json").write_text(
            document_text(battle_document(script)), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
