"""Boards: a leaderboard as it is read, compared with an earlier one, and extended by others."""
