"""Join what the other layers found, and render it."""
