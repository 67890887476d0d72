"""Static files whose names change with their content, so browsers can cache them permanently."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.contrib.staticfiles.storage import HashedFilesMixin
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage, Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

from spellcaster.bundles import bundled_text, is_bundle_list

# Django's patterns for imports, which django-stubs omits.
_, IMPORT_PATTERNS = HashedFilesMixin._js_module_import_aggregation_patterns  # type: ignore[attr-defined]

# For the name of each static file: the storage that contains it, and its name there.
StaticFileSources = dict[str, tuple[Storage, str]]


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # no types
    """Storage that joins the files that a page loads, and rewrites imports to hashed names."""

    # Rewrite only our own scripts, because scripts of packages may import files that we do not
    # have.
    patterns = (
        *HashedFilesMixin.patterns,
        ("js/*.js", IMPORT_PATTERNS),
        ("pages/*.js", IMPORT_PATTERNS),
    )

    def post_process(self, paths: StaticFileSources, *args: Any, **options: Any) -> Iterator[Any]:
        yield from super().post_process({**paths, **_bundles(paths)}, *args, **options)

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Compress only files with hashed names, because pages do not load any others."""
        yield from super().compress_files({*paths} & {*self.hashed_files.values()})

    def url(self, name: str, force: bool = False) -> str:
        """Return the URL of a file, and cache it: each page needs ten URLs, which never change."""
        addresses: dict[str, str] = self.__dict__.setdefault("_addresses", {})
        if name not in addresses or force:
            addresses[name] = super().url(name, force)
        return addresses[name]


def _bundles(paths: StaticFileSources) -> StaticFileSources:
    """Return the bundles among these files, joined in memory from the source files.

    The copies from `collectstatic` are not read, because a copy may be older than its source.
    """

    def read(name: str) -> str:
        storage, path = paths[name]
        with storage.open(path) as file:
            content: bytes = file.read()
        return content.decode()

    joined = InMemoryStorage()
    for name in filter(is_bundle_list, paths):
        joined.save(name, ContentFile(bundled_text(name, read).encode()))
    return {name: (joined, name) for name in filter(is_bundle_list, paths)}
