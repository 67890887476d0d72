"""The database models, in one module for each topic, with database constraints wherever possible.

Models contain fields, constraints and cheap properties. Rows are written by `commands` and read by
`queries`. Positions and events are stored as the engine's own JSON (`engine.play.dump`), which is
interpreted only by `adjudication`.
"""

from duels.models.accounts import User as User
from duels.models.acts import MAX_REASON_LENGTH as MAX_REASON_LENGTH
from duels.models.acts import Act as Act
from duels.models.acts import ActKind as ActKind
from duels.models.acts import RefereeMessage as RefereeMessage
from duels.models.constraints import one_of as one_of
from duels.models.duels import DEFAULT_EXCUSES as DEFAULT_EXCUSES
from duels.models.duels import MAX_DUEL_NAME_LENGTH as MAX_DUEL_NAME_LENGTH
from duels.models.duels import MAX_EXCUSES as MAX_EXCUSES
from duels.models.duels import MAX_WIZARDS as MAX_WIZARDS
from duels.models.duels import MAX_WORDS_LENGTH as MAX_WORDS_LENGTH
from duels.models.duels import MIN_WIZARDS as MIN_WIZARDS
from duels.models.duels import PRACTICE_LESSON as PRACTICE_LESSON
from duels.models.duels import VERSION_COVERING_DICE as VERSION_COVERING_DICE
from duels.models.duels import VERSION_COVERING_TURNS as VERSION_COVERING_TURNS
from duels.models.duels import VERSION_WITH_SALTS_BY_SEED as VERSION_WITH_SALTS_BY_SEED
from duels.models.duels import Duel as Duel
from duels.models.duels import DuelEnding as DuelEnding
from duels.models.duels import DuelStatus as DuelStatus
from duels.models.duels import Visibility as Visibility
from duels.models.markers import Marker as Marker
from duels.models.orders import Draft as Draft
from duels.models.orders import Orders as Orders
from duels.models.orders import RejectedSeal as RejectedSeal
from duels.models.orders import SealSource as SealSource
from duels.models.outbox import FINISHED_STATUSES as FINISHED_STATUSES
from duels.models.outbox import REFUSED_ERROR_PREFIX as REFUSED_ERROR_PREFIX
from duels.models.outbox import OutboxRow as OutboxRow
from duels.models.outbox import OutboxStatus as OutboxStatus
from duels.models.seats import MISSED_TURNS_BEFORE_CLAIM as MISSED_TURNS_BEFORE_CLAIM
from duels.models.seats import Outcome as Outcome
from duels.models.seats import Seat as Seat
from duels.models.seats import seat_of as seat_of
from duels.models.site import MAX_SWEEP_GAP as MAX_SWEEP_GAP
from duels.models.site import Alarm as Alarm
from duels.models.site import AlarmKind as AlarmKind
from duels.models.site import KeyPurpose as KeyPurpose
from duels.models.site import LastSweep as LastSweep
from duels.models.site import Outage as Outage
from duels.models.site import ReleaseCheck as ReleaseCheck
from duels.models.site import SiteKey as SiteKey
from duels.models.site import Submission as Submission
from duels.models.speech import MAX_SPEECH_LENGTH as MAX_SPEECH_LENGTH
from duels.models.speech import Speech as Speech
from duels.models.turns import OPEN_STAGES as OPEN_STAGES
from duels.models.turns import QuestionRound as QuestionRound
from duels.models.turns import Stage as Stage
from duels.models.turns import Turn as Turn
from duels.models.turns import TurnKind as TurnKind
from duels.models.wizards import HUMAN_KINDS as HUMAN_KINDS
from duels.models.wizards import AccountClosing as AccountClosing
from duels.models.wizards import Block as Block
from duels.models.wizards import Mute as Mute
from duels.models.wizards import Pronouns as Pronouns
from duels.models.wizards import Wizard as Wizard
from duels.models.wizards import WizardKind as WizardKind
from duels.models.wizards import WizardWish as WizardWish
