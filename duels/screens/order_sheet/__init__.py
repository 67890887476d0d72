"""The order sheet, with its fields, hints and text orders."""
