import { jinjaGlobals, TemplateFailure } from "@assay/templates"

/** What a template is rendered with, besides the tokens of its tokenizer. */
export interface SampleConversation {
  readonly messages: readonly Readonly<Record<string, unknown>>[]
  readonly tools: readonly Readonly<Record<string, unknown>>[] | null
  readonly documents: null
  readonly add_generation_prompt: boolean
}

type Write = (text: string) => unknown

/** Most templates take a text; those of models for images may take parts alone. */
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
/** Nine letters and digits, which the templates of Mistral insist on. */
const CALL_ID = "call00001"

/** Two turns, without a system message: not every model takes one. The template is fine when it renders one of them. */
export function chatSamples(): readonly SampleConversation[] {
  return WRITERS.map((write) =>
    conversation(null, [
      { role: "user", content: write("What is the capital of France?") },
      { role: "assistant", content: write("Paris.") },
      { role: "user", content: write("And of Spain?") },
    ]),
  )
}

/** A question, and a tool that could answer it. */
export function toolSamples(): readonly SampleConversation[] {
  return WRITERS.map((write) => conversation([TOOL], [question(write)]))
}

/** A question, a call of the tool, what the tool said. Templates take arguments as an object or as its JSON text. */
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

/** Names of tokens that a tokenizer may give. */
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

/** The clock is not read: a sample is rendered alike on every day. */
const SAMPLE_DATE = "26 Jul 2024"

/** What every template finds, whoever renders it: the globals of `transformers`. */
export function templateGlobals(): Readonly<Record<string, unknown>> {
  return {
    ...jinjaGlobals(),
    strftime_now: () => SAMPLE_DATE,
    raise_exception(message: unknown) {
      throw new TemplateFailure(`raises an exception: ${String(message)}`)
    },
  }
}
