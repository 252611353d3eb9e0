"""The reader: one HTML file with the paper on the left and its code, breakpoints and model on the right."""
