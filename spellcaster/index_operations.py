"""Migration operations for indexes of tables that already contain many rows."""

from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import AddIndex


class AddIndexConcurrently(AddIndex):
    """Add an index without blocking writes on PostgreSQL; on other databases, like `AddIndex`.

    The migration must not be atomic. It can be run again if it was interrupted, or if the index
    exists already: an interrupted build leaves an invalid index, so any previous one is replaced.
    Django's own operation of this name works only on PostgreSQL.
    """

    atomic = False

    def describe(self) -> str:
        return f"{super().describe()} without blocking writes"

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: Any,
        to_state: Any,
    ) -> None:
        model = to_state.apps.get_model(app_label, self.model_name)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            name = schema_editor.quote_name(self.index.name)
            word, options = _concurrency(schema_editor)
            schema_editor.execute(f"DROP INDEX {word} IF EXISTS {name}")
            schema_editor.add_index(model, self.index, **options)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: Any,
        to_state: Any,
    ) -> None:
        model = from_state.apps.get_model(app_label, self.model_name)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            _, options = _concurrency(schema_editor)
            schema_editor.remove_index(model, self.index, **options)


def _concurrency(schema_editor: BaseDatabaseSchemaEditor) -> tuple[str, dict[str, Any]]:
    """Return what an index needs on this database: a word in SQL, and options in Django."""
    if schema_editor.connection.vendor == "postgresql":
        return "CONCURRENTLY", {"concurrently": True}
    return "", {}
