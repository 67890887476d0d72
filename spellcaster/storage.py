"""Static files under names that change with their content, so that browsers keep them for ever."""

from django.contrib.staticfiles.storage import HashedFilesMixin
from whitenoise.storage import CompressedManifestStaticFilesStorage

# What Django knows of imports; its stubs do not know that it does.
_, IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns  # type: ignore[attr-defined]


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # no types
    """Also what one of our scripts imports of another is asked for by its hashed name."""

    support_js_module_import_aggregation = True
    # Ours only: those of packages import what a page of their own would name.
    _js_module_import_aggregation_patterns = ("js/*.js", IMPORTS)

    def url(self, name: str, force: bool = False) -> str:
        """The address of a file, found once: a page asks for two dozen, and none ever changes."""
        addresses: dict[str, str] = self.__dict__.setdefault("_addresses", {})
        if name not in addresses or force:
            addresses[name] = super().url(name, force)
        return addresses[name]
