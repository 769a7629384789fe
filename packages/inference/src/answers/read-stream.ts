import { fieldsOf, listOf } from "@assay/json"
import { finishReasonOf } from "@assay/schemas"
import type { Exchange } from "../transport/exchange.ts"
import { FailedAnswer } from "./failed-answer.ts"
import type { Chunk } from "./read-chunks.ts"

/** A streamed answer whose first chunk has arrived. */
export interface BegunStream {
  readonly first: Chunk
  readonly rest: AsyncIterator<Chunk>
}

/** Waits for the first chunk. @throws if there is none, for example because the answer is not a stream */
export async function beginStream(chunks: AsyncIterable<Chunk>): Promise<BegunStream> {
  const rest = chunks[Symbol.asyncIterator]()
  const { done, value } = await rest.next()
  if (done === true) throw new Error("The stream has no chunk.")
  return { first: value, rest }
}

/**
 * Yields the chunks as they arrive. A stream that ends without a `finish_reason` and without its end mark was cut off, which is
 * recorded in its exchange. A stream that stays open after the `finish_reason` of all its choices ends 2 seconds later, unless text without one follows. The deadline is
 * paused while the caller works on a chunk.
 */
export async function* readStream({ first, rest }: BegunStream, exchange: Exchange): AsyncGenerator<Chunk> {
  const choices = createChoiceEnds()
  const grace = createGrace()
  let chunk = first
  try {
    for (;;) {
      choices.add(chunk)
      exchange.deadline.pause()
      yield chunk
      exchange.deadline.restart()
      if (choices.areFinished()) grace.begin()
      else grace.end()
      const next = rest.next().catch((error: unknown) => {
        // A chunk that says what failed is an answer. Anything else, such as half an event, means that the answer broke off.
        if (!(error instanceof FailedAnswer)) exchange.broke ??= error
        throw error
      })
      const step = choices.areFinished() ? await grace.orEnd(next) : await next
      if (step === undefined || step.done === true) break
      chunk = step.value
    }
  } finally {
    grace.end()
  }
  if (!choices.hasFinish() && !exchange.tail.includes("[DONE]")) {
    exchange.broke ??= new Error("the stream ended before the answer was complete")
    throw exchange.broke
  }
}

/** Usage follows the last `finish_reason` at once. */
const GRACE_MS = 2000

interface Grace {
  /** Starts the time, unless it runs. */
  readonly begin: () => void
  /** Returns the result of `next`, or undefined if the time is over before. */
  readonly orEnd: <T>(next: Promise<T>) => Promise<T | undefined>
  readonly end: () => void
}

function createGrace(): Grace {
  let timer: NodeJS.Timeout | undefined
  let over = Promise.withResolvers<undefined>()
  return {
    begin() {
      if (timer !== undefined) return
      over = Promise.withResolvers<undefined>()
      timer = setTimeout(over.resolve, GRACE_MS, undefined)
    },
    orEnd(next) {
      // Nobody waits for it if the time is over.
      next.catch(() => {})
      return Promise.race([next, over.promise])
    },
    end() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

interface ChoiceEnds {
  readonly add: (chunk: Chunk) => void
  /** Returns whether any choice has a `finish_reason`. */
  readonly hasFinish: () => boolean
  /** Returns whether all choices have one. */
  readonly areFinished: () => boolean
}

function createChoiceEnds(): ChoiceEnds {
  const open = new Set<unknown>()
  const finished = new Set<unknown>()
  let hasFinish = false
  return {
    add({ choices }) {
      for (const { index = 0, finish_reason: reason, delta } of listOf(choices).map(fieldsOf)) {
        if (finishReasonOf(reason) !== null) {
          finished.add(index)
          hasFinish = true
          continue
        }
        open.add(index)
        // Some gateways finish an answer before the rest of it arrives.
        const { content, tool_calls: calls } = fieldsOf(delta)
        if (isFilled(content) || isFilled(calls)) finished.delete(index)
      }
    },
    hasFinish: () => hasFinish,
    areFinished: () => finished.size > 0 && open.isSubsetOf(finished),
  }
}

function isFilled(value: unknown): boolean {
  return typeof value === "string" || Array.isArray(value) ? value.length > 0 : false
}
