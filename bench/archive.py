"""Response times of the archive, ladders and wizards' pages on a small and on a large site.

    python -m bench.archive 10000 1000000

This command compares a site that has the first number of finished duels with one that has the
second. Each site has one wizard for every ten duels. Every duel is public and rated. Its search
codes and words are copied from one of a few hundred planned duels.
"""

import random
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, Final
from urllib.parse import urlencode

import django
from django.db import connection

from bench.crowd import CrowdedSite, comparison_figures, sites_of_both_sizes
from bench.output import Figure, print_figure
from bench.site import database_server, script_output, served_site, site_environment
from bench.sizes import Archive
from tests.services import temporary_folder

DUELS_PER_WIZARD = 10
DUELS_PER_RULESET = 60  # largest number of planned duels
WAYS_OF_ENDING = ("kill", "kill", "kill", "surrender", "surrender", "time", "draw")
ID_OFFSET = 1_000_000  # first id of the copies
SEARCHED_WIZARD = "Wizard 77"
ARCHIVE_SEARCHES: Final[dict[str, dict[str, str]]] = {
    "all": {},
    "ruleset": {"ruleset": "bartle-1"},
    "wizard": {"opponent": SEARCHED_WIZARD},
    "three_codes": {"ruleset": "bartle-1", "way": "surrender", "spell": "missile"},
    "four_codes": {"ruleset": "warlocks-1", "way": "time", "spell": "shield", "monster": "goblin"},
    "rare_opening": {"opening": "DWW", "way": "draw"},
    "exclusive_codes": {"result": "drew", "way": "kill"},
    "spell_of_other_rules": {"ruleset": "bartle-1", "spell": "magic_mirror", "way": "time"},
    "size_without_duels": {"size": "5", "spell": "missile"},
    "common_words": {"words": "goblin attacks"},
    "rare_word": {"words": "rare7"},
    "words_and_codes": {"words": "goblin", "spell": "shield", "way": "surrender"},
    "word_of_no_report": {"words": "dragonfruit"},
    "longest": {"sort": "longest", "spell": "missile", "way": "kill"},
    "longest_rare_spell": {"sort": "longest", "spell": "finger_of_death"},
    "longest_of_wizard": {"sort": "longest", "opponent": SEARCHED_WIZARD},
    "longest_on_time": {"sort": "longest", "way": "time"},
    "most_watched": {"sort": "watched", "way": "referee"},
    "most_watched_rare_spell": {"sort": "watched", "spell": "finger_of_death"},
    "most_watched_continued": {"sort": "watched", "after": f"5-{ID_OFFSET + 500_000}"},
    "rating": {"rating_min": "1900", "way": "surrender", "spell": "missile"},
    "dates": {"since": "2026-02-27", "until": "2026-02-28", "spell": "missile"},
}


def page_paths() -> dict[str, str]:
    """Return the addresses to measure by name."""
    return {
        **{
            f"archive_{name}": f"/archive/?{urlencode(each)}"
            for name, each in ARCHIVE_SEARCHES.items()
        },
        **{
            f"ladder_{by}": f"/ladders/bartle-1/?by={by}"
            for by in ("rating", "month", "reliability")
        },
        "wizard_page": "/wizards/wizard-77/",
        "two_wizards": "/wizards/wizard-77/against/wizard-78/",
    }


def figures(archive: Archive, server: str) -> Iterator[Figure]:
    """Yield the median times of all pages on both sites, and their ratios."""
    with ExitStack() as stack:
        sites = sites_of_both_sizes(
            stack, partial(_archive_site, server), archive.small_duels, archive.full_duels
        )

        def measure(site: CrowdedSite, name: str) -> list[float]:
            return [site.milliseconds(name) for _ in range(archive.requests)]

        for name in page_paths():
            yield from comparison_figures(name, "", sites, measure, archive.rounds)


@contextmanager
def _archive_site(server: str, duels: int) -> Iterator[CrowdedSite]:
    """Run a site with its own database of finished duels."""
    with temporary_folder() as folder:
        silence = "smtp://127.0.0.1:9"  # nothing listens for emails there
        env = site_environment(folder, server, f"archive_{duels}", EMAIL_URL=silence)
        session = script_output(env, "bench.archive", duels)[-1]
        with served_site(env, "--workers=1") as port:
            yield CrowdedSite(port, session, page_paths())


def fill_archive(duels: int) -> str:
    """Fill the migrated, empty database of this environment. Return the key of a session."""
    django.setup()
    from bench.played import duel_at_turn, tasks_disabled, two_wizards
    from bench.web import signed_in_client
    from duels.commands import endings
    from tests.cast import NOW

    wizards = duels // DUELS_PER_WIZARD
    black, white = two_wizards()
    duel = duel_at_turn(20, black, white)
    with tasks_disabled():
        endings.resign(duel_id=duel.pk, wizard=white, now=NOW)
    _execute("SET session_replication_role = replica")  # do not check foreign keys
    _execute("SET maintenance_work_mem = '1GB'")
    _create_planned_duels(min(duels // 160, DUELS_PER_RULESET))
    _execute(_duel_table_sql(wizards, duels))
    _copy_wizards(wizards, white.pk)
    _copy_duels(duel.pk)
    _add_archived_duels()
    _add_ratings()
    _execute("SET session_replication_role = DEFAULT")
    _execute("VACUUM ANALYZE")
    return signed_in_client(black).cookies["sessionid"].value


def _create_planned_duels(number: int) -> None:
    """Create a temporary table of planned duels of each ruleset, with their codes and words."""
    import engine.play
    from bench.planned import planned_duel
    from duels.archive import contents

    chance = random.Random(7)
    rows: list[tuple[str | int, ...]] = []
    for ruleset in list(engine.play.RULESETS) * number:
        steps = list(planned_duel(chance, ruleset=ruleset))
        turns = [engine.play.Turn(n, each.position, each.events) for n, each in enumerate(steps, 1)]
        way = chance.choice(WAYS_OF_ENDING)
        codes = {f"ruleset.{ruleset}", "size.2", f"way.{way}"}
        codes |= {"drew"} if way == "draw" else {"won", "lost"}
        codes |= {*contents._event_codes(turns), *contents._openings(turns)}
        words = contents._report_words(engine.play.History(tuple(turns), steps[-1].after))
        texts = (" ".join(sorted(each)) for each in (codes, words))
        rows.append((len(rows), ruleset, way, len(turns), *texts))
    _execute(
        "CREATE TEMPORARY TABLE planned (number int, ruleset text, way text, turns int, codes text,"
        " words text, lexemes tsvector GENERATED ALWAYS AS (to_tsvector('english', words)) STORED)"
    )
    with connection.cursor() as cursor:
        cursor.executemany("INSERT INTO planned VALUES (%s, %s, %s, %s, %s, %s)", rows)


def _duel_table_sql(wizards: int, duels: int) -> str:
    """Return a statement that creates a temporary table with one row for each duel."""
    one = f"n::bigint * 7919 % {wizards}"
    two = f"({one} + 1 + n % 40) % {wizards}"
    return (
        f"CREATE TEMPORARY TABLE made AS SELECT {ID_OFFSET} + n AS duel,"
        f" {ID_OFFSET} + 1 + {one} AS one, {ID_OFFSET} + 1 + {two} AS two,"
        f" timestamptz '2026-03-01' - interval '20 seconds' * ({duels} - n) AS at, planned.*"
        f" FROM generate_series(1, {duels}) AS n JOIN planned"
        f" ON number = (hashint4(n) & 2147483647) % (SELECT count(*) FROM planned)"
    )


def _copy_wizards(wizards: int, wizard: int) -> None:
    from duels.accounts.names import confusable_skeleton
    from duels.models import Wizard

    names = {"name": "'Wizard ' || n", "skeleton": "'wizard' || n", "slug": "'wizard-' || n"}
    changes = {"id": f"{ID_OFFSET} + n", "user_id": "NULL", **names}
    _copy_rows(Wizard, changes, f"generate_series(1, {wizards}) AS n WHERE row.id = {wizard}")
    found = Wizard.objects.filter(name=SEARCHED_WIZARD)
    found.update(skeleton=confusable_skeleton(SEARCHED_WIZARD))  # only this wizard is searched for


def _copy_duels(duel: int) -> None:
    from duels.models import Duel, Seat

    times = dict.fromkeys(("created_at", "started_at", "ended_at"), "at")
    changes = {"id": "duel", "challenger_id": "one", "token": "NULL", "ruleset": "made.ruleset"}
    changes |= {"rated": "true", "visibility": "'public'"} | times
    _copy_rows(Duel, changes, f"made WHERE row.id = {duel}")
    changes = {"id": "duel * 2 + place", "duel_id": "duel", "duel_ended_at": "at"}
    changes["wizard_id"] = "CASE place WHEN 0 THEN one ELSE two END"
    _copy_rows(Seat, changes, f"made WHERE row.duel_id = {duel}")


def _copy_rows(model: Any, changes: dict[str, str], source: str) -> None:
    columns = [field.column for field in model._meta.concrete_fields if field.column]
    values = ", ".join(changes.get(column, f'row."{column}"') for column in columns)
    names, table = ", ".join(map(connection.ops.quote_name, columns)), model._meta.db_table
    _execute(f'INSERT INTO "{table}" ({names}) SELECT {values} FROM "{table}" AS row, {source}')


def _add_archived_duels() -> None:
    """Copy lexemes and create the indexes at the end, which is faster than for each row."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indexname, indexdef FROM pg_indexes"
            " WHERE tablename = 'archive_archivedduel' AND indexdef LIKE '%%gin%%'"
        )
        indexes = dict(cursor.fetchall())
    for name in indexes:
        _execute(f"DROP INDEX {name}")
    _execute("ALTER TABLE archive_archivedduel ALTER COLUMN lexemes DROP EXPRESSION")
    result = "CASE way WHEN 'draw' THEN 'drew.' ELSE '%s.' END"
    wizards = " || ".join(
        f"' wizard.' || {name} || ' ' || {result % outcome} || {name}"
        for name, outcome in (("one", "won"), ("two", "lost"))
    )
    rare = "'rare' || duel % ((SELECT count(*) FROM made) / 100)"  # each one in a hundred duels
    _execute(
        "INSERT INTO archive_archivedduel"
        " (duel_id, ended_at, turns, rating, watched, codes, words, lexemes)"
        f" SELECT duel, at, turns, 1000 + duel * 37 % 1000, duel % 9, codes || {wizards},"
        f" words || ' ' || {rare}, lexemes || array_to_tsvector(ARRAY[{rare}]) FROM made"
    )
    for statement in indexes.values():
        _execute(statement)


def _add_ratings() -> None:
    won = "CASE way WHEN 'draw' THEN 'drew' ELSE '%s' END"
    for wizard, place, result in (
        ("one", "1", "won"),
        ("two", "CASE way WHEN 'draw' THEN 1 ELSE 2 END", "lost"),
    ):
        _execute(
            "INSERT INTO ratings_ratingchange (duel_id, wizard_id, ruleset, at, place, result, way,"
            " turns, missed_turns, opening, spells, value_before, deviation_before,"
            " volatility_before, value, deviation, volatility, expected, actual, weight)"
            f" SELECT duel, {wizard}, ruleset, at, {place}, {won % result}, way, turns, 0,"
            " 'WFP/DSF', '{\"shield\": 3}', 1500, 80, 0.06, 1510, 79, 0.06, 0.5, 1, 1 FROM made"
        )
    _execute(
        "INSERT INTO ratings_wizardrating (wizard_id, ruleset, value, deviation, volatility, at,"
        " ranked_until, month, month_gain, reliability) SELECT wizard_id, ruleset,"
        " 1000 + wizard_id * 37 % 1000, 60, 0.06, max(at), now() + interval '1 year',"
        " date_trunc('month', now() AT TIME ZONE 'UTC'), wizard_id % 100, 1"
        " FROM ratings_ratingchange GROUP BY wizard_id, ruleset"
    )


def _execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


if __name__ == "__main__":
    if len(sys.argv) == 2:  # in the environment of a site
        print(fill_archive(int(sys.argv[1])))
    else:
        small, full = map(int, sys.argv[1:])
        sizes = Archive(small, full, requests=7, rounds=3)
        with database_server() as server:
            for figure in figures(sizes, server):
                print_figure(*figure)
