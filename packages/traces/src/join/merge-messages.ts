import type { TraceMessage } from "../messages/trace-message.ts"

/** Messages of users that are compared to find where a request continues a history. */
const MAX_OVERLAP = 100

/**
 * Joins the parts of an answer: the Responses API records its text and each of its calls as an item of its own. Of several texts without calls, which
 * are alternatives, the first one stays.
 */
export function joinAnswers(messages: readonly TraceMessage[]): readonly TraceMessage[] {
  const joined: TraceMessage[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    const isPart =
      message.role === "assistant" && last?.role === "assistant" && (last.text === "" || message.text === "")
    if (!isPart) {
      joined.push(message)
      continue
    }
    const lost = (last.lost ?? 0) + (message.lost ?? 0)
    joined[joined.length - 1] = {
      role: "assistant",
      text: last.text + message.text,
      calls: [...last.calls, ...message.calls],
      ...(lost > 0 ? { lost } : {}),
    }
  }
  return joined
}

/** Returns the one message of an answer. */
export function answerOf(output: readonly TraceMessage[]): readonly TraceMessage[] {
  const spoken = output.map((one) => (one.role === "assistant" ? one : { ...one, role: "assistant" as const }))
  return joinAnswers(spoken).slice(0, 1)
}

/** How a request continues a history. */
export interface Continuation {
  /** The messages of the request that the history does not have. */
  readonly added: readonly TraceMessage[]
  /** Number of messages of users that both have. */
  readonly shared: number
  /** Whether the history has all of the request: it was sent again, or from an earlier point on. */
  readonly isAgain: boolean
}

/**
 * Finds where a request continues a history. Messages of users are compared, because applications change the rest: some leave out calls of tools of
 * earlier turns, or the first turns. Returns undefined if they share no message of a user.
 */
export function continuationOf(
  history: readonly TraceMessage[],
  request: readonly TraceMessage[],
): Continuation | undefined {
  const [known, asked] = [usersOf(history), usersOf(request)]
  for (let shared = Math.min(known.length, asked.length, MAX_OVERLAP); shared > 0; shared -= 1) {
    const isSame = asked.slice(0, shared).every((at, index) => {
      return request[at]?.text === history[known[known.length - shared + index] ?? -1]?.text
    })
    if (isSame)
      return continuationAt({
        history,
        request,
        last: known.at(-1) ?? 0,
        at: asked[shared - 1] ?? 0,
        next: asked[shared],
        shared,
      })
  }
  const isPrefix =
    asked.length > 0 &&
    asked.length < known.length &&
    asked.every((at, index) => request[at]?.text === history[known[index] ?? -1]?.text)
  return isPrefix ? { added: [], shared: asked.length, isAgain: true } : undefined
}

interface Anchored {
  readonly history: readonly TraceMessage[]
  readonly request: readonly TraceMessage[]
  /** The last message of a user in the history, and where it is in the request. */
  readonly last: number
  readonly at: number
  /** The message of a user after it in the request. */
  readonly next: number | undefined
  readonly shared: number
}

function continuationAt({ history, request, last, at, next, shared }: Anchored): Continuation {
  const known = history.slice(last + 1)
  const asked = request.slice(at + 1, next)
  const isLonger = asked.length >= known.length && known.every((message, index) => isAlike(message, asked[index]))
  const rest = isLonger ? asked.slice(known.length) : []
  if (next !== undefined) return { added: [...rest, ...request.slice(next)], shared, isAgain: false }
  return { added: rest, shared, isAgain: !isLonger }
}

function usersOf(messages: readonly TraceMessage[]): readonly number[] {
  return messages.flatMap(({ role }, at) => (role === "user" ? [at] : []))
}

/** Answers are alike, whatever they say, because applications record them with differences. */
function isAlike(one: TraceMessage, other: TraceMessage | undefined): boolean {
  if (one.role !== other?.role) return false
  return (
    one.role === "assistant" || one.text === other.text || (one.callId !== undefined && one.callId === other.callId)
  )
}
