"""The judge: takes orders, resolves turns, publishes reports, for any ruleset that is installed."""
