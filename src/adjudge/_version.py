"""The version, apart from the rest: what prints it must not import everything."""

__version__ = "0.1.0"
