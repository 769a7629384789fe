import { fieldsOf, findJsonExcess, isJsonObject, listOf, parseJsonExactly } from "@assay/json"
import { readTokenUsage } from "@assay/inference"
import { AssayError, type ChatMessage } from "@assay/schemas"
import { readAtif } from "./read-atif.ts"
import { readTranscript as readSpans } from "@assay/traces"
import { textOfContent, type Transcript } from "./transcript.ts"

export type TranscriptForm = "text" | "json" | "atif" | "otlp"

const DEPTH = { depth: 64, parts: 1_000_000, values: 1_000_000, keys: 10_000 }
/** Messages of a transcript. */
const MAX_MESSAGES = 10_000
/** Characters of an answer that are shown. */
const MAX_SHOWN = 100

const FORMS = {
  json: 'an object with "output" or "messages"',
  atif: 'a trajectory with "schema_version": "ATIF-…" and "steps"',
} as const

/** Reads what an agent returned. @throws `answer_unusable` if it does not have the form of the file */
export function readTranscript(text: string, form: TranscriptForm): Transcript {
  if (form === "text") {
    const output = text.trimEnd()
    return { output_text: output, messages: [{ role: "assistant", content: output }], usage: null }
  }
  if (form === "otlp") return bounded(readOtlp(text))
  const value = parsed(text)
  const read = !isJsonObject(value) ? undefined : form === "atif" ? readAtif(value) : readJson(value)
  if (read === undefined) {
    const said = text.trim().slice(0, MAX_SHOWN)
    const what = said === "" ? "nothing" : `'${said}'`
    throw unusable(`The agent returned ${what}, and its transcript is ${FORMS[form]} in JSON`)
  }
  return bounded(read)
}

function bounded(read: Transcript): Transcript {
  if (read.messages.length <= MAX_MESSAGES) return read
  throw unusable(`The transcript of the agent has more than ${MAX_MESSAGES} messages`)
}

/** Reads spans, of which the last answer is that of the agent. */
function readOtlp(text: string): Transcript {
  const read = readSpans(text)
  if (typeof read === "string") throw unusable(`The agent returned no trace in OTLP JSON: its output ${read}`)
  const { messages, tokens } = read
  const last = messages.findLast(({ role, content }) => role === "assistant" && textOfContent(content) !== null)
  return { output_text: textOfContent(last?.content), messages, usage: readTokenUsage({ total_tokens: tokens }) }
}

function readJson(value: Readonly<Record<string, unknown>>): Transcript | undefined {
  const { output, messages: given, state, usage } = value
  if (output === undefined && !Array.isArray(given)) return undefined
  const said = listOf(given).flatMap((message) => chatMessages(fieldsOf(message)))
  const last = said.findLast(({ role, content }) => role === "assistant" && textOfContent(content) !== null)
  const written = output === undefined ? textOfContent(last?.content) : textOrJson(output)
  const isSaid = said.length > 0 && (output === undefined || textOfContent(last?.content) === written)
  return {
    output_text: written,
    messages: isSaid ? said : [...said, { role: "assistant", content: written }],
    usage: readTokenUsage(usage, { hasOutput: (written ?? "") !== "" }),
    ...(state === undefined ? {} : { state }),
  }
}

function textOrJson(output: unknown): string | null {
  return output === null || typeof output === "string" ? output : JSON.stringify(output)
}

const ROLES: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant", "tool"])

/** Reads a message of a chat. One of another role is left out. */
function chatMessages(message: Record<string, unknown>): readonly ChatMessage[] {
  const { role, content = null } = message
  return ROLES.has(role) ? [{ ...message, role: String(role), content } as ChatMessage] : []
}

function parsed(text: string): unknown {
  if (findJsonExcess(text, DEPTH) !== undefined) return undefined
  try {
    return parseJsonExactly(text)
  } catch {
    return undefined
  }
}

function unusable(why: string): AssayError {
  return new AssayError("answer_unusable", `${why}; correct the agent, or write another \`transcript\`.`)
}
