"""Labels of acts, alarms, duels and email addresses."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0001_first_release"),
    ]

    operations = [
        migrations.AlterField(
            model_name="alarm",
            name="kind",
            field=models.CharField(
                choices=[
                    ("turn", "a turn does not resolve"),
                    ("deadline", "deadlines of a duel fail"),
                    ("release", "this release plays a ruleset differently"),
                ],
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="act",
            name="kind",
            field=models.CharField(
                choices=[
                    ("pause", "pause the duel"),
                    ("go_on", "resume the duel"),
                    ("extend", "give time"),
                    ("restart_clock", "restart clocks"),
                    ("excuse", "excuse an absence"),
                    ("defaults", "play default orders"),
                    ("roll_back", "roll back"),
                    ("remove", "remove a player"),
                    ("replace", "replace a player"),
                    ("declare", "declare a result"),
                    ("annul", "annul the duel"),
                    ("lock_speech", "lock messages"),
                    ("unlock_speech", "unlock messages"),
                    ("remove_words", "remove a message"),
                    ("rename", "rename a wizard"),
                    ("suspend", "suspend a wizard"),
                    ("reinstate", "reinstate a wizard"),
                    ("message", "write to players"),
                    ("open_sealed", "look at sealed or hidden orders"),
                    ("ruling", "rule"),
                    ("open_dispute", "a dispute was opened"),
                    ("close_dispute", "a dispute was closed"),
                    ("nudge", "check again if a turn is complete"),
                    ("send_again", "send an email again"),
                ],
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="duel",
            name="ended",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "not ended"),
                    ("rules", "by the rules"),
                    ("resigned", "by resigning"),
                    ("agreed", "by agreement"),
                    ("time", "by timeout"),
                    ("claimed", "by a claim"),
                    ("abandoned", "abandoned"),
                    ("removed", "by a referee, who removed a player"),
                    ("declared", "by a referee, who declared the result"),
                    ("annulled", "annulled"),
                    ("withdrawn", "withdrawn"),
                    ("declined", "declined"),
                    ("expired", "expired"),
                ],
                default="",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="duel",
            name="visibility",
            field=models.CharField(
                choices=[("public", "everyone can watch"), ("private", "only its players")],
                default="public",
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="user",
            name="email",
            field=models.EmailField(max_length=254, verbose_name="email address"),
        ),
    ]
