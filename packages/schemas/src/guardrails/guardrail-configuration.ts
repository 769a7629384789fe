import { Type, type Static } from "@sinclair/typebox"
import { ValidationIssue } from "../errors/error-body.ts"
import { Timestamp } from "../records/field-types.ts"
import { pageOf } from "../records/page.ts"
import { SameName } from "../requests/same-name.ts"
import { GuardrailData } from "./guardrail-data.ts"

const Name = Type.String({
  pattern: "^(?!\\.{1,2}$)[A-Za-z0-9_.\\-]+$",
  minLength: 1,
  maxLength: 255,
  examples: ["strict"],
})

export const GuardrailConfiguration = Type.Object(
  {
    id: Type.String({ examples: ["guardrail-3QJmnh8Y1kGqvS4cQKFJ2b"] }),
    entity_id: Type.String({ description: "The same as `id`, for clients that use this name." }),
    name: Type.String(),
    workspace: Type.String(),
    namespace: Type.Optional(Type.String({ description: "The same as `workspace`; only in responses of the v1 API." })),
    project: Type.String(),
    description: Type.String(),
    data: GuardrailData,
    warnings: Type.Optional(
      Type.Array(ValidationIssue, {
        description:
          "After a creation or an update: keys of the configuration that have no effect, and prompts that do not show the text to judge.",
      }),
    ),
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
    data: Type.Optional(GuardrailData),
  },
  { $id: "CreateGuardrailConfiguration", additionalProperties: false },
)
export type CreateGuardrailConfiguration = Static<typeof CreateGuardrailConfiguration>

/** A given key replaces the whole value; null empties it. The name can't change: if it is given, it must be that of the path. */
export const UpdateGuardrailConfiguration = Type.Object(
  {
    name: SameName,
    description: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])),
    project: Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Null()])),
    data: Type.Optional(GuardrailData),
  },
  { $id: "UpdateGuardrailConfiguration", additionalProperties: false },
)
export type UpdateGuardrailConfiguration = Static<typeof UpdateGuardrailConfiguration>

export const GuardrailConfigurationPage = pageOf(GuardrailConfiguration, "GuardrailConfigurationPage")
export type GuardrailConfigurationPage = Static<typeof GuardrailConfigurationPage>
