"""Sample bounces of the site's emails, and helpers that receive them."""

from functools import partial
from pathlib import Path

from duels.email_addresses import is_same_address
from duels.post.bounce_address import make_bounce_address
from duels.post.models import Notice
from duels.replies.message import parse_email, parse_failure
from duels.replies.public import ReplyOutcome, receive_email
from duels.replies.report import EmailReport
from tests.cast import LATER

BOUNCES_FOLDER = Path(__file__).parent / "bounces"
BOUNCE_NAMES = sorted(path.stem for path in BOUNCES_FOLDER.glob("*.eml"))
ADA_ADDRESS = "ada@example.org"
REPORT_HEAD = (
    b"Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n"
)


def bounce_bytes(name: str, returns_to: str) -> bytes:
    content = (BOUNCES_FOLDER / f"{name}.eml").read_bytes()
    return content.replace(b"bounce+TOKEN@replies.example", returns_to.encode())


def receive_bounce(
    notice: Notice, name: str = "postfix_no_such_user", *, address: str = ADA_ADDRESS
) -> ReplyOutcome:
    return receive_email(raw=bounce_bytes(name, make_bounce_address(notice.pk, address)), now=LATER)


def read_failure(content: bytes, reader: str = ADA_ADDRESS) -> EmailReport | None:
    """Return the failure that this bounce reports, if it is not in a standard format."""
    letter = parse_email(content)
    return parse_failure(content, letter, partial(is_same_address, reader), letter.recipients)
