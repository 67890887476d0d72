"""Open pages ask every few seconds what is new: the development server need not tell of each."""

import logging

POLLS = ("/poll", "/waiting")


class NoPolls(logging.Filter):
    """Lets every line through but those of polls that were answered as they should be."""

    def filter(self, record: logging.LogRecord) -> bool:
        match record.args:
            case (str(line), str("200" | "304"), *_):
                address = line.split(" ")[1].partition("?")[0] if " " in line else ""
                return not address.endswith(POLLS)
        return True
