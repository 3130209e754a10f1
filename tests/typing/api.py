"""Intended use, seen by the type checker only."""

import numpy as np

import adjudge as aj

labels = [0, 0, 1, 1]
value: float = aj.f1(labels, [0, 1, 1, 0])
changed: aj.Metric = aj.f1_ba(width=5)
oracle: float = aj.best(aj.f1_ba(width=5))(labels, np.array([0.1, 0.4, 0.3, 0.8]))
judged: aj.Judgement = aj.evaluate(labels, {"a": [0, 1, 1, 0]}, ["f1", aj.f1_pa])
cell: float = judged["a", "f1"]
threshold, best = aj.curve(labels, [0.1, 0.4, 0.3, 0.8], "f1").best()
receipt: aj.Receipt = aj.explain(labels, [0, 1, 1, 0], "f1_ba")
events: aj.Events = aj.Events.from_intervals([(2, 4)], n=4)
points = aj.Points(labels, {"a": [0, 1, 1, 0]}, where=[True, True, True, False])
same: aj.Judgement = aj.evaluate(points, "f1", chance=False)
account: aj.Receipt = aj.explain(points, "f1")
difference: aj.Comparison = aj.compare(labels, [0, 1, 1, 0], [0, 0, 1, 0], missing="skip")
