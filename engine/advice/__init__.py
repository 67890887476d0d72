"""Advice to one wizard about their own orders, based only on what they may see.

It includes cautions before sealing, orders as text, and hints about the spells that each gesture
brings near or gives up.
"""
