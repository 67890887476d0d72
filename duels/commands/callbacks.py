"""Lists of functions that apps register when they are loaded, so that commands do not depend on the
apps' models. Each function runs in the transaction of its command."""

from collections.abc import Callable
from datetime import datetime
from typing import Final, Protocol, TypeVar

from duels.commands.duel_end import EndStep
from duels.models import Duel, Turn, User, Wizard

Registered = TypeVar("Registered")


class Registry(list[Registered]):
    """A list to which apps add entries. Adding an entry again has no effect."""

    def add(self, entry: Registered) -> None:
        if entry not in self:
            self.append(entry)


class ClosingCallback(Protocol):
    def __call__(self, *, user: User, now: datetime) -> object: ...


class GuestClaimCallback(Protocol):
    def __call__(self, *, guest: Wizard, wizard: Wizard) -> object: ...


before_account_closing: Final = Registry[ClosingCallback]()  # called before an account is closed
# Delete a user's data, at the beginning and at the end of closing the account.
account_data_deletions: Final = Registry[ClosingCallback]()
# Called when a player gets a guest's duels.
guest_claim_callbacks: Final = Registry[GuestClaimCallback]()
acceptance_checks: Final = Registry[Callable[[Duel, Wizard], object]]()  # each may raise `Refused`
duel_start_callbacks: Final = Registry[Callable[[Duel, Turn, datetime], object]]()
duel_end_steps: Final = Registry[EndStep]()  # run after the steps of `commands.end_steps`
