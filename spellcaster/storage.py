"""Static files under names that change with their content, so that browsers keep them for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # no types
    """Also what one script imports of another is asked for by its hashed name."""

    support_js_module_import_aggregation = True
