"""Effects of bounces, based on status codes (RFC 3463) and on the text of mail servers' replies.

Only a code for a mailbox or domain that does not exist turns an address off at once. If a server
rejects the sender or the message, the recipient's address may still be valid.
"""

import re
from enum import Enum, auto
from typing import Final

# Codes for: no such mailbox, no such domain, bad syntax, moved, domain without email (RFC 3463, RFC
# 7505).
BAD_ADDRESS_CODES: Final = frozenset({"5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10"})
# Codes without a reason, or for a mailbox that is disabled, perhaps only briefly. Routing errors
# (5.4.x) also count as unclear.
UNCLEAR_CODES: Final = frozenset({"5.0.0", "5.1.0", "5.2.0", "5.2.1", "5.3.0", "5.5.0"})
CODE_WITHOUT_REASON: Final = "5.0.0"
MAX_SENTENCE_LENGTH: Final = 1_000

# A 2.x.x counts only after a server's reply code; elsewhere it may be the version of a program.
_STATUS_CODE_PATTERN = re.compile(
    r"(?<![\d.])(?:(?<=2\d\d[ -])2|[45])\.[0-9]{1,3}\.[0-9]{1,3}(?![\d.]*\d)"
)
# Patterns for the text of mail servers' replies, with the code that the servers should have sent.
# The first match counts. Rejections of the sender come first, because some of them contain "user
# unknown".
_CODE_BY_SENTENCE: Final = tuple(
    (re.compile("|".join(patterns), re.IGNORECASE), code)
    for code, patterns in (
        (
            "5.7.1",
            (
                r"\b(?:spf|dkim|dmarc|rbl|dnsbl|ptr|rdns|helo|ehlo)\b", r"\bspam", r"reputation",
                r"(?:black|block|deny|white) ?-?list", r"\bblocked\b",
                r"reverse (?:dns|lookup|host)", r"\bpolic(?:y|ies)\b",
                r"not (?:authori[sz]ed|allowed|permitted)",
                # Unless this is the name of a server or of Postfix's table of recipients.
                r"\brelay(?![\d=]|\.\w|-\w+\.| recipient)",
                r"authenticat", r"virus", r"malware", r"phish", r"unsolicited", r"suspicious",
                r"sender(?:'s)? (?:address|domain|verify|rejected|denied)", r"access denied",
                r"from your (?:ip|host|server|network)", r"greylist", r"rate limit", r"too many",
                r"\bmail from\b", r"recipient(?:'s)? preferences",
            ),
        ),
        (
            "5.2.2",
            (
                r"quota", r"(?:box|folder)(?: is)?(?: too)? ?full", r"full (?:mail)?box",
                r"disk full",
                r"(?:out of|not (?:have )?enough|insufficient) (?:\w+ )?(?:space|storage)",
                r"exceed\w* (?:\w+ ){0,4}(?:space|storage)",
            ),
        ),
        (
            "5.3.4",
            (
                r"too (?:big|large)", r"(?:message|mail) size",
                r"exceed\w* (?:\w+ ){0,4}(?:size|limit)",
            ),
        ),
        (
            "5.4.7",
            (
                r"timed? ?out", r"expired", r"connection refused", r"unreachable",
                r"unable to connect",
                r"(?<!\band )try again",  # unless it comes after advice such as "check the address"
            ),
        ),
        ("5.2.1", (r"disabled", r"suspended", r"inactive", r"not active", r"discontinued")),
        (
            "5.1.1",
            (
                r"(?:user|recipient|mail-?box|address(?:ee)?|account)(?: \S*@\S*)?[ :,.]*(?:is )?"
                r"(?:unknown|invalid|not (?:exist|found|known|listed|here|a (?:valid|known)))",
                r"(?:unknown|invalid|no such|non-?exist\w+|unrecogni[sz]ed) "
                r"(?:local |virtual |final delivery )?"
                r"(?:user|recipient|mailbox|address|account|alias|person|e-?mail)",
                r"not a (?:valid|known) (?:user|recipient|mailbox|address|account)",
                r"\bbad[ _](?:destination |recipient|mailbox)", r"not listed in \w+ directory",
                r"no mail[ -]?box (?:available|found)", r"do(?:es)?(?: not|n.t) exist",
                r"no longer (?:valid|exists?\b)",
                r"no (?:mailbox|account) (?:here|by|with)", r"could(?: not|n.t) be found",
                r"unrouteable address",
                r"(?<!\byou )do(?:es)?(?: not|n.t) have an? (?:\S+ )?account",
            ),
        ),
        (
            "5.1.2",
            (
                r"(?:host|domain)(?: name)?(?: \S+\.\S+)?[ :]*(?:is )?(?:unknown|not found)",
                r"null ?mx", r"indicated no smtp service",
                r"(?:unknown|no such|invalid) (?:host|domain)", r"unrouteable mail domain",
            ),
        ),
    )
)  # fmt: skip


class BounceEffect(Enum):
    """Effect of a bounce: turn the address off at once, count towards turning it off, or none.

    The values are ordered from the strongest effect to the mildest.
    """

    TURNS_OFF = auto()
    COUNTS = auto()
    NONE = auto()


def bounce_effect(status: str) -> BounceEffect:
    """Return the effect of a bounce with this code, for example "5.1.1"."""
    if status in BAD_ADDRESS_CODES:
        return BounceEffect.TURNS_OFF
    if status in UNCLEAR_CODES or status.startswith("5.4."):
        return BounceEffect.COUNTS
    return BounceEffect.NONE


def bounce_status(code: str, sentence: str) -> str:
    """Return the status code of a failure, based on the server's code and text, or "" if unknown.

    Use the text if the code is unregistered or does not give a reason. Also use the text if it
    contradicts a code for an unknown mailbox, because some servers send that code for every
    rejection. For example, a mailbox that is only disabled may be enabled again.
    """
    text = " ".join(sentence[:MAX_SENTENCE_LENGTH].split())
    codes = [
        found[0]
        for found in (_STATUS_CODE_PATTERN.search(code), _STATUS_CODE_PATTERN.search(text))
        if found
    ]
    status = next((each for each in codes if not _gives_no_reason(each)), next(iter(codes), ""))
    if status and not status.startswith("5"):
        return status
    found_code = next(
        (found_code for pattern, found_code in _CODE_BY_SENTENCE if pattern.search(text)), ""
    )
    effect = bounce_effect(found_code)
    contradicts = status in BAD_ADDRESS_CODES and (
        effect == BounceEffect.NONE
        or (effect == BounceEffect.COUNTS and not _says_address_is_bad(text))
    )
    return found_code if found_code and (contradicts or _gives_no_reason(status)) else status


def _says_address_is_bad(text: str) -> bool:
    return any(
        code in BAD_ADDRESS_CODES and pattern.search(text) for pattern, code in _CODE_BY_SENTENCE
    )


def _gives_no_reason(status: str) -> bool:
    """Return whether the code is missing, or its last number is undefined or unregistered."""
    detail = status.rpartition(".")[2]
    return not detail or int(detail) == 0 or len(detail) > 2
