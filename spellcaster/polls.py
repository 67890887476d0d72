"""Log filter for polls, the requests that open pages send every few seconds."""

import logging

POLLS = ("/poll", "/waiting")


class PollLogFilter(logging.Filter):
    """Filter that drops the log lines of polls that succeeded."""

    def filter(self, record: logging.LogRecord) -> bool:
        match record.args:
            case (str(line), str("200" | "304"), *_):
                address = line.split(" ")[1].partition("?")[0] if " " in line else ""
                return not address.endswith(POLLS)
        return True
