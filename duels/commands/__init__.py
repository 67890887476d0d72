"""Commands: functions that carry out every change a person or a worker can make.

Each command runs in one transaction and checks permissions. It raises `Refused` if the action is
not allowed. Views, tasks, the admin and the shell call commands.
"""
