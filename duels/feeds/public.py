"""The public interface of calendars, follows and notes for the rest of the project."""

from duels.feeds.commands import delete_calendar_key as delete_calendar_key
from duels.feeds.commands import follow_duel as follow_duel
from duels.feeds.commands import follow_wizard as follow_wizard
from duels.feeds.commands import renew_calendar_key as renew_calendar_key
from duels.feeds.commands import set_private_note as set_private_note
from duels.feeds.commands import unfollow as unfollow
from duels.feeds.ics import Deadline as Deadline
from duels.feeds.ics import calendar_text as calendar_text
from duels.feeds.models import MAX_NOTE_LENGTH as MAX_NOTE_LENGTH
from duels.feeds.queries import calendar_key as calendar_key
from duels.feeds.queries import exported_feeds as exported_feeds
from duels.feeds.queries import follow_and_note_for as follow_and_note_for
from duels.feeds.queries import followed_duels as followed_duels
from duels.feeds.queries import followed_finished_list as followed_finished_list
from duels.feeds.queries import followed_running_list as followed_running_list
from duels.feeds.queries import followed_wizards as followed_wizards
from duels.feeds.queries import is_following_duel as is_following_duel
from duels.feeds.queries import private_notes as private_notes
from duels.feeds.queries import wizard_by_calendar_token as wizard_by_calendar_token
