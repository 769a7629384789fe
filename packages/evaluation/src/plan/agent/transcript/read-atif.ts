import { readTokenUsage } from "@assay/inference"
import { fieldsOf, listOf } from "@assay/json"
import type { ChatMessage, TokenUsage } from "@assay/schemas"
import { textOfContent, type Transcript } from "./transcript.ts"

const ROLES: ReadonlyMap<unknown, string> = new Map([
  ["system", "system"],
  ["user", "user"],
])

/**
 * Reads a trajectory in the Agent Trajectory Interchange Format (versions 1.0 to 1.7 of Harbor's RFC 0001) leniently: steps of the system, the user and
 * the agent become messages, and the results of a step those of its calls. Returns undefined if it is not a trajectory.
 */
export function readAtif(value: Readonly<Record<string, unknown>>): Transcript | undefined {
  const { schema_version: version, steps, final_metrics: metrics } = value
  if (typeof version !== "string" || !version.startsWith("ATIF-") || !Array.isArray(steps)) return undefined
  const read = steps.map((step: unknown, at) => readStep(fieldsOf(step), at))
  const messages = read.flatMap((step) => step.messages)
  const last = messages.findLast(({ role, content }) => role === "assistant" && textOfContent(content) !== null)
  return {
    output_text: textOfContent(last?.content),
    messages,
    usage: usageOf(
      fieldsOf(metrics),
      read.map((step) => step.metrics).filter((one) => one !== undefined),
    ),
  }
}

interface ReadStep {
  readonly messages: readonly ChatMessage[]
  /** Undefined: the step is not one of the agent, or called no model. */
  readonly metrics: Readonly<Record<string, unknown>> | undefined
}

function readStep(
  { source, message, tool_calls: calls, observation, metrics, llm_call_count: asked }: Record<string, unknown>,
  at: number,
): ReadStep {
  const role = ROLES.get(source) ?? "assistant"
  const text = textOfContent(message)
  const made =
    role === "assistant"
      ? listOf(calls).map((call, index) => callOf(fieldsOf(call), `step_${at + 1}_${index + 1}`))
      : []
  const results = listOf(fieldsOf(observation)["results"]).map((one) => fieldsOf(one))
  const content = text === "" && made.length > 0 ? null : text
  const own: ChatMessage =
    made.length === 0 ? { role, content: content ?? "" } : { role, content, tool_calls: made.map(({ sent }) => sent) }
  // Results without a call are what the environment says.
  const answered = results.flatMap(({ source_call_id: of, content: said }, index): readonly ChatMessage[] => {
    const id = typeof of === "string" ? of : made[index]?.id
    return id === undefined ? [] : [{ role: "tool", tool_call_id: id, content: textOfContent(said) ?? "" }]
  })
  const isAnswer = role === "assistant" && asked !== 0
  return { messages: [own, ...answered], metrics: isAnswer ? fieldsOf(metrics) : undefined }
}

function callOf({ tool_call_id: given, function_name: name, arguments: args }: Record<string, unknown>, own: string) {
  const id = typeof given === "string" && given !== "" ? given : own
  const text = typeof args === "string" ? args : JSON.stringify(args ?? {})
  return {
    id,
    sent: { id, type: "function", function: { name: typeof name === "string" ? name : "", arguments: text } },
  }
}

/** Returns the tokens of the whole trajectory: its own sum, or that of its steps. A number that one step does not say is not known for all of them. */
function usageOf(
  total: Readonly<Record<string, unknown>>,
  steps: readonly Readonly<Record<string, unknown>>[],
): TokenUsage | null {
  const sum = (key: string) => {
    const counts = steps.map((step) => countOf(step[key]))
    return counts.reduce((all, count) => (all === null || count === null ? null : all + count), 0)
  }
  return readTokenUsage({
    prompt_tokens: countOf(total["total_prompt_tokens"]) ?? sum("prompt_tokens"),
    completion_tokens: countOf(total["total_completion_tokens"]) ?? sum("completion_tokens"),
  })
}

function countOf(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null
}
