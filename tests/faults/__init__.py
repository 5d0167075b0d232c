"""What goes wrong between the judge and a forum, made to go wrong on purpose (see README.md)."""
