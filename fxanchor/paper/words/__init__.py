"""What printing did to the words, undone, with the words that the paper writes in one piece as evidence."""
