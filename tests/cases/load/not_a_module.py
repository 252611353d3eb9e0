"""What is named is no model."""

settings = {"width": 3}
