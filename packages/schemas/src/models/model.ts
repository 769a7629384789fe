import { Type, type Static } from "@sinclair/typebox"
import { CustomFields, Timestamp, enumeration, orNull } from "../records/field-types.ts"
import { pageOf } from "../records/page.ts"
import { SameName } from "../requests/same-name.ts"
import { GivenModelSpec } from "./given-model-spec.ts"
import { ModelSpec } from "./model-spec.ts"

const ANALYSIS_STATUSES = ["running", "completed", "failed"] as const

export const MODEL_SORTS = ["created_at", "-created_at", "name", "-name", "updated_at", "-updated_at"] as const
export type ModelSort = (typeof MODEL_SORTS)[number]

/** The result of analysing a model's checkpoint, and its cost. */
export const ModelAnalysis = Type.Object(
  {
    status: enumeration(ANALYSIS_STATUSES),
    error: Type.Union([
      Type.Object({ code: Type.String(), message: Type.String() }, { description: "Why the analysis failed." }),
      Type.Null(),
    ]),
    warnings: Type.Array(Type.String(), { description: "Findings of the analysis for the owner." }),
    bytes_read: Type.Integer(),
    requests: Type.Integer({ description: "Calls of the storage. Each is at least one request of a remote backend." }),
    analyzed_at: Type.Union([Timestamp, Type.Null()], {
      description: "When the analysis ended; null while it is running.",
    }),
  },
  { $id: "ModelAnalysis" },
)
export type ModelAnalysis = Static<typeof ModelAnalysis>

/** Where a model is served, in the form of the original platform. It is stored and returned; nothing asks it. */
const ModelEndpoint = Type.Object(
  {
    url: Type.Optional(
      Type.Union([
        Type.String({
          pattern: "^https?://[^\\s@?#]+$",
          maxLength: 2048,
          description: "Without a user, a password or a query.",
          examples: ["http://127.0.0.1:9000/v1"],
        }),
        Type.Null(),
      ]),
    ),
    model_id: Type.Optional(Type.Union([Type.String({ maxLength: 512 }), Type.Null()])),
    format: Type.Optional(Type.Union([Type.String({ maxLength: 64, examples: ["openai"] }), Type.Null()])),
  },
  { $id: "ModelEndpoint", additionalProperties: false },
)
export type ModelEndpoint = Static<typeof ModelEndpoint>

const Providers = Type.Array(Type.String({ maxLength: 512 }), {
  maxItems: 100,
  description: "Names of what serves the model, as the client gave them.",
})
const BaseModel = Type.String({ maxLength: 512, description: "The model that it was made from, `<workspace>/<name>`." })

/** The description of a model by a client. It is stored and returned unchanged. */
const described = {
  api_endpoint: Type.Optional(Type.Union([ModelEndpoint, Type.Null()])),
  base_model: Type.Optional(Type.Union([BaseModel, Type.Null()])),
  model_providers: Type.Optional(Type.Union([Providers, Type.Null()])),
}

/** A model: a checkpoint in a fileset, with the result of its analysis, or one that is only described. */
export const Model = Type.Object(
  {
    id: Type.String({ examples: ["model-3QJmnh8Y1kGqvS4cQKFJ2b"] }),
    name: Type.String(),
    workspace: Type.String({ description: "The workspace that owns it." }),
    project: Type.String(),
    description: Type.String(),
    fileset: orNull<string>(
      "string",
      "The fileset of the checkpoint: `<workspace>/<fileset_name>`. Null for a model that is only described.",
    ),
    spec: Type.Union([ModelSpec, Type.Null()], { description: "Null until an analysis has completed." }),
    analysis: ModelAnalysis,
    api_endpoint: Type.Union([ModelEndpoint, Type.Null()]),
    base_model: Type.Union([BaseModel, Type.Null()]),
    model_providers: Providers,
    custom_fields: CustomFields,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: "Model" },
)
export type Model = Static<typeof Model>

export const ModelName = Type.String({
  pattern: "^(?!\\.{1,2}$)[A-Za-z0-9_.\\-]+$",
  minLength: 1,
  maxLength: 255,
  examples: ["llama-3.1-8b"],
})

export const CreateModel = Type.Object(
  {
    name: ModelName,
    fileset: Type.Optional(
      Type.Union([
        Type.String({
          pattern: "^([^/\\s]+/)?[A-Za-z0-9_.\\-]+$",
          maxLength: 512,
          description:
            "`<workspace>/<fileset_name>`, or a fileset of the model's own workspace. Without one the model is only described.",
        }),
        Type.Null(),
      ]),
    ),
    spec: Type.Optional(Type.Union([GivenModelSpec, Type.Null()])),
    ...described,
    description: Type.Optional(Type.String({ maxLength: 1000, default: "" })),
    project: Type.Optional(Type.String({ maxLength: 255, default: "" })),
    custom_fields: Type.Optional(CustomFields),
  },
  { $id: "CreateModel", additionalProperties: false },
)
export type CreateModel = Static<typeof CreateModel>

/** A given key replaces the whole value; null empties it. Name and fileset can't change. */
export const UpdateModel = Type.Object(
  {
    name: SameName,
    spec: Type.Optional(Type.Union([GivenModelSpec, Type.Null()])),
    ...described,
    description: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])),
    project: Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Null()])),
    custom_fields: Type.Optional(Type.Union([CustomFields, Type.Null()])),
  },
  { $id: "UpdateModel", additionalProperties: false },
)
export type UpdateModel = Static<typeof UpdateModel>

export const ModelPage = pageOf(Model, "ModelPage")
export type ModelPage = Static<typeof ModelPage>
