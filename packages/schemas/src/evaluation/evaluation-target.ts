import { Type, type Static } from "@sinclair/typebox"
import { AnyName, Timestamp, enumeration } from "../records/field-types.ts"
import { SecretRef } from "../secrets/secret.ts"

export const TARGET_TYPES = ["model", "cached_outputs", "rows", "dataset"] as const
export type TargetType = (typeof TARGET_TYPES)[number]

/** Where a model answers. A key that is written here is stored as a secret and shown as `******`. */
export const ApiEndpoint = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      description: "A base such as https://host/v1, or the whole …/chat/completions; without user name and password.",
    }),
    model_id: Type.String({ minLength: 1 }),
    api_key_secret: Type.Optional(SecretRef),
    api_key: Type.Optional(Type.String({ description: "Stored as a secret; answered as ******." })),
    api_key_env: Type.Optional(
      Type.String({ description: "In files of the command line alone: the variable with the key." }),
    ),
    ca: Type.Optional(Type.String({ description: "Certificates in PEM that are trusted besides the usual ones." })),
    format: Type.Optional(Type.String({ description: "`openai` and `nim` are asked alike." })),
  },
  { $id: "ApiEndpoint", additionalProperties: true },
)
export type ApiEndpoint = Static<typeof ApiEndpoint>

export const EvaluationModel = Type.Object(
  { api_endpoint: ApiEndpoint },
  { $id: "EvaluationModel", additionalProperties: true },
)
export type EvaluationModel = Static<typeof EvaluationModel>

/** A dataset of an evaluation. Lenient: what is missing is found at launch. */
export const EvaluationDataset = Type.Object(
  {
    files_url: Type.Optional(Type.String({ examples: ["assay://datasets/default/questions/rows.jsonl"] })),
    format: Type.Optional(Type.String()),
    split: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer({ minimum: 1 })),
    hf_endpoint: Type.Optional(Type.String()),
  },
  { $id: "EvaluationDataset", additionalProperties: true },
)
export type EvaluationDataset = Static<typeof EvaluationDataset>

/** What is evaluated: a model that is asked, or outputs that are there already. */
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
