"""The public interface of the ratings for the rest of the project."""

from duels.ratings.glicko import Rating as Rating
from duels.ratings.models import RatingChange as RatingChange
from duels.ratings.models import Result as Result
from duels.ratings.models import Way as Way
from duels.ratings.models import WizardRating as WizardRating
from duels.ratings.queries import ORDER_OF_LADDER as ORDER_OF_LADDER
from duels.ratings.queries import LadderPlace as LadderPlace
from duels.ratings.queries import changes_by_duel as changes_by_duel
from duels.ratings.queries import duels_between as duels_between
from duels.ratings.queries import exported_ratings as exported_ratings
from duels.ratings.queries import ladder_page as ladder_page
from duels.ratings.queries import most_frequent_opponents as most_frequent_opponents
from duels.ratings.queries import newest_changes as newest_changes
from duels.ratings.queries import newest_changes_of_ruleset as newest_changes_of_ruleset
from duels.ratings.queries import ratings_of as ratings_of
from duels.ratings.queries import record_against as record_against
from duels.ratings.queries import result_counts as result_counts
from duels.ratings.watching import WatchedDuel as WatchedDuel
from duels.ratings.watching import watch_page as watch_page
