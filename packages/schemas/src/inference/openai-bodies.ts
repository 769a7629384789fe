import { Type, type Static } from "@sinclair/typebox"
import { AnyName } from "../records/field-types.ts"

const optional = <Schema extends Parameters<typeof Type.Optional>[0]>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

const Parts = Type.Array(Type.Record(AnyName, Type.Unknown()))

/** The body of a request in the form of OpenAI's Responses. Parameters that are not listed are passed on to the model unchanged. */
export const ResponsesBody = Type.Object(
  {
    model: optional(Type.String()),
    input: Type.Union([Type.String(), Parts], {
      description: "A message of the user, or messages, function calls and their outputs.",
    }),
    instructions: optional(Type.String({ description: "The first system message." })),
    tools: optional(Type.Array(Type.Record(AnyName, Type.Unknown()), { description: "Functions only." })),
    tool_choice: optional(Type.Union([Type.String(), Type.Record(AnyName, Type.Unknown())])),
    parallel_tool_calls: optional(Type.Boolean()),
    max_output_tokens: optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
    temperature: optional(Type.Number({ minimum: 0, maximum: 2 })),
    top_p: optional(Type.Number({ minimum: 0, maximum: 1 })),
    text: optional(Type.Record(AnyName, Type.Unknown(), { description: "`format` and `verbosity`." })),
    reasoning: optional(Type.Record(AnyName, Type.Unknown(), { description: "`effort`; other keys have no effect." })),
    metadata: optional(Type.Record(AnyName, Type.Unknown())),
    stream: optional(Type.Boolean()),
  },
  { $id: "ResponsesBody", additionalProperties: true },
)
export type ResponsesBody = Static<typeof ResponsesBody> & Readonly<Record<string, unknown>>

/** The body of a request in the form of OpenAI's completions of texts. It is asked as a chat with one message of the user. */
export const TextCompletionBody = Type.Object(
  {
    model: optional(Type.String()),
    prompt: Type.Union([Type.String(), Type.Array(Type.Unknown())], { description: "One text, or a list with one." }),
    stream: optional(Type.Boolean()),
  },
  { $id: "TextCompletionBody", additionalProperties: true },
)
export type TextCompletionBody = Static<typeof TextCompletionBody> & Readonly<Record<string, unknown>>

/** A model that can be asked. */
export const AskableModel = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal("model"),
    created: Type.Integer({ description: "Always 0: it is not known." }),
    owned_by: Type.String(),
  },
  { $id: "AskableModel" },
)
export type AskableModel = Static<typeof AskableModel>

export const AskableModelList = Type.Object(
  { object: Type.Literal("list"), data: Type.Array(AskableModel) },
  { $id: "AskableModelList" },
)
export type AskableModelList = Static<typeof AskableModelList>
