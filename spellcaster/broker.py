"""Redis as the broker, with a workaround so that workers survive if Redis stops."""

import redis
from kombu.transport import redis as kombu_redis


class Channel(kombu_redis.Channel):
    """A channel that is closed completely even if Redis does not respond.

    Celery closes a lost connection twice. If the first attempt fails while the worker has a task,
    the second raises an error that ends the worker (Celery and kombu 5.7).
    """

    def close(self) -> None:
        try:
            super().close()
        except redis.ConnectionError:
            super().close()  # the first call failed before it closed anything


class Transport(kombu_redis.Transport):
    Channel = Channel
