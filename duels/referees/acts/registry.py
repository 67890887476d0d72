"""The registry of all acts, from which the desk builds forms."""

from collections.abc import Mapping
from typing import Final

from duels.models import ActKind
from duels.referees.acts import (
    clock_acts,
    ending,
    player_acts,
    rolling_back,
    speech_acts,
    wizard_acts,
)
from duels.referees.acts.act_types import ActField, ActSpec, FieldType

OPTIONAL_SEAT: Final = ActField(
    "seat", "Whose clock", FieldType.SEAT, is_required=False, if_empty="everyone who must still act"
)
REQUIRED_SEAT: Final = ActField("seat", "Wizard", FieldType.SEAT)
ALL_ACTS: Final = (
    ActSpec(
        ActKind.PAUSE,
        "Pause the duel",
        "The clocks stop, and no turn is played. Players can still seal orders.",
        clock_acts.pause_duel,
    ),
    ActSpec(
        ActKind.GO_ON,
        "Resume the duel",
        "Each clock continues with the time that was left, or at least a fifth of the turn’s time.",
        clock_acts.resume_paused_duel,
    ),
    ActSpec(
        ActKind.EXTEND,
        "Give time",
        "Wizards who must still act get more time.",
        clock_acts.extend_clocks,
        (ActField("time", "Extra time", FieldType.DURATION), OPTIONAL_SEAT),
    ),
    ActSpec(
        ActKind.RESTART_CLOCK,
        "Restart clocks",
        "The full time for the turn starts again.",
        clock_acts.restart_clocks,
        (OPTIONAL_SEAT,),
    ),
    ActSpec(
        ActKind.EXCUSE,
        "Excuse an absence",
        "Missed turns no longer count, and one used extension is given back.",
        player_acts.excuse_missed_turns,
        (REQUIRED_SEAT,),
    ),
    ActSpec(
        ActKind.DEFAULTS,
        "Play default orders for an absent wizard",
        "The turn no longer waits for them. The other players are notified of this action.",
        player_acts.play_defaults,
        (REQUIRED_SEAT,),
    ),
    ActSpec(
        ActKind.REPLACE,
        "Replace a player",
        "Another wizard takes over the seat. Ask that wizard first, because the site does not.",
        player_acts.replace_wizard,
        (REQUIRED_SEAT, ActField("wizard", "Replaced by", FieldType.WIZARD)),
    ),
    ActSpec(
        ActKind.ROLL_BACK,
        "Roll back to the start of a turn",
        "This turn and those after it become void but are kept. Orders and clocks start again. "
        "A finished duel continues, with new dice.",
        rolling_back.roll_back_duel,
        (ActField("turn", "Turn", FieldType.TURN),),
    ),
    ActSpec(
        ActKind.REMOVE,
        "Remove a player",
        "This works like resigning, but everyone can see that a referee has removed them.",
        ending.remove_wizard_from_duel,
        (REQUIRED_SEAT,),
        can_end_duel=True,
    ),
    ActSpec(
        ActKind.DECLARE,
        "Declare a result",
        "Ends a running duel. If the duel is over, changes its result and the markers with it.",
        ending.declare_result,
        (ActField("result", "The result", FieldType.RESULT),),
        can_end_duel=True,
    ),
    ActSpec(
        ActKind.ANNUL,
        "Annul the duel",
        "The duel has no result, its markers are returned, and everything in it becomes public.",
        ending.annul_duel,
        can_end_duel=True,
    ),
    ActSpec(
        ActKind.MESSAGE,
        "Write to the players",
        "They can read the message on the duel’s page and by email. The log keeps a digest of it, "
        "and the reason, which everyone can read.",
        speech_acts.send_private_message,
        (
            ActField("words", "Message", FieldType.TEXT),
            ActField(
                "seat", "Recipients", FieldType.SEAT, is_required=False, if_empty="all players"
            ),
        ),
    ),
    ActSpec(
        ActKind.REMOVE_WORDS,
        "Remove message",
        "Nobody can see the message any longer, and it is not in the record. If it was sealed with "
        "a turn, the record keeps its hash. Both wizards of a private message see that it was "
        "removed.",
        speech_acts.remove_message_or_name,
        (ActField("speech", "Message, or the duel’s name", FieldType.SPEECH),),
        subjects=("duel", "wizard"),
    ),
    ActSpec(
        ActKind.LOCK_SPEECH,
        "Lock messages",
        "Players can no longer send messages, either between turns or with orders.",
        speech_acts.lock_speech,
        subjects=("duel", "wizard"),
    ),
    ActSpec(
        ActKind.UNLOCK_SPEECH,
        "Unlock messages",
        "Players can send messages again.",
        speech_acts.unlock_speech,
        subjects=("duel", "wizard"),
    ),
    ActSpec(
        ActKind.RENAME,
        "Rename the wizard",
        "The name changes everywhere, even in finished duels. Others can then take the old name. "
        "This also removes their line about themselves; to remove only that, enter the old name.",
        wizard_acts.rename_wizard,
        (ActField("name", "The new name", FieldType.NAME),),
        subjects=("wizard",),
    ),
    ActSpec(
        ActKind.SUSPEND,
        "Suspend the wizard",
        "They cannot play, practise, write to others, block others or change their pronouns. They "
        "can read, resign, appeal, object to a referee and close their account. Their clocks keep "
        "running.",
        wizard_acts.suspend_wizard,
        (
            ActField(
                "until", "Until when", FieldType.MOMENT, is_required=False, if_empty="permanently"
            ),
        ),
        subjects=("wizard",),
    ),
    ActSpec(
        ActKind.REINSTATE,
        "Reinstate the wizard",
        "The suspension ends, and they can do everything again.",
        wizard_acts.reinstate_wizard,
        subjects=("wizard",),
    ),
)
SPEC_BY_ACT: Final[Mapping[ActKind, ActSpec]] = {spec.kind: spec for spec in ALL_ACTS}
