"""The study sheet: gather what a person studies from, then write it as markdown."""
