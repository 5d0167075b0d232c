"""The games that come with the judge, one package each."""
