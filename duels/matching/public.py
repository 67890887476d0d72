"""The public interface of finding an opponent for the rest of the project."""

from duels.matching.limits import create_challenge as create_challenge
from duels.matching.limits import exclusion_words as exclusion_words
from duels.matching.limits import limits_of as limits_of
from duels.matching.limits import open_list as open_list
from duels.matching.models import HIGHEST_RATING as HIGHEST_RATING
from duels.matching.play_now import play_somebody as play_somebody
