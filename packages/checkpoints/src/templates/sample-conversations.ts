/** The variables of a template, except the tokens of its tokenizer. */
export interface SampleConversation {
  readonly messages: readonly Readonly<Record<string, unknown>>[]
  readonly tools: readonly Readonly<Record<string, unknown>>[] | null
  readonly documents: null
  readonly add_generation_prompt: boolean
}

type Write = (text: string) => unknown

/** Most templates expect a text. Those of image models may expect a list of parts. */
const WRITERS: readonly Write[] = [(text) => text, (text) => [{ type: "text", text }]]

const CITY = { type: "string", description: "City and country." }
const TOOL = {
  type: "function",
  function: {
    name: "get_weather",
    description: "Current weather of a city.",
    parameters: { type: "object", properties: { city: CITY }, required: ["city"] },
  },
}
const ARGUMENTS = { city: "Paris, France" }
/** Nine letters and digits, as the templates of Mistral require. */
const CALL_ID = "call00001"

/**
 * Returns conversations of two turns without a system message, which some models do not support. A template is valid if
 * it renders one of them.
 */
export function chatSamples(): readonly SampleConversation[] {
  return WRITERS.map((write) =>
    conversation(null, [
      { role: "user", content: write("What is the capital of France?") },
      { role: "assistant", content: write("Paris.") },
      { role: "user", content: write("And of Spain?") },
    ]),
  )
}

/** Returns conversations with a question and a tool that can answer it. */
export function toolSamples(): readonly SampleConversation[] {
  return WRITERS.map((write) => conversation([TOOL], [question(write)]))
}

/**
 * Returns conversations with a question, a tool call and the tool's result. Templates expect the arguments as an object
 * or as JSON text.
 */
export function toolTurnSamples(): readonly SampleConversation[] {
  return WRITERS.flatMap((write) =>
    [ARGUMENTS, JSON.stringify(ARGUMENTS)].map((given) =>
      conversation(
        [TOOL],
        [
          question(write),
          {
            role: "assistant",
            content: write(""),
            tool_calls: [{ id: CALL_ID, type: "function", function: { name: TOOL.function.name, arguments: given } }],
          },
          { role: "tool", tool_call_id: CALL_ID, name: TOOL.function.name, content: write("18 °C, clear") },
        ],
      ),
    ),
  )
}

function question(write: Write) {
  return { role: "user", content: write("How is the weather in Paris?") }
}

function conversation(
  tools: SampleConversation["tools"],
  messages: SampleConversation["messages"],
): SampleConversation {
  return { messages, tools, documents: null, add_generation_prompt: true }
}

/** Names of the tokens that a tokenizer can define. */
export const TOKEN_NAMES = [
  "bos_token",
  "eos_token",
  "unk_token",
  "sep_token",
  "pad_token",
  "cls_token",
  "mask_token",
  "additional_special_tokens",
] as const

/** A fixed date, so that a conversation renders the same on every day. */
export const SAMPLE_DATE = { year: 2024, month: 7, day: 26, hour: 0, minute: 0, second: 0 } as const

/** The names that `transformers` defines for every template. */
export const GLOBAL_NAMES = ["raise_exception", "strftime_now"] as const
