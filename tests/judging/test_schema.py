"""The schema of results, held against results."""

import json

import jsonschema
import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main
from adjudge.judging.result_columns import KINDS, SCHEMA, schema
from adjudge.tables.result_fields import json_ready

LABELS = [0, 0, 1, 1, 0, 0, 1, 0, 0, 0]
SCORES = {"mine": [0, 0.2, 0.9, 0.1, 0, 0.4, 0, 0, 0, 0], "theirs": list(np.arange(10) / 7)}


def fits(result, kind):
    jsonschema.Draft202012Validator(schema(kind)).validate(result)


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_is_one(kind):
    jsonschema.Draft202012Validator.check_schema(schema(kind))
    assert schema(kind)["$id"] == f"urn:adjudge:schema:{kind}:1"


@pytest.mark.parametrize("options", [{}, {"at": 0.3}, {"metrics": "all"}, {"chance": False}])
def test_judgements_fit(options):
    fits(json.loads(aj.evaluate(LABELS, SCORES, **options).to_json()), "judgement")
    fits(json.loads(aj.evaluate([0] * 10, SCORES, **options).to_json()), "judgement")


def test_results_of_the_command_line_fit(tmp_path):
    path = tmp_path / "scores.csv"
    rows = zip(LABELS, *SCORES.values(), strict=True)
    path.write_text("label,score_a,score_b\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows))
    run = CliRunner().invoke
    judged = run(main, ["evaluate", str(path), "--best", "--json", "--metric", "event_f1"])
    fits(json.loads(judged.stdout), "evaluate")
    told = run(main, ["explain", str(path), "--score", "score_a", "--at", "0.3", "--json"])
    fits(json.loads(told.stdout), "explain")
    assert json.loads(run(main, ["schema", "explain"]).stdout) == schema("explain")
    assert json.loads(run(main, ["schema"]).stdout) == schema("evaluate")


def test_a_comparison_fits(tmp_path):
    path = tmp_path / "scores.csv"
    rows = zip(LABELS, *SCORES.values(), strict=True)
    path.write_text("label,score_a,score_b\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows))
    for metric, at in (("f1", ["--at", "0.3"]), ("best(f1_ba)", []), ("event_f1", ["--best"])):
        told = CliRunner().invoke(main, ["compare", str(path), "--json", "--metric", metric, *at])
        fits(json.loads(told.stdout), "compare")
    three = aj.compare_all(LABELS, {**SCORES, "again": LABELS}, "f1", at=0.3)
    fits(json.loads(json.dumps(json_ready({"schema": SCHEMA, **three.to_dict()}))), "compare_all")


def test_a_result_without_a_field_does_not_fit():
    result = json.loads(aj.evaluate(LABELS, SCORES).to_json())
    del result["rows"][0]["p_value"]
    with pytest.raises(jsonschema.ValidationError, match="'p_value' is a required property"):
        fits(result, "judgement")


def test_an_unknown_kind_is_refused():
    with pytest.raises(aj.UnknownName, match="unknown kind of result 'explan'"):
        schema("explan")
