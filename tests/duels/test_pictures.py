"""Pictures in previews of shared links: contents, who may see them, and caching."""

import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from django.test import Client
from PIL import Image, ImageChops, ImageOps
from redis.exceptions import ConnectionError as NoConnection

import engine.words
from duels.accounts.names import ALPHABETS
from duels.caching.volatile import cache
from duels.commands import endings
from duels.models import Duel, Wizard
from duels.pictures import lettering, palette
from duels.pictures.columns import HEIGHT, WIDTH
from duels.pictures.heads import caption
from duels.pictures.painting import paint_scene
from duels.pictures.scene import HISTORY_ROWS, Duellist, Scene
from duels.queries.pictures import picture_moment
from duels.screens.parts.headlines import MAX_HEADLINE_LENGTH, UNEVENTFUL_TURN_HEADLINE, headline
from duels.screens.picture.views import scene
from duels.standing.history import HistoryRow
from engine.play import Cell, Row
from tests.cast import NOW, Cast, begin, hands, play, seal, signed_in

IDLE = hands("-", "-")
MARGIN_WIDTH = 40  # width in pixels of the margin, which contains only the frame
LONGEST_NAME = "W" * 24
SPELLS = {"shield": "Shield", "missile": "Shield"}


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    cache.clear()


def make_scene(wizards: int = 2, rows: int = HISTORY_ROWS, name: str = "Ada") -> Scene:
    """Return a scene with this many wizards, who have all cast shields."""
    pairs = (Row(Cell("P", spell="shield"), Cell("-")),) * wizards
    return Scene(
        title=f"{wizards} wizards",
        place="Turn 8",
        headline="Ada casts Shield on herself.",
        duellists=tuple(Duellist(name, seat, 3, 15) for seat in range(wizards)),
        rows=tuple(
            HistoryRow(n, 1, str(n), "", pairs, (False,) * wizards) for n in range(1, rows + 1)
        ),
        spells=SPELLS,
    )


def open_picture(picture: bytes) -> Image.Image:
    return Image.open(io.BytesIO(picture)).convert("RGB")


# Painting


@pytest.mark.parametrize("wizards", range(2, 9))
@pytest.mark.parametrize("rows", [0, 1, HISTORY_ROWS])
def test_picture_is_a_png_of_the_stated_size(wizards: int, rows: int):
    picture = paint_scene(make_scene(wizards, rows))
    opened = Image.open(io.BytesIO(picture))
    assert (opened.format, opened.size) == ("PNG", (1200, 630))
    assert len(picture) < 150_000


def test_same_scene_always_gives_the_same_picture():
    assert paint_scene(make_scene()) == paint_scene(make_scene())


ADA, BRAM = make_scene().duellists
FIRST_ROW, *OTHER_ROWS = make_scene().rows
CHANGED_SCENES = {
    "a name": replace(make_scene(), duellists=(replace(ADA, name="Cleo"), BRAM)),
    "damage": replace(make_scene(), duellists=(replace(ADA, damage=4), BRAM)),
    "unknown damage": replace(make_scene(), duellists=(replace(ADA, damage=None), BRAM)),
    "an end": replace(make_scene(), duellists=(replace(ADA, state="dead"), BRAM)),
    "a monster": replace(make_scene(), duellists=(replace(ADA, monsters=("ogre",)), BRAM)),
    "another one": replace(make_scene(), duellists=(replace(ADA, monsters=("troll",)), BRAM)),
    "the turn": replace(make_scene(), place="Turn 9"),
    "what happened": replace(make_scene(), headline="Bram dies."),
    "a label": replace(make_scene(), rows=(replace(FIRST_ROW, label="1″"), *OTHER_ROWS)),
    "a break": replace(make_scene(), rows=(replace(FIRST_ROW, broken=(True, False)), *OTHER_ROWS)),
    "an empty place": replace(
        make_scene(), rows=(replace(FIRST_ROW, pairs=(None, None)), *OTHER_ROWS)
    ),
    "a spell's name": replace(make_scene(), spells={"shield": "Missile"}),
} | {
    f"a hand: {cell}": replace(
        make_scene(),
        rows=(replace(FIRST_ROW, pairs=(Row(cell, Cell("-")), FIRST_ROW.pairs[1])), *OTHER_ROWS),
    )
    for cell in (
        *(Cell(letter) for letter in "FPSWDC>-?"),
        Cell("C", "half_clap"),
        Cell("P", spell="missile"),
    )
}


def test_every_change_of_a_scene_changes_the_picture():
    pictures = {what: paint_scene(scene) for what, scene in CHANGED_SCENES.items()} | {
        "it": paint_scene(make_scene())
    }
    assert len(set(pictures.values())) == len(pictures)


def count_differing_pixels(one: Image.Image, other: Image.Image) -> int:
    """Return the number of pixels that differ visibly between two pictures."""
    shades = ImageChops.difference(one, other).convert("L").histogram()
    return sum(shades[32:])


def test_gestures_of_the_right_hand_are_mirrored():
    palm = Row(Cell("P"), Cell("P"))
    picture = open_picture(
        paint_scene(replace(make_scene(), rows=(replace(FIRST_ROW, pairs=(palm, palm)),)))
    )
    left, right = (picture.crop((x, 218, x + 30, 248)) for x in (130, 388))
    assert count_differing_pixels(left, right) > 60
    assert count_differing_pixels(ImageOps.mirror(left), right) < 20


@pytest.mark.parametrize("wizards", [2, 3, 4, 5, 8])
def test_contents_of_a_picture_do_not_overlap_its_edge(wizards: int):
    """The names are as long as possible, and there are more monsters and text than fit."""
    long = make_scene(wizards, name=LONGEST_NAME)
    full = replace(
        long,
        title=LONGEST_NAME * 3,
        place="Extra turn 123 · " + "rules " * 4,
        headline="word " * 100,
        duellists=tuple(replace(each, monsters=("giant",) * 9) for each in long.duellists),
    )
    picture, plain = open_picture(paint_scene(full)), open_picture(paint_scene(make_scene(wizards)))
    inner = (MARGIN_WIDTH, MARGIN_WIDTH, WIDTH - MARGIN_WIDTH, HEIGHT - MARGIN_WIDTH)
    for each in (picture, plain):
        each.paste((0, 0, 0), inner)
    assert count_differing_pixels(picture, plain) == 0


def test_long_names_in_a_picture_do_not_touch_each_other():
    """The gap between two wizards' names is as wide as that between their columns."""
    picture = open_picture(paint_scene(make_scene(8, name=LONGEST_NAME)))
    for seat in range(1, 8):
        x = 54 + 62 + round(seat * (WIDTH - 2 * 54 - 62) / 8)
        gap = picture.crop((x - 2, 152, x + 3, 200))
        assert gap.getcolors() == [(5 * 48, gap.getpixel((0, 0)))], seat


# Signs and letters


def test_picture_colours_are_those_of_the_light_scheme():
    """The test reads these colours from the style sheet, which defines them."""
    css = Path("static/css/variables.css").read_text("utf-8")
    for seat in range(8):
        assert f"--seat-{seat}: light-dark({palette.SEAT_COLOURS[seat]}," in css
    assert len(set(palette.SEAT_COLOURS)) == 8
    edge = open_picture(paint_scene(make_scene())).crop((0, 0, WIDTH, 10))
    assert count_differing_pixels(edge, Image.new("RGB", edge.size, palette.PAPER)) == 0


@pytest.mark.parametrize("name", ["Ada-7", "Łucja", "Đặng Trần", "Ελένη", "Мерлин", "Ўлугбек"])
def test_names_in_scripts_of_the_font_are_painted_completely(name: str):
    assert lettering.has_font_for(name)
    assert caption(Duellist(name, 0, 0, 15)) == name
    without = [lettering.text_width(name.replace(letter, "", 1), 40) for letter in set(name)]
    assert max(without) < lettering.text_width(name, 40)


@pytest.mark.parametrize("name", ["魔法使い", "מרלין", "ალქიმიკოსი"])
def test_number_of_the_seat_replaces_a_name_that_the_font_cannot_show(name: str):
    assert len(ALPHABETS) > 3  # scripts that names can use
    assert caption(Duellist(name, 2, 0, 15)) == "Wizard III"
    by_name = replace(
        make_scene(rows=0), headline=f"{name} dies.", duellists=(replace(ADA, name=name), BRAM)
    )
    by_seat = replace(by_name, headline="Wizard I dies.")
    assert paint_scene(by_name) == paint_scene(by_seat)


# Headlines


def make_report(*lines: tuple[str, str]) -> engine.words.TurnReport:
    return engine.words.TurnReport(
        1, 1, "normal", tuple(engine.words.Line(code, text, "", "") for code, text in lines)
    )


def test_headline_of_a_picture_has_the_most_important_events_in_order():
    report = make_report(
        ("spoke", "Ada: mine."),
        ("cast", "A casts."),
        ("hit", "A hits."),
        ("died", "B dies."),
        ("won", "A wins."),
    )
    assert headline(report) == "B dies. A wins."
    assert (
        headline(make_report(("hit", "A hits."), ("hit", "A hits."), ("cast", "C.")))
        == "A hits. C."
    )
    assert headline(make_report(("cast", "A casts."), ("wounded", "B has 3."))) == "A casts."


def test_headline_of_a_picture_is_short():
    long = "x" * MAX_HEADLINE_LENGTH
    assert headline(make_report(("hit", long), ("died", "B dies."))) == "B dies."
    assert headline(make_report(("hit", long), ("hit", f"{long}y"))) == long


@pytest.mark.parametrize("report", [None, make_report(), make_report(("spoke", "Ada: hello."))])
def test_headline_of_a_picture_says_that_nothing_happened_in_a_turn(
    report: engine.words.TurnReport | None,
):
    assert headline(report) == UNEVENTFUL_TURN_HEADLINE


# Visibility


def left_gestures(duel: Duel, ordinal: int | None = None) -> str:
    """Return the gestures of Ada's left hand in the picture."""
    at = picture_moment(duel, ordinal)
    assert at is not None
    shown = scene(duel, at)
    return "".join(row.pairs[0].left.letter for row in shown.rows if row.pairs[0])


def duel_with_invisible_ada(cast: Cast) -> Duel:
    """Return a running duel in which Ada is invisible and has then made a D."""
    duel = begin(cast.ada, cast.bram)
    for left, right in (("P", "S"), ("P", "D"), ("W", "W"), ("S", "S")):
        play(duel, {cast.ada: hands(left, right), cast.bram: IDLE})
    play(duel, {cast.ada: hands("D", "F"), cast.bram: IDLE})
    return duel


def test_picture_shows_only_what_a_spectator_sees(cast: Cast):
    """Promise 2: even Ada sees only that, because all viewers share one picture."""
    duel = duel_with_invisible_ada(cast)
    assert left_gestures(duel).endswith("S?")
    assert left_gestures(duel, 5).endswith("S?")
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    duel.refresh_from_db()
    assert left_gestures(duel).endswith("SD")
    assert left_gestures(duel, 5).endswith("SD")


def fetch_pictures(duel: Duel, viewer: Wizard | None) -> list[tuple[bytes, str]]:
    client = signed_in(viewer) if viewer else Client()
    paths = (f"/duels/{duel.pk}/grid.png", f"/duels/{duel.pk}/turns/1/grid.png")
    return [(answer.content, answer["ETag"]) for answer in map(client.get, paths)]


def test_picture_does_not_depend_on_sealed_orders(cast: Cast):
    """Promise 1: even the wizard who sealed the orders gets the same picture."""
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("W", "F"), cast.bram: IDLE})
    seen, previous = [], ""
    for orders in (hands("P", "W"), hands("-", "-", say="hush"), hands("P", "P")):
        previous = seal(duel, cast.bram, orders, form_seal=previous).commitment
        cache.clear()
        seen += [fetch_pictures(duel, viewer) for viewer in (cast.ada, cast.bram, cast.cleo, None)]
    assert all(each == seen[0] for each in seen)


def test_picture_of_a_past_turn_does_not_show_the_next_turn(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("W", "F"), cast.bram: IDLE})
    (_, now), (_, then) = fetch_pictures(duel, None)
    assert now == then
    before = fetch_pictures(duel, None)[1]
    play(duel, {cast.ada: hands("S", "F"), cast.bram: IDLE})
    cache.clear()
    (newer, tag), after = fetch_pictures(duel, None)
    assert after == before
    assert newer != after[0]
    assert tag != after[1]


def test_picture_of_a_private_duel_is_shown_only_to_its_wizards(cast: Cast):
    duel = begin(cast.ada, cast.bram, visibility="private")
    play(duel, {cast.ada: hands("W", "F"), cast.bram: IDLE})
    for path in (f"/duels/{duel.pk}/grid.png", f"/duels/{duel.pk}/turns/1/grid.png"):
        for wizard in (cast.ada, cast.bram):
            answer = signed_in(wizard).get(path)
            assert answer.status_code == 200
            assert answer["Cache-Control"].startswith("private, ")
        for client in (signed_in(cast.dorn), Client()):
            assert client.get(path).status_code == 404


@pytest.mark.parametrize("ordinal", [0, 2, 99])
def test_turn_that_has_not_been_played_has_no_picture(cast: Cast, client: Client, ordinal: int):
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("W", "F"), cast.bram: IDLE})
    assert client.get(f"/duels/{duel.pk}/turns/{ordinal}/grid.png").status_code == 404
    assert client.get("/duels/999/grid.png").status_code == 404


def test_the_picture_before_the_first_turn_has_an_empty_grid(cast: Cast, client: Client):
    duel = begin(cast.ada, cast.bram)
    at = picture_moment(duel)
    assert at is not None
    shown = scene(duel, at)
    assert (shown.rows, shown.place) == ((), "Before turn 1 · rules of Bartle")
    assert "face each other" in shown.headline
    assert client.get(f"/duels/{duel.pk}/grid.png").status_code == 200


def test_picture_of_a_finished_duel_shows_its_result(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("W", "F"), cast.bram: IDLE})
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    duel.refresh_from_db()
    at = picture_moment(duel)
    assert at is not None
    shown = scene(duel, at)
    assert "Bram wins" in shown.headline
    assert [each.state for each in shown.duellists] == ["resigned", ""]
    past = picture_moment(duel, 1)
    assert past is not None
    assert [each.state for each in scene(duel, past).duellists] == ["", ""]


# Caching


@pytest.fixture
def picture_path(cast: Cast) -> str:
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("W", "F"), cast.bram: IDLE})
    return f"/duels/{duel.pk}/turns/1/grid.png"


def test_request_for_an_unchanged_picture_returns_304(client: Client, picture_path: str):
    answer = client.get(picture_path)
    again = client.get(picture_path, headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == answer["ETag"]
    assert again["Cache-Control"] == answer["Cache-Control"]


def test_picture_is_painted_once_then_cached(
    client: Client, picture_path: str, monkeypatch: pytest.MonkeyPatch
):
    first = client.get(picture_path).content

    def fail_to_paint(scene: Scene) -> bytes:
        raise AssertionError("painted again")

    monkeypatch.setattr("duels.pictures.painting.paint_scene", fail_to_paint)
    assert client.get(picture_path).content == first


def test_picture_is_painted_even_without_a_cache(
    client: Client, picture_path: str, monkeypatch: pytest.MonkeyPatch
):
    class Away:
        def get(self, name: str) -> None:
            raise NoConnection("nobody listens")

    monkeypatch.setattr("duels.screens.picture.views.cache", Away())
    assert client.get(picture_path).status_code == 200


def test_current_pictures_are_cached_briefly_and_versioned_ones_permanently(
    cast: Cast, client: Client
):
    """The address of a versioned picture contains a hash of it; other pictures may still change."""
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("W", "F"), cast.bram: IDLE})
    now, then = f"/duels/{duel.pk}/grid.png", f"/duels/{duel.pk}/turns/1/grid.png"
    assert client.get(now)["Cache-Control"] == "public, max-age=60"
    assert client.get(then)["Cache-Control"] == "public, max-age=60"
    html = client.get(f"/duels/{duel.pk}/turns/1/").content.decode()
    found = re.search(r'og:image" content="http://[^/]+(/[^"]+)"', html)
    assert found
    assert client.get(found[1])["Cache-Control"] == "public, max-age=31536000, immutable"
    assert client.get(f"{then}?v=other")["Cache-Control"] == "public, max-age=60"
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    assert client.get(then)["Cache-Control"] == "public, max-age=86400"
    assert client.get(found[1])["Cache-Control"] == "public, max-age=86400"  # public after the end


def test_a_public_picture_does_not_depend_on_cookies(
    client: Client, cast: Cast, picture_path: str, django_assert_max_num_queries
):
    """Otherwise, shared caches could not keep the picture for everyone."""
    client.get(picture_path)
    for each in (client, signed_in(cast.ada)):
        with django_assert_max_num_queries(3):
            answer = each.get(picture_path)
        assert "Cookie" not in answer.get("Vary", "")


def test_picture_does_not_show_the_name_of_a_closed_account(
    cast: Cast, client: Client, picture_path: str
):
    """Closing the account also changes the address of the picture."""
    before = client.get(picture_path)
    Wizard.objects.filter(pk=cast.ada.pk).update(name="Departed 1")
    assert client.get(picture_path)["ETag"] != before["ETag"]
