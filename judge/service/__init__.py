"""The use cases: what can be done with a game, one function each.

Every function is plain: it takes the database session, the time and what it is about, and says what became of it.
What cannot be done is a `Refusal`, with a sentence for the one who asked.
"""
