"""Judge: from a placed detector to the rows, events and parts that are said of it."""
