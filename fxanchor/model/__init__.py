"""Model file -> captured operations, each with the user's expression that caused it."""
