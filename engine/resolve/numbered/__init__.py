"""What is played differently where every extra turn is a turn of its own, with its own number.

The phases stand in `resolve.NUMBERED_PHASES`, beside those that they share. rules: W8-W17
"""
