import { Type, type Static } from "@sinclair/typebox"
import { AnyName } from "../records/any-name.ts"
import { GuardrailsData } from "./guardrail-check.ts"

/** A chat completion as its model's endpoint wrote it, or the refusal in its place, with what the rails found. */
export const GuardedChat = Type.Object(
  {
    choices: Type.Array(Type.Record(AnyName, Type.Unknown()), {
      description: "A blocked answer has the configured refusal, and `finish_reason` `content_filter`.",
    }),
    guardrails_data: GuardrailsData,
  },
  { $id: "GuardedChat", additionalProperties: true },
)
export type GuardedChat = Static<typeof GuardedChat> & Readonly<Record<string, unknown>>
