import {
  answerEnd,
  AssayError,
  type ChatMessage,
  type ConversationEnd,
  type EvaluationSample,
  type TokenUsage,
} from "@assay/schemas"
import { completeAdaptively, type OpenedModel, type RunParams } from "@assay/scoring"
import type { AskOptions } from "../ask.ts"
import type { Conversation } from "./compile-conversation.ts"
import type { CallFault } from "./tools/tool-answer.ts"
import type { ToolBox } from "./tools/tool-box.ts"

type Answer = Awaited<ReturnType<typeof completeAdaptively>>

export interface ExchangePorts {
  readonly model: OpenedModel
  readonly params: Pick<RunParams, "inference" | "callLimits">
  /** The text of an answer without its reasoning, if that is removed. */
  readonly withoutReasoning: (text: string) => string
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  readonly tools: Pick<ToolBox, "told">
}

/** The history of one conversation, its state, and what it has used so far. */
export interface Exchange {
  readonly messages: readonly ChatMessage[]
  state: unknown
  calls: number
  readonly faults: Record<CallFault, number>
  add(message: ChatMessage): void
  /** Sends the history. @throws the errors of the model; `answer_unusable` for a history that is too long */
  ask(options: AskOptions): Promise<Answer & { readonly spoken: string | null }>
  /** Waits for tools, whose time counts, as does the time that they have taken. */
  wait(times: { readonly delayMs: number; readonly tookMs: number }, signal: AbortSignal): Promise<void>
  /** Returns the limit that the conversation has reached. */
  overLimit(limits: Conversation["limits"]): ConversationEnd | undefined
  /** Returns the last answer, and the use of all answers. */
  totals(): Pick<EvaluationSample, "response" | "usage" | "latency_ms">
}

/** Characters of a history, as JSON: each request sends all of it. */
const MAX_HISTORY = 16 * 1024 * 1024
export const NO_USAGE: TokenUsage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

export function createExchange(
  ports: ExchangePorts,
  { system, state }: { readonly system: string | undefined; readonly state: unknown },
): Exchange {
  const { model, params, tools } = ports
  const messages: ChatMessage[] = system === undefined ? [] : [{ role: "system", content: system }]
  const parameters = tools.told.length === 0 ? params.inference : { ...params.inference, tools: tools.told }
  let characters = 0
  let usage: TokenUsage | null = NO_USAGE
  let answersMs = 0
  let delaysMs = 0
  let last: Answer | undefined

  const add = (message: ChatMessage): void => {
    characters += JSON.stringify(message).length
    messages.push(message)
    if (characters <= MAX_HISTORY) return
    const why = `The history of the conversation has more than ${MAX_HISTORY / 1024 / 1024} MiB`
    throw new AssayError("answer_unusable", `${why}; limit its turns and calls, or the answers with max_tokens.`)
  }
  return {
    messages,
    state,
    calls: 0,
    faults: { malformed: 0, unknown: 0, failed: 0 },
    add,
    async ask({ signal, onRetry, repeat }) {
      // A copy, because the history grows while a recording is written.
      const request = { messages: [...messages], parameters, ours: [] }
      const answer = await completeAdaptively(model, request, { signal, onRetry, repeat, ...params.callLimits })
      last = answer
      usage = addUsage(usage, answer.usage)
      answersMs += answer.latencyMs
      return { ...answer, spoken: answer.text === null ? null : ports.withoutReasoning(answer.text) }
    },
    async wait({ delayMs, tookMs }, signal) {
      delaysMs += delayMs + tookMs
      // A replay has the times of the run that recorded, and does not wait.
      if (delayMs > 0 && last?.isRecorded !== true) await ports.sleep(delayMs, signal)
    },
    overLimit({ tokens, time }) {
      if (tokens < Number.POSITIVE_INFINITY && countedTokens(usage) >= tokens) return "limit_tokens"
      // Measured times are recorded, so that a replay ends at the same answer.
      return answersMs + delaysMs >= time * 1000 ? "limit_time" : undefined
    },
    totals: () => ({ response: last?.body ?? null, usage, latency_ms: answersMs }),
  }
}

/** Returns the `finish_reason` of several answers: that of the first one that is not complete, which the others build on, else that of the last one. */
export function endOfAnswers(reasons: readonly (string | null)[]): string | null {
  return reasons.find((reason) => answerEnd(reason) !== "complete") ?? reasons.at(-1) ?? null
}

/** Adds the tokens of an answer. A number that one answer does not say is not known for all of them. */
export function addUsage(sum: TokenUsage | null, usage: TokenUsage | null): TokenUsage | null {
  if (sum === null || usage === null) return null
  const add = (key: keyof TokenUsage) => {
    const [one, other] = [sum[key], usage[key]]
    return one === null || other === null ? null : one + other
  }
  return {
    prompt_tokens: add("prompt_tokens"),
    completion_tokens: add("completion_tokens"),
    total_tokens: add("total_tokens"),
  }
}

/** @throws `answer_unusable` if the answers do not say how many tokens they take: an unknown number is not 0 */
function countedTokens(usage: TokenUsage | null): number {
  const { total_tokens: total, prompt_tokens: prompt, completion_tokens: completion } = usage ?? {}
  if (typeof total === "number") return total
  if (typeof prompt === "number" && typeof completion === "number") return prompt + completion
  const why = "The tokens of the conversation are limited, and the endpoint does not say how many its answers take"
  throw new AssayError("answer_unusable", `${why}; limit its turns, calls or time instead.`)
}
