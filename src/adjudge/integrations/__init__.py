"""Adapters for the libraries that people already use; each is imported by its own name.

``adjudge.integrations.sklearn``, ``torchmetrics``, ``sktime``, ``timeeval`` and ``dtaianomaly``
need the package whose name they bear, and say so when it is missing. ``docs/integrations.md`` has
the recipes.
"""
