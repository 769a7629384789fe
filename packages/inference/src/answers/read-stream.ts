import type { Exchange } from "../transport/exchange.ts"

type Chunk = Readonly<Record<string, unknown>>

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
 * recorded in its exchange. The deadline is paused while the caller works on a chunk.
 */
export async function* readStream({ first, rest }: BegunStream, exchange: Exchange): AsyncGenerator<Chunk> {
  let isFinished = false
  let chunk = first
  for (;;) {
    isFinished ||= hasFinished(chunk)
    exchange.deadline.pause()
    yield chunk
    exchange.deadline.restart()
    const step = await rest.next().catch((error: unknown) => {
      // An event that says what failed is an answer. Anything else, such as half an event, means that the answer broke off.
      if (!saysWhy(error)) exchange.broke ??= error
      throw error
    })
    if (step.done === true) break
    chunk = step.value
  }
  if (!isFinished && !exchange.tail.includes("[DONE]")) {
    exchange.broke ??= new Error("the stream ended before the answer was complete")
    throw exchange.broke
  }
}

function saysWhy(error: unknown): boolean {
  return error instanceof Error && "error" in error && error.error !== undefined
}

function hasFinished({ choices }: Chunk): boolean {
  return (
    Array.isArray(choices) &&
    choices.some((choice: { finish_reason?: unknown } | null) => typeof choice?.finish_reason === "string")
  )
}
