import { type Static, Type } from "@sinclair/typebox"
import { enumeration } from "../enumeration.ts"
import { SecretRef } from "../secret-ref.ts"

/** What a harness may use, with all the processes that it starts. */
export const HarnessLimits = Type.Object(
  {
    memory: Type.Optional(Type.Integer({ minimum: 16_777_216, description: "Bytes of memory." })),
    cpu: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: "Seconds of processor time, over all cores." })),
    processes: Type.Optional(Type.Integer({ minimum: 1, description: "Processes and threads at a time." })),
    disk: Type.Optional(
      Type.Integer({ minimum: 1_048_576, description: "Bytes on disk in its working folder and `/tmp`." }),
    ),
  },
  { $id: "HarnessLimits", additionalProperties: false },
)
export type HarnessLimits = Static<typeof HarnessLimits>

const VARIABLE = "^[A-Za-z_][A-Za-z0-9_]*$"

/** The command that a `benchmark` runs in place of asking rows: a harness of the user's own. */
export const HarnessConfig = Type.Object(
  {
    command: Type.Array(Type.String(), {
      minItems: 1,
      description:
        "Program and arguments, started without a shell. Each argument is a Jinja template over `target` (`url`, `model_id`), `results` and `limit_samples`.",
      examples: [
        [
          "lm_eval",
          "--model_args",
          "base_url={{ target.url }},model={{ target.model_id }}",
          "--output_path",
          "{{ results }}",
        ],
      ],
    }),
    environment: Type.Optional(
      Type.Record(Type.String({ pattern: VARIABLE }), Type.String(), {
        description: "Variables, besides those that the operator gives.",
      }),
    ),
    secrets: Type.Optional(
      Type.Record(Type.String({ pattern: VARIABLE }), SecretRef, {
        description: "Variables that are set to the values of secrets.",
      }),
    ),
    results: Type.Optional(
      Type.String({
        minLength: 1,
        default: "results.json",
        description: "File that it writes its scores to, in its working folder: `{task: {metric: {score: number}}}`.",
      }),
    ),
    network: Type.Optional(
      enumeration(["none", "endpoint"], {
        default: "none",
        description:
          "What it reaches where it runs in a sandbox. `none`: nothing. `endpoint`: the endpoint of the target alone, at `ASSAY_TARGET_URL` and `{{ target.url }}`; its key is added on the way.",
      }),
    ),
    time_limit: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: 604_800, default: 86_400, description: "Seconds." }),
    ),
    limits: Type.Optional(
      Type.Object(HarnessLimits.properties, {
        additionalProperties: false,
        description:
          "What it may use, with all that it starts; a harness beyond one of them is ended, and the job fails. Default: what the operator says.",
      }),
    ),
  },
  { $id: "HarnessConfig", additionalProperties: false },
)
export type HarnessConfig = Static<typeof HarnessConfig>
