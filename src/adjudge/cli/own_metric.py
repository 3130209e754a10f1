"""A metric named on the command line: a spec, or a function of one's own as ``module:function``."""

from __future__ import annotations

import importlib
import sys
from typing import Any

from adjudge.errors import InputError


def spec_or_function(name: str) -> Any:
    """A spec as it is; what stands for ``module:function``, from where the command was given.

    Parameters
    ----------
    name : str
        What was given on the command line.
    """
    module, colon, attribute = name.partition(":")
    if not colon or "(" in module:
        return name
    if "" not in sys.path:
        sys.path.insert(0, "")  # the current directory
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise InputError(
            f"metric must be a spec or module:function, got {name!r}: {error}"
        ) from None
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        raise InputError(
            f"{module} must be a module that can be imported, got {problem}"
        ) from error
