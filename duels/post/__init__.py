"""The post: notices of what has happened in a duel, and the mails that they become."""
