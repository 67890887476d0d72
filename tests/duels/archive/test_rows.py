"""Archive rows: written when public duels end, removed if the end is undone, and rebuilt."""

from collections.abc import Callable

import pytest
from django.core.management import call_command

from duels.archive.models import ArchivedDuel
from duels.caching import poll_cache
from duels.caching.volatile import cache
from duels.commands import endings
from duels.commands.guests import claim_guest, create_guest
from duels.models import ActKind, Duel, Seat
from tests.cast import NOW, Cast, begin, hands, play
from tests.duels.ratings.test_commands import (
    IDLE,
    SURRENDER,
    kill_loser,
    play_rated_duel,
    resign_rated_duel,
)
from tests.duels.referees.acts.refereeing import make_referee, perform_act

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def codes_of(duel: Duel) -> set[str]:
    return set(ArchivedDuel.objects.get(duel=duel).codes.split())


def cast_and_counter(cast: Cast) -> Duel:
    """Let Bram's Counter-spell stop Ada's Cause Light Wounds, then let Ada resign."""
    duel = begin(cast.ada, cast.bram)
    for ada, bram in zip("WFP", "WPP", strict=True):
        play(duel, {cast.ada: hands(ada, "-"), cast.bram: hands(bram, "-", say="Abracadabra")})
    return endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)


def test_archive_row_has_codes_and_words_to_search_for(cast: Cast) -> None:
    duel = cast_and_counter(cast)
    codes = codes_of(duel)
    assert codes >= {
        "ruleset.bartle-1",
        "size.2",
        "way.surrender",
        "cast.counter_spell",
        "cast.cause_light_wounds",
        "countered",
        "countered.cause_light_wounds",
        "opening.WFP",
        "opening.WPP",
        "opening.---",
        "won",
        "lost",
        f"wizard.{cast.ada.pk}",
        f"lost.{cast.ada.pk}",
        f"won.{cast.bram.pk}",
    }
    row = ArchivedDuel.objects.get(duel=duel)
    assert (row.turns, row.rating, row.ended_at) == (4, None, NOW)
    assert {"counter", "spell", "wounds", "wizard"} <= set(row.words.split())


def test_guest_duels_moved_to_an_account_are_found_under_the_players_name(cast: Cast) -> None:
    guest = create_guest(key="a" * 64, now=NOW)
    duel, shared = begin(cast.ada, cast.cleo), begin(cast.bram, cast.cleo)
    Seat.objects.filter(wizard=cast.cleo).update(wizard=guest)
    for each in (duel, shared):
        endings.resign(duel_id=each.pk, wizard=guest, now=NOW)
    claim_guest(guest=guest, wizard=cast.bram)
    guests_codes = {f"lost.{guest.pk}", f"wizard.{guest.pk}"}
    assert {f"lost.{cast.bram.pk}", f"wizard.{cast.bram.pk}"} <= codes_of(duel)
    assert not guests_codes & codes_of(duel)
    assert guests_codes <= codes_of(shared), "the player was the guest's opponent"


def test_archive_row_contains_neither_names_nor_messages(cast: Cast) -> None:
    row = ArchivedDuel.objects.get(duel=cast_and_counter(cast))
    assert not {"ada", "bram", "abracadabra"} & set(row.words.split())


def test_archive_row_lists_the_monsters_that_were_summoned(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    for letter in "SFW":
        play(duel, {cast.ada: hands(letter, "-"), cast.bram: IDLE})
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert "monster.goblin" in codes_of(duel)


def play_draw(cast: Cast) -> Duel:
    duel = play_rated_duel(cast.ada, cast.bram)
    for wizard in (cast.ada, cast.bram):
        endings.offer_draw(duel_id=duel.pk, wizard=wizard, ordinal=None, now=NOW)
    return duel


def play_surrender(cast: Cast) -> Duel:
    duel = play_rated_duel(cast.ada, cast.bram)
    play(duel, {cast.ada: IDLE, cast.bram: SURRENDER})
    return duel


@pytest.mark.parametrize(
    ("end", "codes"),
    [
        (
            lambda cast: kill_loser(play_rated_duel(cast.ada, cast.bram), cast.ada, cast.bram),
            {"won", "way.kill"},
        ),
        (play_surrender, {"won", "way.surrender"}),
        (play_draw, {"drew", "way.draw"}),
    ],
    ids=["kill", "surrender", "draw"],
)
def test_archive_row_has_the_result_and_how_the_duel_ended(
    cast: Cast, end: Callable[[Cast], Duel], codes: set[str]
) -> None:
    assert codes <= codes_of(end(cast))


def test_archive_row_has_the_highest_rating_before_a_rated_duel(cast: Cast) -> None:
    resign_rated_duel(cast.ada, cast.bram)
    rematch = resign_rated_duel(cast.ada, cast.cleo)
    highest = max(row.value_before for row in rematch.rating_changes.all())
    assert ArchivedDuel.objects.get(duel=rematch).rating == round(highest) > 1500


def test_archive_row_stores_the_largest_number_of_spectators(cast: Cast) -> None:
    duel = play_rated_duel(cast.ada, cast.bram)
    for spectator in "abc":
        cached = poll_cache.read_cached_poll(duel.pk, "", spectator)
        poll_cache.count_spectator(duel.pk, spectator, cached)
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    assert ArchivedDuel.objects.get(duel=duel).watched == 3
    cache.clear()
    call_command("rebuild_archive", verbosity=0)
    assert ArchivedDuel.objects.get(duel=duel).watched == 3


def test_private_and_annulled_duels_are_not_archived(cast: Cast) -> None:
    resign_rated_duel(cast.ada, cast.bram, visibility="private", rated=False)
    perform_act(ActKind.ANNUL, make_referee(), play_rated_duel(cast.ada, cast.bram))
    assert not ArchivedDuel.objects.exists()


def test_annulment_and_rollback_remove_the_archive_row(cast: Cast) -> None:
    for kind, fields in ((ActKind.ANNUL, {}), (ActKind.ROLL_BACK, {"turn": "1"})):
        duel = resign_rated_duel(cast.ada, cast.bram)
        assert ArchivedDuel.objects.filter(duel=duel).exists()
        perform_act(kind, make_referee(), duel, **fields)
        assert not ArchivedDuel.objects.exists()


def test_rebuilding_the_archive_does_not_change_its_rows(cast: Cast) -> None:
    for end in (cast_and_counter, play_draw, play_surrender):
        end(cast)
    stale = resign_rated_duel(cast.ada, cast.bram)
    Duel.objects.filter(pk=stale.pk).update(status="annulled")
    found = list(ArchivedDuel.objects.exclude(duel=stale).order_by("duel").values())
    ArchivedDuel.objects.filter(duel=found[0]["duel_id"]).delete()
    ArchivedDuel.objects.filter(duel=found[1]["duel_id"]).update(codes="", words="", turns=9)
    call_command("rebuild_archive", verbosity=0)
    assert list(ArchivedDuel.objects.order_by("duel").values()) == found
