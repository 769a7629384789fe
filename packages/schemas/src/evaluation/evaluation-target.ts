import { Type, type Static } from "@sinclair/typebox"
import { AnyName, Timestamp, enumeration } from "../records/field-types.ts"
import { SecretRef } from "../access/secret.ts"
import { numberField } from "../records/number-field.ts"

export const TARGET_TYPES = ["model", "cached_outputs", "rows", "dataset"] as const

/** The `format` of endpoints that are asked at `/completions`, with a text. All others are asked for chat completions. */
export const TEXT_FORMAT = "completions"

/** The `format` of endpoints that are asked for vectors of texts, at `/embeddings`. */
export const EMBEDDINGS_FORMAT = "embeddings"

/** The endpoint of a model. An inline key is stored as a secret and shown as `******`. */
export const ApiEndpoint = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      description:
        "A base address such as https://host/v1, or the whole …/chat/completions or …/completions; without user name and password.",
    }),
    model_id: Type.String({ minLength: 1 }),
    api_key_secret: Type.Optional(SecretRef),
    api_key: Type.Optional(Type.String({ description: "Stored as a secret; shown as ******." })),
    api_key_env: Type.Optional(
      Type.String({ description: "Only in files of the command line: the variable with the key." }),
    ),
    ca: Type.Optional(
      Type.String({ description: "Certificates in PEM that are trusted besides those of the system." }),
    ),
    format: Type.Optional(
      Type.String({
        description:
          "`completions`: a target that is asked at …/completions with a text, for tasks with a prompt. `embeddings`: the model in `embeddings` of a metric, asked at …/embeddings. Default: it is asked for chat completions; `openai` and `nim` mean the same.",
        examples: [TEXT_FORMAT],
      }),
    ),
  },
  { $id: "ApiEndpoint", additionalProperties: true },
)
export type ApiEndpoint = Static<typeof ApiEndpoint>

export const EvaluationModel = Type.Object(
  {
    api_endpoint: ApiEndpoint,
    reasoning: Type.Optional(
      Type.Unknown({
        description:
          'Removes reasoning from answers before they are scored: {"remove": true, "tags": ["<think>", "</think>"]}. Checked at the launch.',
      }),
    ),
  },
  { $id: "EvaluationModel", additionalProperties: true },
)
export type EvaluationModel = Static<typeof EvaluationModel>

/** A dataset of an evaluation. It is lenient: the launch reports missing fields. */
export const EvaluationDataset = Type.Object(
  {
    files_url: Type.Optional(Type.String({ examples: ["assay://datasets/default/questions/rows.jsonl"] })),
    format: Type.Optional(Type.String()),
    split: Type.Optional(Type.String()),
    limit: Type.Optional(numberField("count")),
    hf_endpoint: Type.Optional(Type.String()),
  },
  { $id: "EvaluationDataset", additionalProperties: true },
)
export type EvaluationDataset = Static<typeof EvaluationDataset>

/** The target of an evaluation: a model that is called, or existing outputs. */
export const EvaluationTargetBody = Type.Object(
  {
    type: enumeration(TARGET_TYPES),
    name: Type.Optional(Type.String({ pattern: "^[\\w\\-+.@:]*$", maxLength: 255 })),
    namespace: Type.Optional(Type.String({ default: "default" })),
    description: Type.Optional(Type.String()),
    model: Type.Optional(EvaluationModel),
    cached_outputs: Type.Optional(EvaluationDataset),
    dataset: Type.Optional(EvaluationDataset),
    rows: Type.Optional(Type.Array(Type.Record(AnyName, Type.Unknown()), { maxItems: 10_000 })),
    project: Type.Optional(Type.String()),
    custom_fields: Type.Optional(Type.Record(AnyName, Type.Unknown())),
  },
  { $id: "EvaluationTargetBody", additionalProperties: true },
)
export type EvaluationTargetBody = Static<typeof EvaluationTargetBody>

export const EvaluationTarget = Type.Intersect(
  [EvaluationTargetBody, Type.Object({ id: Type.String(), created_at: Timestamp, updated_at: Timestamp })],
  { $id: "EvaluationTarget" },
)
export type EvaluationTarget = EvaluationTargetBody & { id: string; created_at: string; updated_at: string }
