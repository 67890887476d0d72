"""A ZIP archive of all data stored about an account, as JSON, for its owner only.

The archive does not contain passwords, keys, codes or tokens, so a leaked archive does not give
access to any account. It does contain the addresses of webhooks, and anyone who has such an address
can post to its chat.
"""

import json
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core.serializers.json import DjangoJSONEncoder

from duels.feeds import public as feeds
from duels.matching.public import exported_availability
from duels.messages.public import exported_messages
from duels.models import Act, User, Wizard
from duels.post import public as post
from duels.push import public as push
from duels.queries.export import exported_duels, exported_wizard
from duels.ratings import public as ratings
from duels.referees.models import Appeal, Case, Note, Objection
from duels.replies import public as replies
from duels.webhooks import public as webhooks

MAX_BYTES_IN_MEMORY: Final = 4_000_000  # bytes; larger archives are written to a temporary file
MAIL_CHOICE: Final = ("when", "hour", "though_here", "words", "followed", "messages")
PUSH_CHOICE: Final = ("turns", "reminders", "messages")
README: Final = """\
All data that Spellcaster stores about you, as JSON. Times are in UTC.

account.json        when you signed up, your addresses and second factors, and where you are
                    signed in
wizard.json         your wizard and its settings, the wizards you block or mute, the markers you
                    won and lost, and the duels that you are open to
duels/NUMBER.json   each of your duels and challenges: its terms, your sealed orders (with the
                    salts that prove the commitments), your drafts and messages
ratings.json        the results of your rated duels, and the changes in your ratings
mails.json          emails about your duels, your email settings, and your replies
feeds.json          when your calendar got its address, the wizards and duels you follow, and
                    your private notes on wizards
messages.json       your private messages
webhooks.json       your webhooks with their addresses, and the latest responses
notifications.json  the devices with notifications, and what was sent to them
disputes.json       your disputes, reports and appeals, and referees’ acts that concern you

The archive does not contain passwords, keys or codes. Keep it private anyway, because anyone who
has the address of a webhook can write to its chat. You can download the full record of a finished
duel on the duel’s page.
"""


def data_archive(user: User) -> IO[bytes]:
    """Return the archive as a file, positioned at its start."""
    file = SpooledTemporaryFile(max_size=MAX_BYTES_IN_MEMORY)  # noqa: SIM115  # the response closes it
    with ZipFile(file, "w", ZIP_DEFLATED) as packed:
        packed.writestr("README.txt", README)
        for name, value in _archive_files(user):
            packed.writestr(name, as_json(value))
    file.seek(0)
    return file


def as_json(value: Any) -> str:
    """Return the value as indented JSON that both people and programs can read."""
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)


def _archive_files(user: User) -> Iterator[tuple[str, Any]]:
    yield "account.json", _account_data(user)
    wizard = Wizard.objects.filter(user=user).first()
    if wizard is None:
        return
    open_to = exported_availability(wizard)
    yield "wizard.json", {**exported_wizard(wizard), "open_to_duels": open_to}
    yield "ratings.json", ratings.exported_ratings(wizard)
    yield "feeds.json", feeds.exported_feeds(wizard)
    yield "messages.json", exported_messages(wizard)
    yield "webhooks.json", webhooks.exported_webhooks(wizard)
    yield "mails.json", _email_data(wizard)
    yield "notifications.json", _notification_data(wizard)
    yield "disputes.json", _dispute_data(wizard)
    for duel in exported_duels(wizard):
        yield f"duels/{duel['duel']}.json", duel


def _account_data(user: User) -> dict[str, Any]:
    addresses = EmailAddress.objects.filter(user=user).order_by("-primary", "pk")
    factors = Authenticator.objects.filter(user=user).order_by("pk")
    sessions = UserSession.objects.filter(user=user).order_by("pk")
    return {
        "email": user.email,
        "signed_up_at": user.date_joined,
        "last_signed_in_at": user.last_login,
        "groups": [group.name for group in user.groups.order_by("name")],
        "addresses": list(addresses.values("email", "verified", "primary")),
        "second_factors": [
            {
                "kind": factor.type,
                "name": str(factor),
                "created_at": factor.created_at,
                "last_used_at": factor.last_used_at,
            }
            for factor in factors
        ],
        "sessions": list(sessions.values("created_at", "ip", "user_agent")),
    }


def _email_data(wizard: Wizard) -> dict[str, Any]:
    choice = post.mail_choice(wizard)
    sent = post.Notice.objects.filter(wizard=wizard).order_by("pk")
    answered = replies.Reply.objects.filter(wizard=wizard).order_by("pk")
    return {
        "choice": {name: getattr(choice, name) for name in MAIL_CHOICE},
        "choices_for_duels": list(wizard.duel_mail_choices.order_by("pk").values("duel", "when")),
        "mails": list(sent.values("kind", "duel", "turn", "status", "created_at", "sent_at")),
        "addresses_turned_off": [
            {"address": row.address, "since": row.since, "cause": row.cause, "answer": row.answer}
            for row in post.silenced_addresses(wizard)
        ],
        "bounces": list(wizard.unclear_bounces.order_by("pk").values("address", "sent_at")),
        "replies": list(answered.values("turn__duel", "turn__ordinal", "outcome", "received_at")),
    }


def _notification_data(wizard: Wizard) -> dict[str, Any]:
    choice = push.push_choice(wizard)
    sent = push.Push.objects.filter(wizard=wizard).order_by("pk")
    devices = push.devices(wizard).values("device", "created_at", "last_success_at")
    return {
        "choice": {name: getattr(choice, name) for name in PUSH_CHOICE},
        "devices": list(devices),
        "notifications": list(
            sent.values("kind", "device", "duel", "turn", "status", "created_at", "sent_at")
        ),
    }


def _dispute_data(wizard: Wizard) -> dict[str, Any]:
    cases = Case.objects.filter(opened_by=wizard).order_by("pk")
    acts = Act.objects.filter(wizard_id=wizard.pk).order_by("pk")
    said = Note.objects.filter(wizard=wizard).order_by("pk")
    appeals = Appeal.objects.filter(wizard=wizard).order_by("pk")
    objections = Objection.objects.filter(wizard=wizard).order_by("pk")
    return {
        "cases": list(
            cases.values(
                "pk",
                "kind",
                "duel",
                "ordinal",
                "category",
                "rule",
                "words",
                "status",
                "opened_at",
                "ended_at",
            )
        ),
        "appeals": list(appeals.values("case", "words", "at", "withdrawn_at")),
        "objections": list(objections.values("case", "referee_name", "words", "at")),
        "said": list(said.values("case", "words", "at")),
        "acts_of_referees": list(acts.values("kind", "duel", "turn", "reason", "at")),
    }
