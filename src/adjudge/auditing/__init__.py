"""The audit of metrics: run the axioms on any metric, whatever it does."""

from adjudge.auditing.audits import audit, audit_many
from adjudge.auditing.result import Audit

__all__ = ["Audit", "audit", "audit_many"]
