"""The judge's heart: what a game is, what an order is, what a report is.

Pure: standard library and pydantic only, no clock, no files, no network.  Everything a ruleset may import is here.
"""
