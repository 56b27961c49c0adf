# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0
"""The queries of docs/sql.md give our totals, in DuckDB and in Spark."""
import csv
import json
import re

import duckdb
import pytest

from conftest import ROOT, audit

PAGE = (ROOT / "docs/sql.md").read_text()
OPERATIONS, STATUSES, BILL, OBJECTS, FIRST_TOUCHES = re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)


def in_duckdb(table, spark):
    database = duckdb.connect()
    database.execute(f"CREATE VIEW requests AS FROM read_csv('{table}')")
    return lambda query: [tuple(row) for row in database.execute(query).fetchall()]


def in_spark(table, spark):
    spark.read.csv(str(table), header=True, inferSchema=True, escape='"').createOrReplaceTempView("requests")
    return lambda query: [tuple(row) for row in spark.sql(query).collect()]


@pytest.fixture(params=["usage", "session"], scope="module")
def logs(request, usage):
    return usage if request.param == "usage" else [ROOT / "fixtures/session.log"]


@pytest.mark.parametrize("database", [in_duckdb, in_spark])
def test_the_queries_give_our_totals(spark, logs, tmp_path, database):
    table = tmp_path / "requests.csv"
    assert audit("export", *logs, "--output", table).returncode == 0
    query = database(table, spark)
    totals = json.loads(audit("totals", *logs, "--by", "object", "--format", "json").stdout)

    def sums(rows):
        return {str(name): {"requests": int(requests), "bytes": int(size)} for name, requests, size in rows}

    assert sums(query(OPERATIONS)) == totals["operations"]
    assert sums(query(STATUSES)) == totals["statuses"]
    bill = ["egressBytes", "classA", "classB", "documentReads", "documentWrites", "documentDeletes"]
    assert dict(zip(bill, map(int, query(BILL)[0]))) == totals["billed"]
    assert sums(query(OBJECTS)) == {group.pop("name"): group for group in totals["groups"]}
    size, first = query(FIRST_TOUCHES)[0]
    assert 0 < first < size <= totals["bytes"]


def test_the_schema_is_that_of_the_table(logs, tmp_path):
    table = tmp_path / "requests.csv"
    audit("export", *logs, "--output", table)
    schema = json.loads((ROOT / "docs/schemas/requests.json").read_text())
    with open(table) as file:
        heading, *rows = csv.reader(file)
    assert heading == [column["name"] for column in schema]
    for row in rows:
        for column, field in zip(schema, row, strict=True):
            assert field or column["mode"] == "NULLABLE", column
            assert column["type"] != "INTEGER" or field == "" or str(int(field)) == field
            assert column["type"] != "BOOLEAN" or field in ("true", "false")
