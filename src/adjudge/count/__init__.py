"""Ways of counting: from adjusted scores to masses, and to the rows of a receipt."""
