"""The command line. Only this package of the engine reads files and arguments, and prints."""
