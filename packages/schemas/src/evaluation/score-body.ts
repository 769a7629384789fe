import { Type } from "@sinclair/typebox"
import { AnyName } from "../records/field-types.ts"
import { MetricConfig } from "./evaluation-config.ts"

/** Metrics that are added to a finished job, by task. */
export const ScoreBody = Type.Object(
  {
    tasks: Type.Record(AnyName, Type.Object({ metrics: Type.Record(AnyName, MetricConfig, { minProperties: 1 }) }), {
      minProperties: 1,
    }),
  },
  { $id: "ScoreBody", additionalProperties: false },
)
export type ScoreBody = { tasks: Record<string, { metrics: Record<string, MetricConfig> }> }
