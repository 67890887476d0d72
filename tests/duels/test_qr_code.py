"""QR codes of invitation links."""

import re

import pytest
from qrcode import QRCode
from qrcode.constants import ERROR_CORRECT_M

from duels.screens.parts.qr_code import qr_code
from tests.duels.test_invite_friend import create_invitation
from tests.duels.visitors import Visitor


def dark_squares(path: str) -> set[tuple[int, int]]:
    """Return the dark squares that a path draws, as pairs of column and row."""
    runs = re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", path)
    assert "".join(f"M{x} {y}h{n}v1h-{n}z" for x, y, n in runs) == path
    return {(int(x) + i, int(y)) for x, y, length in runs for i in range(int(length))}


def test_path_draws_the_dark_squares_of_the_code():
    address = "https://spellcaster.example/c/a-token/"
    code = QRCode(error_correction=ERROR_CORRECT_M)
    code.add_data(address)
    dark = {(x, y) for y, row in enumerate(code.get_matrix()) for x, dark in enumerate(row) if dark}
    made = qr_code(address)
    assert dark_squares(made.path) == dark
    margin = range(4, made.size - 4)
    assert all(x in margin and y in margin for x, y in dark)


@pytest.mark.django_db
def test_page_of_an_invitation_shows_the_qr_code_of_its_link(visitor: Visitor):
    duel, link = create_invitation(visitor, name="Ida")
    page = visitor.page(f"/duels/{duel.pk}/")
    assert qr_code(f"http://testserver{link}").path in page
    assert "style=" not in page, "the content security policy forbids it"
