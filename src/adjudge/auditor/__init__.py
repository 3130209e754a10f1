"""The auditor: puts a metric on the stand, runs the axioms, and survives what it does."""

from adjudge.auditor.many import audited
from adjudge.auditor.record import Audit
from adjudge.auditor.session import audit

__all__ = ["Audit", "audit", "audited"]
