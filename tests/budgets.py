"""Maximums of figures that are the same in every run, with the reasons for them.

The names are those that `python -m bench` prints; `tests/test_bench.py` compares the figures with
these maximums. If a change makes a figure exceed its budget, change the budget here. Also lower the
budget if a figure is now more than a tenth below it, because a generous budget does not protect
anything.
"""

from typing import Final

MIN_BUDGET_SHARE: Final = 0.9  # share of a budget; if a figure is below this, lower its budget

BUDGETS: Final[dict[str, tuple[float, str]]] = {
    # Queries of a page, in a process that has rendered it before.
    "duel_page_queries_turn_20": (4, "session, user, what waits next, and one for the duel"),
    "duel_page_queries_turn_200": (4, "a long duel costs no more than a short one"),
    "past_turn_page_queries": (9, "readers step through all turns of a duel"),
    "lesson_page_queries": (4, "the first page that most newcomers play on"),
    "challenge_page_queries": (7, "invited players decide here"),
    "finished_duel_page_queries": (6, "shared links lead here"),
    "record_queries": (8, "independent of the number of turns"),
    "front_page_queries": (5, "visitors come here first, many at a time"),
    "home_page_queries": (8, "players begin here every day"),
    "home_queries_10_duels": (8, "ten duels, to compare with the next line"),
    "home_queries_1000_duels": (8, "independent of the number of duels"),
    "duels_page_queries": (7, "independent of the number of duels"),
    "new_challenge_page_queries": (4, "session, user, what waits next, the rules of the last duel"),
    "wizard_page_queries": (11, "linked from every duel and list"),
    "settings_page_queries": (4, "few rows, read seldom"),
    "rules_page_queries": (1, "the text is in memory"),
    "spellbook_page_queries": (0, "the text is in memory"),
    "poll_queries": (0, "every open page polls every few seconds"),
    # Database statements, including BEGIN and COMMIT.
    "statements_last_seal": (5, "begin, lock and load in one, insert, update the seat, commit"),
    "statements_seal_to_resolved": (12, "each holds the lock of the duel longer"),
    # Bytes of HTML or JSON, compressed as it is sent.
    "duel_page_compressed_bytes_turn_20": (9_600, "read on phones, several times a day"),
    "duel_page_compressed_bytes_turn_200": (9_620, "a long duel weighs no more than a short one"),
    "past_turn_page_compressed_bytes": (5_950, "readers step through all turns of a duel"),
    "lesson_page_compressed_bytes": (6_300, "the first page that most newcomers play on"),
    "challenge_page_compressed_bytes": (2_350, "invited players decide here"),
    "finished_duel_page_compressed_bytes": (7_900, "shared links lead here"),
    "record_compressed_bytes": (25_800, "about a kilobyte for each turn, mostly seeds and hashes"),
    "front_page_compressed_bytes": (4_030, "visitors come here first, by slow connections too"),
    "home_page_compressed_bytes": (
        2_400,
        "players begin here every day; rows show damage and news; terms of Play somebody now",
    ),
    "duels_page_compressed_bytes": (2_300, "one page of the list, and a form to filter it"),
    "new_challenge_page_compressed_bytes": (19_650, "it describes every option of every ruleset"),
    "wizard_page_compressed_bytes": (2_330, "linked from every duel and list; follow, note, feed"),
    "settings_page_compressed_bytes": (9_050, "most of it is the list of time zones"),
    "rules_page_compressed_bytes": (37_200, "all rules of a ruleset in plain sentences, read once"),
    "spellbook_page_compressed_bytes": (5_400, "a table that players keep open"),
    # A visit to a duel's page in Chromium, with headers, style sheets, scripts and fonts.
    "duel_page_transfer_bytes_first": (144_900, "seconds on a slow connection; target 150,000"),
    "duel_page_transfer_bytes_later": (10_600, "the page only; all else is in the browser's cache"),
    "duel_page_requests_first": (11, "each costs time, above all by HTTP/1.1; target 30"),
    "duel_page_requests_later": (1, "the page only; all else is in the browser's cache"),
    # Templates that a page renders, including parents and templates that it includes.
    "duel_page_renders_turn_20": (2, "the page and the base template: parts are written in place"),
    "duel_page_renders_turn_200": (2, "a long duel renders no more than a short one"),
    # Executed instructions of Debian's Python, compared with a fixed piece of work.
    "duel_page_instructions_ratio": (3.61, "bare pages; spell names are links"),
    "duel_page_instructions_ratio_cold": (14.5, "bare pages; after each restart, for each reader"),
    "post_instructions_ratio": (2.5, "turns; a parser makes the text, a library the styles"),
    "engine_instructions_ratio_planned_bartle": (0.112, "fixed Python; the usual ruleset"),
    "engine_instructions_ratio_planned_spellcast": (0.217, "fixed Python; the slowest ruleset"),
    "engine_instructions_ratio_planned_warlocks": (0.112, "fixed Python; another order of play"),
}
