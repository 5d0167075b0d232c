"""The judge on the web: pages for people, the same things as JSON for programs.

`create_app(judge)` in `app` makes the application.  Handlers are thin: they read a request, call one use case of
`judge.service`, and answer with a page (`pages/`) or with JSON (`api/`).
"""
