"""The database models, one module for each topic, with constraints wherever possible.

Models have fields, constraints and cheap properties. `commands` writes their rows, and `queries`
reads them. Positions and events are stored as the engine's own JSON (`engine.dump`), which only
`adjudication` interprets.
"""

from duels.models.accounts import User, UserManager
from duels.models.acts import REASON_LENGTH, Act, ActKind, RefereeMessage
from duels.models.alarms import Alarm, AlarmKind
from duels.models.closings import AccountClosing
from duels.models.constraints import either, one_of
from duels.models.duels import (
    DICE_COVERED,
    LARGEST_DUEL,
    MOST_EXCUSES,
    NAME_LENGTH,
    PACE_LENGTH,
    PRACTICE,
    SALTS_BY_SEED,
    SMALLEST_DUEL,
    USUAL_EXCUSES,
    WHOLE_TURNS,
    WORDS_LENGTH,
    Duel,
    DuelStatus,
    Ended,
    Visibility,
)
from duels.models.keys import KeyPurpose, SiteKey
from duels.models.markers import Marker
from duels.models.orders import Draft, Orders, RejectedSeal, Source
from duels.models.outbox import FINISHED, REFUSED, OutboxRow, OutboxStatus
from duels.models.releases import ReleaseCheck
from duels.models.seats import CLAIMABLE_AFTER, OFFER_STANDS, Outcome, Seat
from duels.models.speech import SPEECH_LENGTH, Speech
from duels.models.submissions import Submission
from duels.models.sweeps import LONGEST_SILENCE, LastSweep, Outage
from duels.models.turns import OPEN_STAGES, QuestionRound, Stage, Turn, TurnKind
from duels.models.wishes import WizardWish
from duels.models.wizards import Block, Mute, Pronouns, Wizard, WizardKind

__all__ = [
    "CLAIMABLE_AFTER",
    "DICE_COVERED",
    "FINISHED",
    "LARGEST_DUEL",
    "LONGEST_SILENCE",
    "MOST_EXCUSES",
    "NAME_LENGTH",
    "OFFER_STANDS",
    "OPEN_STAGES",
    "PACE_LENGTH",
    "PRACTICE",
    "REASON_LENGTH",
    "REFUSED",
    "SALTS_BY_SEED",
    "SMALLEST_DUEL",
    "SPEECH_LENGTH",
    "USUAL_EXCUSES",
    "WHOLE_TURNS",
    "WORDS_LENGTH",
    "AccountClosing",
    "Act",
    "ActKind",
    "Alarm",
    "AlarmKind",
    "Block",
    "Draft",
    "Duel",
    "DuelStatus",
    "Ended",
    "KeyPurpose",
    "LastSweep",
    "Marker",
    "Mute",
    "Orders",
    "Outage",
    "OutboxRow",
    "OutboxStatus",
    "Outcome",
    "Pronouns",
    "QuestionRound",
    "RefereeMessage",
    "RejectedSeal",
    "ReleaseCheck",
    "Seat",
    "SiteKey",
    "Source",
    "Speech",
    "Stage",
    "Submission",
    "Turn",
    "TurnKind",
    "User",
    "UserManager",
    "Visibility",
    "Wizard",
    "WizardKind",
    "WizardWish",
    "either",
    "one_of",
]
