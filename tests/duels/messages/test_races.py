"""Private messages and reports that are sent at the same moment."""

from functools import partial

import pytest

from duels.messages.commands import report_message, send_message
from duels.messages.models import Message, Thread
from duels.referees.models import Case
from tests.cast import NOW, Cast, begin
from tests.duels.test_races import run_simultaneously

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]


def test_only_one_of_several_first_messages_is_sent(cast: Cast) -> None:
    begin(cast.ada, cast.bram)
    write = partial(send_message, author=cast.ada, reader=cast.bram, words="Hello.", now=NOW)
    answers = run_simultaneously(write, write, write)
    assert answers.count("not_accepted") == 2
    assert Message.objects.count() == 1


def test_two_wizards_who_write_first_at_the_same_time_share_one_thread(cast: Cast) -> None:
    begin(cast.ada, cast.bram)
    run_simultaneously(
        partial(send_message, author=cast.ada, reader=cast.bram, words="Hello.", now=NOW),
        partial(send_message, author=cast.bram, reader=cast.ada, words="Hello!", now=NOW),
    )
    assert Thread.objects.get().messages.count() == 2
    send_message(author=cast.ada, reader=cast.bram, words="Same time!", now=NOW)


def test_message_reported_twice_at_once_creates_one_case(cast: Cast) -> None:
    begin(cast.ada, cast.bram)
    message = send_message(author=cast.ada, reader=cast.bram, words="Boo!", now=NOW)
    report = partial(
        report_message, message_id=message.pk, wizard=cast.bram, words="Rude.", now=NOW
    )
    assert run_simultaneously(report, report).count("reported_already") == 1
    assert Case.objects.get().reported_message == message
