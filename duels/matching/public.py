"""The public interface of matching for the rest of the project."""

from duels.matching.availability import become_open as become_open
from duels.matching.availability import pair_wizards as pair_wizards
from duels.matching.availability import stop as stop
from duels.matching.limits import create_challenge as create_challenge
from duels.matching.limits import exclusion_words as exclusion_words
from duels.matching.limits import limits_of as limits_of
from duels.matching.limits import open_challenge_list as open_challenge_list
from duels.matching.limits import suitable_challenge as suitable_challenge
from duels.matching.models import MAX_DUELS as MAX_DUELS
from duels.matching.models import MAX_RATING as MAX_RATING
from duels.matching.models import Availability as Availability
from duels.matching.models import RatedChoice as RatedChoice
from duels.matching.pairing import OFFERED_PACES as OFFERED_PACES
from duels.matching.pairing import Obstacle as Obstacle
from duels.matching.pairing import OpenWizard as OpenWizard
from duels.matching.pairing import obstacle_to_pairing as obstacle_to_pairing
from duels.matching.play_now import accept_or_create_challenge as accept_or_create_challenge
from duels.matching.queries import availability_of as availability_of
from duels.matching.queries import exported_availability as exported_availability
from duels.matching.queries import newest_found_opponent as newest_found_opponent
from duels.matching.queries import pairing_pool as pairing_pool
