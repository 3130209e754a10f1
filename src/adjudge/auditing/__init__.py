"""The auditor: puts a metric on the stand, runs the axioms, and survives what it does."""

from adjudge.auditing.result import Audit
from adjudge.auditing.run import audit
from adjudge.auditing.several import audited

__all__ = ["Audit", "audit", "audited"]
