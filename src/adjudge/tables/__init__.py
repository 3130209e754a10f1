"""Tables of text cells: laid out once, then drawn as text, Markdown, LaTeX, HTML or CSV."""
