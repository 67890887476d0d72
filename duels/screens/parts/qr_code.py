"""QR codes of addresses, as SVG path data."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from qrcode import QRCode
from qrcode.constants import ERROR_CORRECT_M


@dataclass(frozen=True)
class QrCode:
    """A square drawing with sides of `size` units, including a light margin."""

    size: int
    path: str


def qr_code(address: str) -> QrCode:
    code = QRCode(error_correction=ERROR_CORRECT_M)
    code.add_data(address)
    rows = code.get_matrix()
    return QrCode(
        len(rows), "".join(part for y, row in enumerate(rows) for part in _dark_runs(row, y))
    )


def _dark_runs(row: list[bool], y: int) -> Iterator[str]:
    """Yield a rectangle for each row of adjacent dark squares, to save bytes."""
    x = 0
    for is_dark, squares in groupby(row):
        length = len(list(squares))
        if is_dark:
            yield f"M{x} {y}h{length}v1h-{length}z"
        x += length
