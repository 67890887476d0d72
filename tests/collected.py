"""Static files of sites under test, collected once for all of them."""

from spellcaster.storage import HashedStaticFilesStorage


class CollectedFiles(HashedStaticFilesStorage):
    """Storage that names collected files even in debug mode, in which Django names the sources."""

    def url(self, name: str, force: bool = True) -> str:
        return super().url(name, force)
