"""Phases for rulesets in which every extra turn has its own number. rules: W8-W17"""
