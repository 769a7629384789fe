import { Type, type Static } from "@sinclair/typebox"
import { AnyName, orNull } from "../records/field-types.ts"

/** One message of a chat. The content is text or parts. Other keys are passed on to the model. */
export const ChatMessage = Type.Object(
  {
    role: Type.String({ minLength: 1, examples: ["user"] }),
    content: Type.Optional(Type.Union([Type.String(), Type.Array(Type.Record(AnyName, Type.Unknown())), Type.Null()])),
  },
  { $id: "ChatMessage", additionalProperties: true },
)
export type ChatMessage = Static<typeof ChatMessage> & Readonly<Record<string, unknown>>

/** The body of a chat completion. Parameters that are not listed are passed on to the model unchanged. */
export const ChatBody = Type.Object(
  {
    model: Type.Optional(Type.String()),
    messages: Type.Array(ChatMessage, { minItems: 1 }),
    stream: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  },
  { $id: "ChatBody", additionalProperties: true },
)
export type ChatBody = Static<typeof ChatBody> & Readonly<Record<string, unknown>>

const UNKNOWN = "Null: the endpoint does not say how many."

/** Tokens of an answer. A number that can't be right, such as a negative one, is unknown, too. */
export const TokenUsage = Type.Object(
  {
    prompt_tokens: orNull<number>("integer", UNKNOWN),
    completion_tokens: orNull<number>("integer", UNKNOWN),
    total_tokens: orNull<number>("integer", UNKNOWN),
  },
  { $id: "TokenUsage" },
)
export type TokenUsage = Static<typeof TokenUsage>
