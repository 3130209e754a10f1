"""Words: what results say below their tables, in sentences and names."""
