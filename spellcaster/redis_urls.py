"""Parsing of Redis URLs into the server and the database number."""

from urllib.parse import parse_qs, urlsplit, urlunsplit

DEFAULT_PORT = 6379


def parse_redis_url(url: str) -> tuple[str, int, str, int]:
    """Return host, port, socket path and database number. Raise `ValueError` for an invalid URL."""
    parts = urlsplit(url)
    asked = parse_qs(parts.query).get("db", [""])[0]
    if parts.scheme == "unix":
        return "", 0, parts.path, int(asked or 0)
    number = asked or parts.path.strip("/") or "0"
    return (parts.hostname or "localhost").lower(), parts.port or DEFAULT_PORT, "", int(number)


def next_database_url(url: str) -> str:
    """Return the URL of the next database on the server: `redis://redis/1` for `redis://redis/0`.

    An invalid URL is returned unchanged. The system checks report it.
    """
    parts = urlsplit(url)
    try:
        number = parse_redis_url(url)[-1] + 1
    except ValueError:
        return url
    if not url:
        return ""
    if parts.scheme == "unix" or "db" in parse_qs(parts.query):
        others = [each for each in parts.query.split("&") if each and not each.startswith("db=")]
        return f"{url.partition('?')[0]}?{'&'.join([*others, f'db={number}'])}"
    return urlunsplit(parts._replace(path=f"/{number}"))
