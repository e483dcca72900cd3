"""The layers, by topic."""
