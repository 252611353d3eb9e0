"""What the file shows: content streams walked to words with font, size and place."""
