"""The paper's own listings: extracted, completed by what they continue, run, and compared with what is printed."""
