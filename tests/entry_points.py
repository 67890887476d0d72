"""Run entry points of the site until they end, each in a fork of the same process.

    python -m tests.entry_points '{"reply": ["manage", "read_mail"], ...}'

The argument maps names to a module and its arguments. The output is JSON: the exit code and the
standard error by name. Django and Celery are loaded only once, in this process, because that takes
most of the time.
"""

import json
import os
import runpy
import sys
from tempfile import TemporaryFile

import celery.bin.celery  # noqa: F401  # loaded here for all forks
import django
from django.core.checks import run_checks


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "spellcaster.settings")
    django.setup(set_prefix=False)
    run_checks(include_deployment_checks=True)  # loads all modules and templates
    ended = {}
    for name, arguments in json.loads(sys.argv[1]).items():
        with TemporaryFile() as errors:
            child = os.fork()
            if child == 0:
                os.dup2(errors.fileno(), 1)
                os.dup2(errors.fileno(), 2)
                sys.argv = arguments
                runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
                return
            _, status = os.waitpid(child, 0)
            errors.seek(0)
            ended[name] = os.waitstatus_to_exitcode(status), errors.read().decode()
    print(json.dumps(ended))  # noqa: T201  # for the test


if __name__ == "__main__":
    main()
