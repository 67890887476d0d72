"""The public interface of finding an opponent for the rest of the project."""

from duels.matching.play_now import play_somebody as play_somebody
