import { fieldsOf } from "@assay/json"
import { invalidRequest, type ChatBody, type ChatMessage, type ResponsesBody } from "@assay/schemas"
import type { Fields } from "../chat-form.ts"
import { checkFields } from "./refused-fields.ts"
import { inputMessages } from "./input-messages.ts"
import { chatToolChoice, chatTools } from "./tools.ts"

/** Fields that mean something only to OpenAI's own service, or that are converted below. They are not sent to the model. */
const NOT_SENT: ReadonlySet<string> = new Set(
  (
    "input instructions messages model stream stream_options tools tool_choice text reasoning max_output_tokens " +
    "max_tool_calls metadata store include truncation prompt_cache_key prompt_cache_retention prompt_cache_options " +
    "safety_identifier access_programs previous_response_id conversation background prompt context_management " +
    "moderation image n top_logprobs"
  ).split(" "),
)

/** Converts a request for a response to the chat that it means. @throws `invalid_request` for what a chat can't do */
export function chatRequest(body: ResponsesBody): ChatBody {
  checkFields(body)
  const { input, instructions, model, stream } = body
  const system: ChatMessage[] =
    typeof instructions === "string" && instructions !== "" ? [{ role: "system", content: instructions }] : []
  const messages = [...system, ...inputMessages(input)]
  if (messages.length === 0) throw invalidRequest(["body", "input"], "must not be empty", "min_items")
  return {
    ...passedOn(body),
    ...converted(body),
    messages,
    ...(typeof model === "string" ? { model } : {}),
    // The last event reports the tokens.
    ...(stream === true ? { stream, stream_options: { include_usage: true } } : {}),
  }
}

function passedOn(body: ResponsesBody): Fields {
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => !NOT_SENT.has(name) && value !== null))
}

/** Returns the parameters that a chat has under other names. */
function converted(body: ResponsesBody): Fields {
  const { max_output_tokens: limit, reasoning, text } = body
  const { effort } = fieldsOf(reasoning)
  const { format, verbosity } = fieldsOf(text)
  const tools = chatTools(body.tools)
  const choice = chatToolChoice(body.tool_choice)
  return {
    ...(limit === undefined || limit === null ? {} : { max_tokens: limit }),
    ...(typeof effort === "string" ? { reasoning_effort: effort } : {}),
    ...(typeof verbosity === "string" ? { verbosity } : {}),
    ...formatOf(fieldsOf(format)),
    ...(tools.length === 0 ? {} : { tools }),
    // Model servers refuse a choice without tools.
    ...(tools.length === 0 || choice === undefined ? {} : { tool_choice: choice }),
  }
}

function formatOf({ type, ...schema }: Fields): Fields {
  if (type === undefined || type === "text") return {}
  return { response_format: type === "json_schema" ? { type, json_schema: schema } : { type } }
}
