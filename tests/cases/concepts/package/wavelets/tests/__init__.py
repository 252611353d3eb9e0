"""What the tests of the package share: no paper speaks of it."""
