"""What stops symbolic tracing: where, who raised, why, and ways past it that were tried."""
