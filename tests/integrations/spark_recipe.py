"""Rank a Parquet set with Spark: python spark_recipe.py SET PARTS."""

import sys

from pyspark.sql import SparkSession, functions
from pyspark.sql.pandas.types import from_arrow_schema

import adjudge as aj

where, parts = sys.argv[1:3]
task = aj.rank_task(["best(f1_ba)", "ap"])


def judge(frame):
    frame = frame.sort_values(["id", "time"]).drop(columns="bucket")
    return aj.rank_part(frame, task, series="id", group="dataset").to_pandas()


spark = SparkSession.builder.config("spark.ui.enabled", "false").getOrCreate()
table = spark.read.parquet(where)
table = table.withColumn("bucket", functions.abs(functions.hash("id")) % 4)  # 1,000 series in each
judged = table.groupBy("bucket").applyInPandas(judge, from_arrow_schema(task.schema))
judged.write.mode("overwrite").parquet(parts)
spark.stop()
print(aj.rank_finish(parts, task))
