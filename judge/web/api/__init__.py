"""The pages as JSON: the same use cases, the same words, under `/api/v1`.

A program shows a bearer token, which it gets for a personal link's token (`POST /api/v1/claim`).  Every failure has one
shape: `{"problems": [{"line", "field", "text"}]}`.
"""
