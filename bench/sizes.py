"""The amount of work that the bench does: one `Size`, which is passed to every part."""

from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True)
class Crowd:
    """Sizes of the two databases whose pages are compared, and numbers of requests to send."""

    small_duels: int
    full_duels: int
    requests: int  # requests sent one after the other
    readers: int  # simultaneous readers
    rounds: int  # requests made by each reader


@dataclass(frozen=True)
class Archive:
    """Numbers of finished duels on the two sites whose pages are compared, and of requests."""

    small_duels: int
    full_duels: int
    requests: int  # requests for each page in a round
    rounds: int


@dataclass(frozen=True)
class Deadlines:
    """The number of duels in the swept database, and of due deadlines in each sweep."""

    duels: int
    due: tuple[int, ...]


@dataclass(frozen=True)
class Load:
    """Numbers of players who duel at the same time, and the duration of each measurement."""

    players: tuple[int, ...]
    think: float  # mean seconds before a player acts
    seconds: float
    repeats: int  # requests for the bare page, and empty tasks, to compare the load with


@dataclass(frozen=True)
class Size:
    """The number of times that each part of the bench repeats its work."""

    engine_duels: int
    recordings_step: int  # every n-th recorded duel is replayed
    passes: int  # number of times that all prepared turns are resolved
    page_requests: int
    poll_requests: int
    hint_pairs: int
    hint_rounds: int
    pictures: int
    email_duels: int  # duels; two emails announce the start of each duel
    post_duels: int  # duels; two emails report one turn of each duel
    worker_duels: int
    silent_duels: int
    silent_rounds: int
    browser_turns: int
    rating_seasons: int
    crowd: Crowd | None = None
    archive: Archive | None = None
    deadlines: Deadlines | None = None
    load: Load | None = None


USUAL_SIZE: Final = Size(
    engine_duels=2_000,
    recordings_step=4,
    passes=5,
    page_requests=200,
    poll_requests=400,
    hint_pairs=64,
    hint_rounds=3,
    pictures=10,
    email_duels=100,
    post_duels=10,
    worker_duels=11,
    silent_duels=100,
    silent_rounds=3,
    browser_turns=7,
    rating_seasons=12,
)
FULL_SIZE: Final = replace(
    USUAL_SIZE,
    crowd=Crowd(small_duels=700, full_duels=20_000, requests=25, readers=50, rounds=3),
    archive=Archive(small_duels=10_000, full_duels=100_000, requests=7, rounds=3),
    deadlines=Deadlines(duels=50_000, due=(0, 100, 10_000)),
    load=Load(players=tuple(range(10, 201, 10)), think=5, seconds=30, repeats=1_000),
)
# For the test that runs every part. At this size, times are meaningless, but counts and bytes are
# the same as in `USUAL_SIZE`.
SMALLEST_SIZE: Final = Size(
    engine_duels=8,
    recordings_step=400,
    passes=1,
    page_requests=1,
    poll_requests=1,
    hint_pairs=1,
    hint_rounds=1,
    pictures=1,
    email_duels=1,
    post_duels=1,
    worker_duels=2,
    silent_duels=2,
    silent_rounds=1,
    browser_turns=1,
    rating_seasons=1,
    # The same numbers everywhere, so that each comparison fills one database and starts one site.
    crowd=Crowd(small_duels=40, full_duels=40, requests=1, readers=1, rounds=1),
    archive=Archive(small_duels=1_000, full_duels=1_000, requests=1, rounds=1),
    deadlines=Deadlines(duels=40, due=(0, 2)),
)
SMALLEST_LOAD: Final = Load(players=(2,), think=0, seconds=2, repeats=2)
SIZES: Final = {"smallest": SMALLEST_SIZE, "usual": USUAL_SIZE, "full": FULL_SIZE}
