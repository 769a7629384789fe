import { type Static, type TSchema, Type } from "@sinclair/typebox"
import { AnyName, numberField } from "@assay/schemas"

export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
export const text = (description: string, example: string) =>
  Type.String({ minLength: 1, description, examples: [example] })

/** The address of a model in one word. */
export const ModelName = Type.String({
  pattern: "^[^#\\s]+#\\S",
  description: "A model at an address that speaks OpenAI's protocol: URL#NAME.",
  examples: ["http://127.0.0.1:9000/v1#chat"],
})

export const ModelObject = Type.Object(
  {
    url: text("The base address, without user name and password.", "https://host/v1"),
    model: text("The name of the model at this address.", "chat-large"),
    key: optional(
      text(
        "The name of the variable with the key (capitals, and KEY, TOKEN or SECRET in it), or of a secret of the server. Never the key itself.",
        "CHAT_API_KEY",
      ),
    ),
    temperature: optional(Type.Number({ description: "Sent with each request. Default: not sent." })),
    top_p: optional(Type.Number({ description: "Sent with each request. Default: not sent." })),
    max_tokens: optional(
      Type.Integer({
        minimum: 1,
        description: "The longest answer, in tokens. Default: that of the endpoint; 1024 for a judge.",
      }),
    ),
    seed: optional(Type.Integer({ description: "Sent with each request. Default: not sent." })),
    stop: optional(
      Type.Union([Type.String(), Type.Array(Type.String())], { description: "Texts at which an answer ends." }),
    ),
    extra: optional(Type.Record(AnyName, Type.Unknown(), { description: "Other parameters of each request." })),
    prompt_price: optional(
      numberField("price", { description: "What a million tokens of prompts cost, in any currency." }),
    ),
    completion_price: optional(
      numberField("price", { description: "What a million tokens of answers cost, in the same currency." }),
    ),
    format: optional(
      Type.String({
        description: "`completions`: asked with a text instead of a chat. Default: chat.",
        examples: ["completions"],
      }),
    ),
    reasoning: optional(
      Type.Unknown({ description: "How reasoning is removed from answers: `{ remove: true }`. Default: it stays." }),
    ),
    ca: optional(Type.String({ description: "Certificates in PEM that are trusted besides those of the system." })),
    name: optional(text("The label of the model in `models`. Default: its name.", "large")),
  },
  { additionalProperties: false, description: "A model with a key, parameters or prices." },
)

/** A model, as an address or an object. */
export const ShortModel = Type.Union([ModelName, ModelObject])
export type ShortModel = Static<typeof ShortModel>
