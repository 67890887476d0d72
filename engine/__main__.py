"""The command line, as `python -m engine`."""

from engine.cli.main import run

if __name__ == "__main__":
    run()
