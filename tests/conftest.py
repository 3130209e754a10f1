"""Hypothesis profiles: the same examples every time, more of them on demand."""

from hypothesis import HealthCheck, settings

_CALM = {"deadline": None, "derandomize": True, "suppress_health_check": list(HealthCheck)}

settings.register_profile("plain", max_examples=15, **_CALM)
settings.register_profile("thorough", max_examples=40, **_CALM)
settings.register_profile("many", max_examples=100, **_CALM)
settings.load_profile("plain")
