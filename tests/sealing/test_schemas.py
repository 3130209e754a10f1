"""Contracts, ledgers and answers fit their schemas, and what is changed does not."""

import json
import tomllib

import jsonschema
import pytest
from click.testing import CliRunner

from adjudge.cli import main
from adjudge.sealing.schemas import SEALED
from sealed_story import ask, ledger_lines, sealed


def schema(kind):
    return json.loads(CliRunner().invoke(main, ["schema", kind]).stdout)


def fits(found, kind):
    jsonschema.Draft202012Validator(schema(kind)).validate(found)


@pytest.mark.parametrize("kind", SEALED)
def test_a_schema_is_one(kind):
    jsonschema.Draft202012Validator.check_schema(schema(kind))
    assert schema(kind)["$id"] == f"urn:adjudge:schema:{kind}:1"


def test_contracts_fit(folder):
    sealed(folder, "any", again=True, looks="any", sep=",", null="shifted")
    for name in ("a", "k", "any"):
        fits(tomllib.loads((folder / f"{name}.seal.toml").read_text()), "seal")


@pytest.mark.parametrize(
    ("table", "name", "value"),
    [("rule", "looks", "many"), ("seal", "form", 2), ("data", "more", 1), ("power", "level", "x")],
)
def test_another_contract_does_not_fit(folder, table, name, value):
    told = tomllib.loads((folder / "a.seal.toml").read_text())
    told[table][name] = value
    with pytest.raises(jsonschema.ValidationError):
        fits(told, "seal")
    del told[table]
    with pytest.raises(jsonschema.ValidationError, match="is a required property"):
        fits(told, "seal")


def test_lines_and_answers_fit(folder):
    for name in ("a", "k"):
        for line in map(json.loads, (folder / f"{name}.seal.jsonl").read_text().splitlines()):
            fits(line, "ledger")
    for kept in ({}, {"id": "0" * 12}):
        fits(ask(folder, **kept).to_dict(), "answer")
    with pytest.raises(jsonschema.ValidationError):
        fits(ask(folder).to_dict() | {"answer": "perhaps"}, "answer")
    with pytest.raises(jsonschema.ValidationError):
        fits(ledger_lines(folder)[0] | {"what": "edited"}, "ledger")


def test_an_unknown_kind_names_all():
    found = CliRunner().invoke(main, ["schema", "seals"])
    assert found.exit_code == 2
    assert "seal, ledger, answer" in found.stderr
