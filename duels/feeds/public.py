"""The public interface of calendars for the rest of the project."""

from duels.feeds.commands import delete_calendar_key as delete_calendar_key
from duels.feeds.commands import renew_calendar_key as renew_calendar_key
from duels.feeds.ics import Deadline as Deadline
from duels.feeds.ics import calendar_text as calendar_text
from duels.feeds.queries import calendar_key as calendar_key
from duels.feeds.queries import exported_feeds as exported_feeds
from duels.feeds.queries import wizard_by_calendar_token as wizard_by_calendar_token
