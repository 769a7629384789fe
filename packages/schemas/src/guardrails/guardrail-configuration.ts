import { Type, type Static } from "@sinclair/typebox"
import { AnyName } from "../any-name.ts"
import { enumeration } from "../enumeration.ts"
import { pageOf } from "../page.ts"
import { SecretRef } from "../secret-ref.ts"
import { Timestamp } from "../timestamp.ts"

export const RAIL_DECISIONS = ["block", "allow", "error"] as const
export type RailDecision = (typeof RAIL_DECISIONS)[number]

export const ENSEMBLE_KINDS = ["majority", "any-block", "cascade"] as const
export type EnsembleKind = (typeof ENSEMBLE_KINDS)[number]

/**
 * A model that a guardrail asks: `main` serves self-checks unless a flow names another, and its endpoint answers chat with the model
 * that the request names.
 */
export const GuardrailModel = Type.Object(
  {
    type: Type.String({ minLength: 1, examples: ["main", "content_safety"], description: "How flows name it." }),
    engine: Type.Optional(Type.String({ default: "openai", description: "Free text; all are asked alike." })),
    model: Type.Optional(
      Type.String({
        minLength: 1,
        description: "The model's name at its endpoint; of `main` the one that chat asks if a request names none.",
      }),
    ),
    pinned: Type.Optional(
      Type.Boolean({
        description:
          "Of `main`: chat asks this model alone, and a request that names another one is refused. Absent: not pinned.",
      }),
    ),
    url: Type.Optional(
      Type.String({
        minLength: 1,
        description: "A base such as https://host/v1, or the whole …/chat/completions; without user name and password.",
      }),
    ),
    api_key_secret: Type.Optional(SecretRef),
    ca: Type.Optional(Type.String({ description: "Certificates in PEM that are trusted besides the usual ones." })),
    family: Type.Optional(
      Type.String({
        description: "How it answers when it judges, a family or a vendor's parser name; absent: detected.",
      }),
    ),
    parameters: Type.Optional(
      Type.Record(AnyName, Type.Unknown(), {
        description:
          "Sent with each request: temperature, max_tokens, … Judges get temperature 0 and 256 tokens otherwise.",
      }),
    ),
  },
  { $id: "GuardrailModel", additionalProperties: false },
)
export type GuardrailModel = Static<typeof GuardrailModel>

/** What a model is asked: one text, or the messages of a chat; Jinja over `user_input`, `bot_response` and `messages`. */
export const GuardrailPrompt = Type.Object(
  {
    task: Type.String({ minLength: 1, examples: ["content_safety_check_input $model=content_safety"] }),
    content: Type.Optional(Type.String({ minLength: 1 })),
    messages: Type.Optional(
      Type.Array(Type.Object({ type: Type.String(), content: Type.String() }, { additionalProperties: false }), {
        minItems: 1,
      }),
    ),
    output_parser: Type.Optional(Type.String()),
    max_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
    version: Type.Optional(Type.String({ description: "Shown in logs and reports." })),
  },
  { $id: "GuardrailPrompt", additionalProperties: false },
)
export type GuardrailPrompt = Static<typeof GuardrailPrompt>

/** What a rail does where there is no clear verdict. */
export const RailPolicy = Type.Object(
  {
    on_unreadable: Type.Optional(enumeration(RAIL_DECISIONS, { default: "block" })),
    on_controversial: Type.Optional(enumeration(RAIL_DECISIONS, { default: "block" })),
    on_error: Type.Optional(enumeration(RAIL_DECISIONS, { default: "error" })),
  },
  { $id: "RailPolicy", additionalProperties: false },
)
export type RailPolicy = Static<typeof RailPolicy>

const Flows = Type.Array(Type.String({ minLength: 1 }), {
  examples: [["content safety check input $model=content_safety", "self check input"]],
})

export const GuardrailEnsemble = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    kind: enumeration(ENSEMBLE_KINDS),
    flows: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
  },
  { $id: "GuardrailEnsemble", additionalProperties: false },
)
export type GuardrailEnsemble = Static<typeof GuardrailEnsemble>

/** Which judges look at what goes into a model and what comes out of it. */
export const GuardrailData = Type.Object(
  {
    models: Type.Array(GuardrailModel, { minItems: 1 }),
    prompts: Type.Optional(Type.Array(GuardrailPrompt)),
    rails: Type.Object(
      {
        input: Type.Optional(Type.Object({ flows: Flows }, { additionalProperties: false })),
        output: Type.Optional(
          Type.Object(
            {
              flows: Flows,
              streaming: Type.Optional(
                Type.Object(
                  {
                    chunk_size: Type.Optional(Type.Integer({ minimum: 1, default: 200 })),
                    context_size: Type.Optional(Type.Integer({ minimum: 0, default: 50 })),
                  },
                  {
                    additionalProperties: false,
                    description: "Windows in characters in which streamed text is judged.",
                  },
                ),
              ),
            },
            { additionalProperties: false },
          ),
        ),
      },
      { additionalProperties: false },
    ),
    policies: Type.Optional(Type.Record(AnyName, RailPolicy, { description: "By flow, as it is written in `flows`." })),
    ensembles: Type.Optional(Type.Array(GuardrailEnsemble)),
    refusal: Type.Optional(Type.String({ default: "I can't help with that." })),
  },
  { $id: "GuardrailData", additionalProperties: false },
)
export type GuardrailData = Static<typeof GuardrailData>

const Name = Type.String({
  pattern: "^(?!\\.{1,2}$)[A-Za-z0-9_.\\-]+$",
  minLength: 1,
  maxLength: 255,
  examples: ["strict"],
})

export const GuardrailConfiguration = Type.Object(
  {
    id: Type.String({ examples: ["guardrail-3QJmnh8Y1kGqvS4cQKFJ2b"] }),
    entity_id: Type.String({ description: "The same as `id`, for clients that read it under this name." }),
    name: Type.String(),
    workspace: Type.String(),
    namespace: Type.Optional(Type.String({ description: "The same as `workspace`; in answers of the first version." })),
    project: Type.String(),
    description: Type.String(),
    data: GuardrailData,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: "GuardrailConfiguration" },
)
export type GuardrailConfiguration = Static<typeof GuardrailConfiguration>

export const CreateGuardrailConfiguration = Type.Object(
  {
    name: Name,
    description: Type.Optional(Type.String({ maxLength: 1000, default: "" })),
    project: Type.Optional(Type.String({ maxLength: 255, default: "" })),
    data: GuardrailData,
  },
  { $id: "CreateGuardrailConfiguration", additionalProperties: false },
)
export type CreateGuardrailConfiguration = Static<typeof CreateGuardrailConfiguration>

/** A key that is given replaces the whole value; null empties it. The name can't change. */
export const UpdateGuardrailConfiguration = Type.Object(
  {
    description: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])),
    project: Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Null()])),
    data: Type.Optional(GuardrailData),
  },
  { $id: "UpdateGuardrailConfiguration", additionalProperties: false },
)
export type UpdateGuardrailConfiguration = Static<typeof UpdateGuardrailConfiguration>

export const GuardrailConfigurationPage = pageOf(GuardrailConfiguration, "GuardrailConfigurationPage")
export type GuardrailConfigurationPage = Static<typeof GuardrailConfigurationPage>
