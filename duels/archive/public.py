"""The public interface of the archive for the rest of the project."""

from duels.archive.commands import choose_daily_duel as choose_daily_duel
from duels.archive.download import download_path as download_path
from duels.archive.queries import SORT_COLUMNS as SORT_COLUMNS
from duels.archive.queries import ArchiveSearch as ArchiveSearch
from duels.archive.queries import DuelOfTheDay as DuelOfTheDay
from duels.archive.queries import FoundDuel as FoundDuel
from duels.archive.queries import archive_page as archive_page
from duels.archive.queries import duel_of_the_day as duel_of_the_day
