"""Parts of a ranking: judged anywhere, put together in any order."""
