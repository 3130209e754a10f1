"""Hypothesis profiles: the same examples every time, more of them on demand."""

from hypothesis import HealthCheck, settings

_CALM = {"deadline": None, "derandomize": True, "suppress_health_check": list(HealthCheck)}

settings.register_profile("plain", max_examples=30, **_CALM)
settings.register_profile("many", max_examples=80, **_CALM)
settings.load_profile("plain")
