"""What each line is, and which lines belong together: paragraphs, captions, listings, tables, drawings, notes."""
