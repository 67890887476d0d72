"""Caches within a process, and the cache that all processes share."""
