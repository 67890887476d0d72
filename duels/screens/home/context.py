"""Context for the front page: an introduction for visitors, or lists of duels for players."""

from datetime import datetime
from typing import Any

from django.db.models import Exists

import engine.play
from duels.archive.public import duel_of_the_day
from duels.commands.suspensions import suspension_words
from duels.feeds.public import followed_finished_list, followed_running_list
from duels.lessons.first import FIRST_LESSON
from duels.matching.public import availability_of, open_challenge_list
from duels.models import Wizard
from duels.post.public import silenced_addresses
from duels.queries import listing, lists
from duels.screens.home.front import duel_for_visitors
from duels.screens.lists.kinds import daily_duel_to_show, daily_list, list_to_show
from duels.screens.lists.lines import list_entries
from duels.screens.parts.people import players_online_words
from engine.play import GESTURE_NAMES, LETTERS

DEFAULT_RULESET = "bartle-1"
FIRST_BUTTON = "Play your first duel"
CONTINUE_BUTTON = "Continue your first duel"
REPEAT_BUTTON = "Play the first duel again"
LINES_IN_SIDE_LISTS = 5  # public duels in the list next to the duel shown
# Maximum number of rows in each list on this page. Each list also has its own page with all rows.
LINES_IN_MAIN_LIST = 10
MAX_URGENT_DUELS = 25  # maximum number of rows in lists of duels where the player must act
SECTION_BY_LIST = {
    "awaiting": "waiting",
    "to_me": "challenges",
    "mine": "challenges",
    "followed_running": "watch",
    "followed_finished": "read",
}


def _guest_context(guest: Wizard, now: datetime) -> dict[str, Any]:
    """Return the guest's part of the context: their duels, and the text of the main button."""
    duel_lists = {
        "awaiting": lists.waiting_list(guest),
        "to_me": lists.challenges_to_answer(guest, now),
        "running": lists.running_list(guest),
        "practice": lists.practice_list(guest),
        "mine": lists.challenges_awaiting_others(guest, now),
        "finished": lists.finished_list(guest, guest),
    }
    found = listing.load_duel_lists(duel_lists, guest)
    rows = [row for name in duel_lists for row in found[name].rows]
    context: dict[str, Any] = {
        "guests_duels": list_entries(rows, now=now),
        "guest_is_playing": any(found[name].rows for name in duel_lists if name != "finished"),
    }
    learnt = [row.duel for row in rows if row.duel.lesson == FIRST_LESSON.slug]
    if learnt:
        context["first_button"] = (
            REPEAT_BUTTON if all(duel.is_over for duel in learnt) else CONTINUE_BUTTON
        )
    return context


def visitor_context(guest: Wizard | None, now: datetime) -> dict[str, Any]:
    """Return the context for visitors: an introduction, a duel to watch and the main button.

    For guests, the context also has their own duels.
    """
    duel_lists = {"watch": lists.running_public_list(), "read": lists.finished_public_list()}
    daily = duel_of_the_day(now)
    found = listing.load_duel_lists(
        {name: each.limited_to(LINES_IN_MAIN_LIST) for name, each in duel_lists.items()}
        | daily_list(daily),
        None,
    )
    public = found["watch"].rows + found["read"].rows
    return {
        "gestures": [(letter, GESTURE_NAMES[letter]) for letter in LETTERS],
        "spells": len(engine.play.RULESETS[DEFAULT_RULESET].spells),
        "turns": len(FIRST_LESSON.steps),
        "shown": duel_for_visitors(public),
        "public": list_entries(public[:LINES_IN_SIDE_LISTS]),
        "daily": daily_duel_to_show(daily, found, now),
        "first_button": FIRST_BUTTON,
        "people_words": players_online_words(guest),
        **(_guest_context(guest, now) if guest else {}),
    }


def player_context(wizard: Wizard, now: datetime) -> dict[str, Any]:
    """Return all lists of a player's duels and challenges."""
    duel_lists = {
        "awaiting": lists.waiting_list(wizard).limited_to(MAX_URGENT_DUELS),
        "practice": lists.practice_list(wizard),
        "to_me": lists.challenges_to_answer(wizard, now).limited_to(MAX_URGENT_DUELS),
        "mine": lists.challenges_awaiting_others(wizard, now).limited_to(LINES_IN_MAIN_LIST),
        "running": lists.running_list(wizard).limited_to(LINES_IN_MAIN_LIST),
        "open": open_challenge_list(wizard, now).limited_to(LINES_IN_MAIN_LIST),
        "finished": lists.finished_list(wizard, wizard).limited_to(LINES_IN_MAIN_LIST),
        "watch": lists.running_list_of_others(wizard).limited_to(LINES_IN_MAIN_LIST),
        "followed_running": followed_running_list(wizard).limited_to(LINES_IN_SIDE_LISTS),
        "followed_finished": followed_finished_list(wizard, now).limited_to(LINES_IN_SIDE_LISTS),
    }
    daily = duel_of_the_day(now)
    found = listing.load_duel_lists(duel_lists | daily_list(daily), wizard)
    shown = {
        name: list_to_show(SECTION_BY_LIST.get(name, name), found[name], now=now)
        for name in duel_lists
    }
    of_others = ("open", "watch", "followed_running", "followed_finished")
    mails_come_back, is_open = (
        Wizard.objects.filter(pk=wizard.pk)
        .values_list(Exists(silenced_addresses(wizard)), Exists(availability_of(wizard)))
        .get()
    )
    has_duels = any(found[name].rows for name in duel_lists if name not in of_others)
    return {
        "wizard": wizard,
        "is_new": not has_duels,
        "people_words": players_online_words(wizard),
        "mails_come_back": mails_come_back,
        "is_open": is_open,
        "suspended": suspension_words(wizard) if wizard.is_suspended_at(now) else "",
        "daily": daily_duel_to_show(daily, found, now),
        **shown,
    }
