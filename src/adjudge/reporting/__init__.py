"""Results as tables for people: text, Markdown, LaTeX, CSV. Nothing is computed here."""
