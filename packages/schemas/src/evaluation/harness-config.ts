import { Type, type Static } from "@sinclair/typebox"
import { enumeration } from "../records/field-types.ts"
import { SecretRef } from "../access/secret.ts"
import { numberField } from "../records/number-field.ts"

/** Limits of a harness and all the processes that it starts. */
export const HarnessLimits = Type.Object(
  {
    memory: Type.Optional(numberField("bytes", { minimum: 16_777_216, description: "Bytes of memory." })),
    cpu: Type.Optional(numberField("seconds", { description: "Seconds of processor time, over all cores." })),
    processes: Type.Optional(numberField("count", { description: "Processes and threads at the same time." })),
    disk: Type.Optional(
      numberField("bytes", { minimum: 1_048_576, description: "Bytes on disk in the working folder and `/tmp`." }),
    ),
  },
  { $id: "HarnessLimits", additionalProperties: false },
)
export type HarnessLimits = Static<typeof HarnessLimits>

const VARIABLE = "^[A-Za-z_][A-Za-z0-9_]*$"

/** The harness of a `benchmark`: a command of the user that evaluates rows of its own. */
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
        description: "Variables, besides those of the operator.",
      }),
    ),
    secrets: Type.Optional(
      Type.Record(Type.String({ pattern: VARIABLE }), SecretRef, {
        description: "Variables that get the values of secrets.",
      }),
    ),
    results: Type.Optional(
      Type.String({
        minLength: 1,
        default: "results.json",
        description: "The file with its scores, in its working folder: `{task: {metric: {score: number}}}`.",
      }),
    ),
    network: Type.Optional(
      enumeration(["none", "endpoint"], {
        default: "none",
        description:
          "Network access of a harness in a sandbox. `none`: no access. `endpoint`: only the endpoint of the target, at `ASSAY_TARGET_URL` and `{{ target.url }}`; its key is added to each request.",
      }),
    ),
    time_limit: Type.Optional(numberField("seconds", { maximum: 604_800, default: 86_400, description: "Seconds." })),
    limits: Type.Optional(
      Type.Object(HarnessLimits.properties, {
        additionalProperties: false,
        description:
          "Limits of the harness and all its processes. A harness beyond a limit is stopped, and the job fails. Default: the limits of the operator.",
      }),
    ),
  },
  { $id: "HarnessConfig", additionalProperties: false },
)
export type HarnessConfig = Static<typeof HarnessConfig>
