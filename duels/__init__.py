"""The Django app: stores the engine's values in rows and shows each wizard what they may see."""
