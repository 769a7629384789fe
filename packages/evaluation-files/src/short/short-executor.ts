import { Type } from "@sinclair/typebox"

/** The keys of the short form about executors. */
export const EXECUTOR_KEYS = {
  executor: Type.Optional(
    Type.String({
      minLength: 1,
      description: "The profile of the file in ASSAY_EXECUTORS whose engine runs the rows in shards. Default: none.",
      examples: ["cluster"],
    }),
  ),
  shards: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: "Shards on the executor. Default: those of its profile.",
    }),
  ),
  at_once: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: "Shards that run at the same time on the executor. Default: those of its profile.",
    }),
  ),
} as const
