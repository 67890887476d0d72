"""A crowd of players in threads of this process."""

import random
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import cycle
from statistics import median, quantiles

from bench.output import Figure
from tests.faults import prepared_duels
from tests.faults.ledger import Ledger, SharedDuel
from tests.faults.players import Client, Player
from tests.faults.site import SupervisedSite


class Crowd:
    """Pairs of players and a group of three. Their duels use all rulesets in turn.

    `think` is the mean number of seconds before a player acts.
    """

    def __init__(
        self, site: SupervisedSite, ledger: Ledger, seed: int, pairs: int, *, think: float = 0
    ) -> None:
        self.site, self.is_over = site, threading.Event()
        groups = [[f"Player{number}{letter}" for letter in "AB"] for number in range(pairs)]
        groups.append([f"Trio{letter}" for letter in "ABC"])
        self.absent = ("AbsentA", "AbsentB")
        names = [name for group in groups for name in group]
        sessions = site.call(prepared_duels.make_players, [*names, *self.absent])
        rulesets = site.call(prepared_duels.ruleset_ids)
        self.threads: list[threading.Thread] = []
        for number, group in enumerate(groups):
            luck = random.Random(f"{seed} {number}")
            players = [
                Player(
                    Client(site.url, sessions[name], ledger),
                    name,
                    random.Random(luck.random()),
                    think,
                )
                for name in group
            ]
            offered = rulesets[number % len(rulesets) :] + rulesets[: number % len(rulesets)]
            self.threads.append(self._daemon_thread(self._play, players, offered))

    def start(self, groups: int | None = None) -> None:
        """Start the threads of the first groups, or of all groups."""
        for thread in self.threads[:groups]:
            if not thread.is_alive():
                thread.start()

    def stop(self) -> None:
        self.is_over.set()
        for thread in self.threads:
            if thread.is_alive():
                thread.join()

    def _daemon_thread(self, function: Callable[..., None], *args: object) -> threading.Thread:
        """Return a daemon thread, which does not keep an interrupted run alive."""
        return threading.Thread(target=function, args=args, daemon=True)

    def _play(self, players: Sequence[Player], rulesets: Sequence[str]) -> None:
        for ruleset in cycle(rulesets):
            if self.is_over.is_set():
                return
            with suppress(RuntimeError):  # the database may be down: try again
                names = [player.name for player in players]
                duel = SharedDuel(*self.site.call(prepared_duels.begin_duel, names, ruleset))
                playing = [
                    self._daemon_thread(player.play, duel, self.is_over) for player in players
                ]
                for thread in playing:
                    thread.start()
                for thread in playing:
                    thread.join()


def time_figures(when: str, waits: Sequence[float]) -> Iterator[Figure]:
    """Yield the times from a turn's last seal until a player sees the next turn."""
    yield f"turns_{when}", len(waits), "turns"
    if len(waits) > 1:
        yield f"seal_to_turn_{when}_median_s", median(waits), "s"
        yield f"seal_to_turn_{when}_p95_s", quantiles(waits, n=20, method="inclusive")[-1], "s"
        yield f"seal_to_turn_{when}_max_s", max(waits), "s"
