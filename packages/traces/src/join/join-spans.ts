import type { TraceMessage } from "../messages/trace-message.ts"
import type { ObservedSpan } from "../observed-span.ts"
import { answerOf, continuationOf, joinAnswers } from "./merge-messages.ts"

/** Requests that continue one history. */
export interface Thread {
  readonly system: string
  /** Without messages of the system. */
  readonly history: readonly TraceMessage[]
  readonly spans: readonly ObservedSpan[]
}

interface GrowingThread extends Thread {
  readonly history: TraceMessage[]
  readonly spans: ObservedSpan[]
}

export interface JoinedSpans {
  /** The thread with the most messages of users first. */
  readonly threads: readonly Thread[]
  /** Requests that were sent again, or from an earlier point on. */
  readonly retries: number
}

/** Threads of a conversation. Requests that belong to none of them are left out. */
const MAX_THREADS = 200

/**
 * Joins requests to threads. Most requests contain the history so far, so a request belongs to the thread whose history it begins with. A request that
 * has only the new messages continues the thread with the same system message.
 * @param requests in the order of their times
 * @param isConversation whether a conversation was recorded, so that requests without a common history belong together
 */
export function joinSpans(requests: readonly ObservedSpan[], isConversation: boolean): JoinedSpans {
  const threads: GrowingThread[] = []
  let retries = 0
  for (const span of requests) {
    const system = span.input
      .filter(({ role }) => role === "system")
      .map(({ text }) => text)
      .join("\n\n")
    const body = joinAnswers(span.input.filter(({ role }) => role !== "system"))
    const found = findThread(threads, { span, system, body }, isConversation)
    if (found === "retry") {
      retries += 1
      continue
    }
    if (found === undefined && threads.length >= MAX_THREADS) continue
    const thread = found?.thread ?? { system, history: [], spans: [] }
    if (found === undefined) threads.push(thread)
    thread.history.push(...(found?.added ?? body), ...answerOf(span.output))
    thread.spans.push(span)
  }
  return { threads: threads.toSorted((one, other) => rankOf(other) - rankOf(one)), retries }
}

interface Request {
  readonly span: ObservedSpan
  readonly system: string
  readonly body: readonly TraceMessage[]
}

interface FoundThread {
  readonly thread: GrowingThread
  readonly added: readonly TraceMessage[]
}

function findThread(
  threads: readonly GrowingThread[],
  { span, system, body }: Request,
  isConversation: boolean,
): FoundThread | "retry" | undefined {
  const candidates = threads
    .flatMap((thread) => {
      const continuation = continuationOf(thread.history, body)
      return continuation === undefined ? [] : [{ thread, ...continuation }]
    })
    .filter(({ thread, shared, isAgain }) => {
      const isWhole = !isAgain && shared === usersIn(thread.history)
      return thread.system === system || (isWhole && isAlike(thread.system, system))
    })
    .toSorted((one, other) => other.shared - one.shared)
  const longer = candidates.find(({ isAgain }) => !isAgain)
  if (longer !== undefined) return longer
  const isSameRequest = ({ thread }: (typeof candidates)[number]) => {
    return body.length > 1 || thread.spans.at(-1)?.trace === span.trace
  }
  if (candidates.some(isSameRequest)) return "retry"
  const thread = threads.findLast((one) => {
    const isOwn = one.spans.at(-1)?.trace === span.trace
    if (one.system !== system) return false
    return isConversation || !isOwn || body[0]?.role === "tool"
  })
  return thread === undefined ? undefined : { thread, added: body }
}

/** Returns whether two texts differ in less than half of their characters. A message of the system can contain the time, or what is known of a user. */
function isAlike(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length)
  let start = 0
  while (start < length && one[start] === other[start]) start += 1
  let end = 0
  while (end < length - start && one.at(-1 - end) === other.at(-1 - end)) end += 1
  return (start + end) * 2 > Math.max(one.length, other.length)
}

function usersIn(history: readonly TraceMessage[]): number {
  return history.filter(({ role }) => role === "user").length
}

/** A thread with more messages of users is the conversation; others are those of helpers of the agent. */
function rankOf({ history }: Thread): number {
  return history.filter(({ role, text }) => role === "user" && text !== "").length * 1e6 + history.length
}
