"""Offline HTML pages: one file that opens anywhere, asks no server and needs no installation."""
