"""Offline HTML pages: one file that opens anywhere, asks no server and needs no installation."""

from adjudge.reporting.page.playground_page import write_playground
from adjudge.reporting.page.ranking_page import write_ranking
from adjudge.reporting.page.report_page import report, write_report

__all__ = ["report", "write_playground", "write_ranking", "write_report"]
