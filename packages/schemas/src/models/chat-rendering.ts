import { Type, type Static } from "@sinclair/typebox"
import { ChatMessage } from "../inference/chat.ts"
import { AnyName } from "../records/field-types.ts"

/** A conversation that the chat template of a model renders. */
export const ChatRenderBody = Type.Object(
  {
    messages: Type.Array(ChatMessage, { minItems: 1, maxItems: 500 }),
    tools: Type.Optional(
      Type.Array(Type.Record(AnyName, Type.Unknown()), {
        maxItems: 200,
        description: "Tools that the model may call, as in a chat completion. Default: none.",
      }),
    ),
    add_generation_prompt: Type.Optional(
      Type.Boolean({ description: "Whether the prompt ends with the beginning of an answer. Default true." }),
    ),
  },
  { $id: "ChatRenderBody", additionalProperties: false },
)
export type ChatRenderBody = Static<typeof ChatRenderBody>

/** The prompt that a model gets, or why its template cannot render the conversation. */
export const ChatRendering = Type.Object(
  {
    text: Type.Union([Type.String(), Type.Null()], { description: "Null if the template fails." }),
    fault: Type.Union([
      Type.Object({
        line: Type.Union([Type.Integer(), Type.Null()], { description: "Of the template, from 1; null without one." }),
        message: Type.String(),
      }),
      Type.Null(),
    ]),
    special_tokens: Type.Array(Type.String(), {
      description: "Texts that the tokenizer reads as one token each: those with a name, and those marked as special.",
    }),
  },
  { $id: "ChatRendering" },
)
export type ChatRendering = Static<typeof ChatRendering>
