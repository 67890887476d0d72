"""Static files of the sites under test, collected once for all of them."""

from spellcaster.storage import HashedStaticFilesStorage


class CollectedFiles(HashedStaticFilesStorage):
    """Storage that uses collected files even in debug mode; Django would use the source files."""

    def url(self, name: str, force: bool = True) -> str:
        return super().url(name, force)
