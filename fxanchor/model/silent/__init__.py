"""What symbolic tracing gets wrong without raising: decisions and values that are fixed in the graph."""
