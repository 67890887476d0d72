"""Signed cookies, which only the site can write and scripts cannot read."""

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase


def set_cookie(
    response: HttpResponseBase, name: str, value: str, max_age: int | timedelta, *, path: str = "/"
) -> None:
    """Store a value in the browser. If `max_age` is a number, it is in seconds."""
    response.set_signed_cookie(
        name,
        value,
        salt=name,
        max_age=max_age,
        path=path,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def read_cookie(request: HttpRequest, name: str, max_age: int | timedelta | None = None) -> str:
    """Return the value that the site stored in the browser, or ""."""
    return request.get_signed_cookie(name, default="", salt=name, max_age=max_age) or ""
