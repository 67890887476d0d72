"""Effects of bounces with each status code, at once or after several days."""

from datetime import timedelta

import pytest

from duels.models import OutboxStatus
from duels.post.bounce_address import make_bounce_address
from duels.post.commands import bouncing, delivering
from duels.post.models import Notice, UnclearBounce
from duels.post.queries import address_of
from duels.replies.public import ReplyOutcome, receive_email
from tests.cast import LATER, Cast, challenge
from tests.duels.replies.bounce_emails import ADA_ADDRESS, bounce_bytes

pytestmark = pytest.mark.usefixtures("bounces_are_on")


def receive_bounce_with_status(notice: Notice, status: str, sentence: str) -> ReplyOutcome:
    """Receive a bounce with this status code and this response of the rejecting server."""
    content = bounce_bytes("postfix_no_such_user", make_bounce_address(notice.pk, ADA_ADDRESS))
    old = b"Status: 5.1.1"
    assert content.count(old) == 1
    content = content.replace(old, f"Status: {status}".encode())
    diagnosis = b"550 5.1.1 <ada@example.org>: Recipient address rejected: User unknown\n\n--"
    assert content.count(diagnosis) == 1
    return receive_email(raw=content.replace(diagnosis, f"{sentence}\n\n--".encode()), now=LATER)


@pytest.mark.parametrize(
    ("status", "sentence", "is_off"),
    [
        ("5.1.1", "550 5.1.1 User unknown", True),
        ("5.1.2", "550 5.1.2 Bad destination", True),
        ("5.1.3", "553 5.1.3 Syntax", True),
        ("5.1.6", "551 5.1.6 Moved", True),
        ("5.1.10", "556 5.1.10 Null MX", True),
        ("5.0.0", "550 no such user here", True),
        ("5.0.0", "550 5.1.1 ada", True),
        ("5.1.351", "550 5.1.351 Remote server returned unknown recipient", True),
        ("5.1.1", "550 5.1.1 Message refused: 192.0.2.10 is on a blacklist", False),
        ("5.1.1", "550 5.1.1 Rejected according to the recipient's preferences", False),
        ("5.1.1", "550 5.1.1 This mailbox is temporarily suspended", False),
        ("5.1.1", "550 5.1.1 The account has been disabled or is inactive", False),
        ("5.1.1", "550 5.1.1 Your message cannot be delivered: mailbox full", False),
        ("5.1.1", "550 5.1.1 Relaying of emails for this domain denied", False),
        ("5.1.1", "550 5.1.1 User unknown. We do not relay.", False),
        ("5.1.1", "550 5.1.1 User unknown in relay recipient table", True),
        ("5.1.1", "550 5.1.1 User unknown [relay-2.example.org]", True),
        ("5.1.1", "550 5.1.1 User unknown, says relay1.example.org", True),
        ("5.1.1", "550 5.1.1 User unknown or account disabled", True),
        ("5.1.1", "550 5.1.1 The account does not exist. Check it and try again", True),
        ("5.1.0", "553 5.1.0 duels.example does not exist (in reply to MAIL FROM)", False),
        ("5.0.0", "550 User unknown", True),
        ("5.0.0", "550 Mailbox full", False),
        ("5.0.0", "554 rejected", False),
        ("5.0.0", "Name service error for example.org: Host not found, try again", False),
        ("5.0.0", "550 host mx.example.org not found", True),
        ("5.0.0", "550 <ada@example.org>... Addressee unknown, relay=[192.0.2.1]", True),
        ("5.0.0", "550-<ada@example.org> is not a known user here; 550 see our page", True),
        ("5.0.0", "550 BAD_RECIPIENT: see our page", True),
        ("5.0.0", "550 ** No mail box available for this user **", True),
        ("5.0.0", "User Ada (ada@example.org) not listed in Domino Directory", True),
        ("5.0.0", "554 ada doesn't have an example.org account", True),
        ("5.0.0", "554 You do not have a business account", False),
        ("5.0.0", "550 User not exist", True),
        ("5.0.0", "550 The address is no longer valid", True),
        ("5.0.0", "550 The mailbox no longer accepts so many emails", False),
        ("5.0.0", "550 Invalid final delivery userid", True),
        ("5.0.0", "The MX record of example.org indicated no SMTP service", True),
        ("5.0.0", "550 Mailbox not found. Correct the address and try again.", True),
        ("5.0.0", "550 Mailbox not found at the moment, please try again", False),
        ("5.0.0", "550 Requested action not taken: mailbox unavailable", False),
        ("5.1.8", "550 5.1.8 Domain of sender address does not exist", False),
        ("5.2.1", "550 5.2.1 The account is disabled", False),
        ("5.2.2", "552 5.2.2 Over quota", False),
        ("5.2.3", "552 5.2.3 Message too large", False),
        ("5.3.4", "552 5.3.4 Message too large", False),
        ("5.4.4", "", False),
        ("5.4.7", "Delivery time expired", False),
        ("5.6.1", "554 5.6.1 Media not supported", False),
        ("5.7.1", "554 5.7.1 User unknown or spam", False),
        ("5.7.26", "550 5.7.26 Unauthenticated email is not accepted", False),
        ("5.7.708", "550 5.7.708 Access denied, traffic not accepted", False),
    ],
)
def test_address_is_turned_off_at_once_only_if_it_does_not_exist(
    notice: Notice, cast: Cast, status: str, sentence: str, is_off: bool
):
    assert (
        receive_bounce_with_status(notice, status, sentence) == ReplyOutcome.CAME_BACK
    ) == is_off
    assert (address_of(cast.ada) == "") == is_off


def add_notices_on_days(cast: Cast, *days: int) -> list[Notice]:
    """Return all notices whose emails were sent to Ada, after adding one for each of these days."""
    for day in days:
        challenge(cast.bram, cast.ada, now=LATER + timedelta(days=day))
    for each in Notice.objects.filter(wizard=cast.ada, status=OutboxStatus.QUEUED):
        Notice.objects.filter(pk=each.pk).update(sent_at=each.created_at, status=OutboxStatus.SENT)
    return list(Notice.objects.filter(wizard=cast.ada).order_by("pk"))


def test_ambiguous_bounces_on_several_days_turn_off_the_address(cast: Cast):
    """An outage of one evening causes many bounces, but not on several days."""
    notices = add_notices_on_days(cast, 0, 0, 0, 0, 1, 2, 3)
    for each in notices[:5]:
        assert receive_bounce_with_status(each, "5.2.1", "550 disabled") == ReplyOutcome.AUTOMATIC
        assert receive_bounce_with_status(each, "5.2.1", "550 disabled") == ReplyOutcome.AUTOMATIC
    assert receive_bounce_with_status(notices[5], "5.7.1", "550 spam") == ReplyOutcome.AUTOMATIC
    assert address_of(cast.ada) == ADA_ADDRESS
    assert receive_bounce_with_status(notices[6], "5.4.4", "") == ReplyOutcome.CAME_BACK
    assert address_of(cast.ada) == ""


def test_address_is_not_turned_off_at_once_if_a_forwarded_email_bounces(notice: Notice):
    content = bounce_bytes("postfix_no_such_user", make_bounce_address(notice.pk, ADA_ADDRESS))
    forwarded = content.replace(b"ada@example.org", b"ada@elsewhere.example")
    assert receive_email(raw=forwarded, now=LATER) == ReplyOutcome.AUTOMATIC
    assert UnclearBounce.objects.count() == 1


def test_old_unclear_bounces_do_not_count_after_the_address_is_turned_on(cast: Cast):
    first, *others, last = add_notices_on_days(cast, 0, 1, 2, 3, 50, 51, 52, 53)
    for each in (first, *others[:3]):
        receive_bounce_with_status(each, "5.0.0", "554 rejected")
    assert address_of(cast.ada) == ""
    bouncing.reactivate_addresses(wizard=cast.ada, now=LATER + timedelta(days=4))
    for each in (first, *others):
        assert receive_bounce_with_status(each, "5.0.0", "554 rejected") == ReplyOutcome.AUTOMATIC
    assert receive_bounce_with_status(last, "5.0.0", "554 rejected") == ReplyOutcome.CAME_BACK


def test_old_unclear_bounces_are_deleted(cast: Cast, notice: Notice):
    receive_bounce_with_status(notice, "5.0.0", "554 rejected")
    delivering.delete_old_notices(now=LATER)
    assert UnclearBounce.objects.count() == 1
    delivering.delete_old_notices(now=LATER + timedelta(days=31))
    assert not UnclearBounce.objects.exists()
