"""Cannot be imported, and its definitions hold no model."""

settings = open("/nowhere/settings.json").read()
