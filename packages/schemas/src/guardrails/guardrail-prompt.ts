import { Type, type Static } from "@sinclair/typebox"
import { vendorKey } from "./vendor-key.ts"
import { numberField } from "../records/number-field.ts"

const PromptMessage = Type.Object({ type: Type.String(), content: Type.String() }, { additionalProperties: false })

/**
 * The prompt of a model: one text, or the messages of a chat. It is a Jinja template over `user_input`, `bot_response` and `messages`,
 * and over `general_instructions`, `sample_conversation` and `reasoning_enabled` of the configuration.
 */
export const GuardrailPrompt = Type.Object(
  {
    task: Type.String({ minLength: 1, examples: ["content_safety_check_input $model=content_safety"] }),
    content: Type.Optional(Type.String({ minLength: 1 })),
    messages: Type.Optional(Type.Array(Type.Union([PromptMessage, Type.String()]), { minItems: 1 })),
    models: vendorKey(
      Type.Array(Type.String(), {
        examples: [["openai", "nim/meta/llama-3.1-8b-instruct"]],
        description: "The engines, or engines with models, that use this prompt. Absent: all.",
      }),
    ),
    mode: vendorKey(
      Type.String({ examples: ["standard"], description: "The `prompting_mode` that uses this prompt." }),
    ),
    output_parser: Type.Optional(Type.String()),
    max_tokens: Type.Optional(numberField("count")),
    max_length: vendorKey(
      numberField("count", { description: "Has no effect: a judge always sees the whole message." }),
    ),
    stop: vendorKey(
      Type.Array(Type.String({ minLength: 1 }), {
        maxItems: 16,
        description: "Stop sequences of the judge's answer.",
      }),
    ),
    version: Type.Optional(Type.String({ description: "Shown in logs and reports." })),
  },
  { $id: "GuardrailPrompt", additionalProperties: false },
)
export type GuardrailPrompt = Static<typeof GuardrailPrompt>
