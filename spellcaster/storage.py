"""Static files under names that change with their content, so that browsers keep them for ever."""

from collections.abc import Iterator
from typing import Any

from django.contrib.staticfiles.storage import HashedFilesMixin
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage, Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

from spellcaster.bundles import bundle, is_list

# What Django knows of imports; its stubs do not know that it does.
_, IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns  # type: ignore[attr-defined]

Sources = dict[str, tuple[Storage, str]]  # name: where the file is, and under which name there


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # no types
    """Storage that joins what pages load, and lets scripts import each other by hashed names."""

    # Ours only: those of packages import what a page of their own would name.
    patterns = (*HashedFilesMixin.patterns, ("js/*.js", IMPORTS), ("pages/*.js", IMPORTS))

    def post_process(self, paths: Sources, *args: Any, **options: Any) -> Iterator[Any]:
        yield from super().post_process({**paths, **_bundles(paths)}, *args, **options)

    def url(self, name: str, force: bool = False) -> str:
        """The address of a file, found once: every page asks for ten, and none ever changes."""
        addresses: dict[str, str] = self.__dict__.setdefault("_addresses", {})
        if name not in addresses or force:
            addresses[name] = super().url(name, force)
        return addresses[name]


def _bundles(paths: Sources) -> Sources:
    """Return the bundles among these files, joined in memory from the sources.

    Collected copies are not read: an older one may be kept if its list has not changed.
    """

    def read(name: str) -> str:
        storage, path = paths[name]
        with storage.open(path) as file:
            content: bytes = file.read()
        return content.decode()

    joined = InMemoryStorage()
    for name in filter(is_list, paths):
        joined.save(name, ContentFile(bundle(name, read).encode()))
    return {name: (joined, name) for name in filter(is_list, paths)}
