"""What came in, checked once: columns, events, cases."""
