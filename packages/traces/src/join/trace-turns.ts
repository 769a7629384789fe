import { isJsonObject } from "@assay/json"
import { type ConversationCall, type ConversationTurn, MAX_CALLS } from "@assay/schemas"
import { embeddedJson } from "../messages/embedded-json.ts"
import type { TraceCall, TraceMessage } from "../messages/trace-message.ts"
import type { ObservedSpan } from "../observed-span.ts"

/** A turn of a recorded conversation. */
export type TraceTurn = Pick<ConversationTurn, "user" | "output_text" | "calls">

export interface TraceTurns {
  readonly turns: readonly TraceTurn[]
  /** Answers before the first message of a user. */
  readonly greetings: number
  /** Calls whose answer is nowhere. */
  readonly unanswered: number
}

/**
 * Reads the turns of a history: the messages of a user until an answer are one. The answers of tools are in the history, or in spans of calls.
 */
export function readTurns(history: readonly TraceMessage[], tools: readonly ObservedSpan[]): TraceTurns {
  const results = createResults(history, tools)
  const turns: { user: string; output_text: string | null; calls: ConversationCall[]; isAnswered: boolean }[] = []
  let greetings = 0
  let calls = 0
  for (const message of history) {
    const last = turns.at(-1)
    if (message.role === "user") {
      if (last === undefined || last.isAnswered)
        turns.push({ user: message.text, output_text: null, calls: [], isAnswered: false })
      else last.user = `${last.user}\n\n${message.text}`
    } else if (message.role === "assistant") {
      if (last === undefined) greetings += 1
      else {
        last.isAnswered = true
        if (message.text !== "") last.output_text = message.text
        const asked = message.calls.slice(0, Math.max(0, MAX_CALLS - calls))
        calls += asked.length
        last.calls.push(...asked.map((call) => results.answer(call)))
      }
    }
  }
  return {
    turns: turns.map(({ user, output_text, calls: made }) => ({ user, output_text, calls: made })),
    greetings,
    unanswered: results.unanswered(),
  }
}

interface Results {
  readonly answer: (call: TraceCall) => ConversationCall
  readonly unanswered: () => number
}

interface Result {
  readonly id: string | undefined
  readonly name: string | undefined
  readonly args: string | undefined
  readonly text: string
  readonly isError: boolean
}

function createResults(history: readonly TraceMessage[], tools: readonly ObservedSpan[]): Results {
  const said = history
    .filter(({ role }) => role === "tool")
    .map(({ callId, tool, text, isError }): Result => ({
      id: callId,
      name: tool,
      args: undefined,
      text,
      isError: isError === true,
    }))
  const ran = tools.flatMap(({ call, isFailed }): readonly Result[] =>
    call?.result === undefined && !isFailed
      ? []
      : [
          {
            id: call?.id,
            name: call?.name,
            args: JSON.stringify(call?.args),
            text: call?.result ?? "The tool failed.",
            isError: isFailed,
          },
        ],
  )
  const used = new Set<Result>()
  let unanswered = 0
  const take = (results: readonly Result[], fits: (result: Result) => boolean) => {
    const found = results.find((result) => !used.has(result) && fits(result))
    if (found !== undefined) used.add(found)
    return found
  }
  return {
    unanswered: () => unanswered,
    answer({ id, name, args }) {
      const written = JSON.stringify(args)
      const found =
        (id === undefined ? undefined : take(said, (one) => one.id === id)) ??
        (id === undefined ? undefined : take(ran, (one) => one.id === id)) ??
        take(said, (one) => one.id === undefined && (one.name === undefined || one.name === name)) ??
        take(ran, (one) => one.name === name && one.args === written)
      if (found === undefined) unanswered += 1
      return callOf({ name: toolName(name), args }, found)
    },
  }
}

function callOf({ name, args }: Pick<TraceCall, "name" | "args">, found: Result | undefined): ConversationCall {
  const call = { name, arguments: isJsonObject(args) ? args : typeof args === "string" ? args : JSON.stringify(args) }
  if (found === undefined) return { ...call, error: "The trace has no answer of the tool." }
  return found.isError ? { ...call, error: found.text } : { ...call, result: valueOf(found.text) }
}

/** Returns the value of a text if it is exactly the JSON of one, so that a model gets the same text again. */
function valueOf(text: string): unknown {
  const value = embeddedJson(text)
  return value !== undefined && JSON.stringify(value) === text ? value : text
}

/** Returns the name of a tool in the characters that a definition may have. */
export function toolName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]+/g, "_").slice(0, 64) || "tool"
}
