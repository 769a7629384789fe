import { chunkDelta, type Chunk, type ChunkDelta } from "./chunk-delta.ts"

/** Chunks that are released together or not at all. */
export interface Window {
  readonly chunks: Chunk[]
  text: string
  readonly toolCalls: ChunkDelta["toolCalls"][number][]
}

export interface WindowOptions {
  /** Number of characters in a window. */
  readonly chunkSize: number
  /** Number of characters before a window that are judged again with it. */
  readonly contextSize: number
  /** Returns whether a window may pass. An error ends the stream. */
  readonly judge: (text: string, window: Window) => Promise<boolean>
}

interface Judging {
  readonly window: Window
  readonly verdict: Promise<boolean>
}

/**
 * Yields chunks unchanged and in order, after the window of their text has passed. While a window is judged, at most the next one
 * is read. From the first tool call on, all chunks wait for the end, because half a call can't be judged. It ends after the last chunk, or with
 * `null` instead of a window that may not pass.
 */
export async function* releaseWindows(
  source: AsyncIterable<Chunk>,
  options: WindowOptions,
): AsyncGenerator<Chunk | null> {
  const iterator = source[Symbol.asyncIterator]()
  let window = emptyWindow()
  let judging: Judging | null = null
  let next: Promise<IteratorResult<Chunk>> | null = null
  let context = ""
  let hasEnded = false

  const isHeld = () => window.toolCalls.length > 0
  const isFull = () => !isHeld() && window.text.length >= options.chunkSize
  const hasToBeJudged = () => window.text !== "" || isHeld()
  const isDue = () => isFull() || (hasEnded && hasToBeJudged())

  function startJudging(): Judging {
    const judged = window
    const verdict = options.judge(context + judged.text, judged)
    // If the reader stops before the verdict, nobody handles a failure of the judge.
    verdict.catch(() => undefined)
    context = options.contextSize === 0 ? "" : (context + judged.text).slice(-options.contextSize)
    window = emptyWindow()
    return { window: judged, verdict }
  }

  try {
    for (;;) {
      if (judging === null && isDue()) judging = startJudging()
      if (judging === null && !hasToBeJudged()) {
        yield* window.chunks
        window = emptyWindow()
        if (hasEnded) return
      }
      if (!hasEnded && !isFull()) next ??= iterator.next()
      const event = await firstOf(next, judging)
      if (event.type === "verdict") {
        if (!event.mayPass) {
          yield null
          return
        }
        const passed: readonly Chunk[] = judging?.window.chunks ?? []
        // The next window is judged while a slow reader takes this one.
        judging = isDue() ? startJudging() : null
        yield* passed
        continue
      }
      next = null
      if (event.result.done === true) hasEnded = true
      else addTo(window, event.result.value)
    }
  } finally {
    // Not awaited: a pending read ends with the signal of the source.
    iterator.return?.()?.catch(() => undefined)
  }
}

type Event =
  | { readonly type: "verdict"; readonly mayPass: boolean }
  | { readonly type: "chunk"; readonly result: IteratorResult<Chunk> }

function firstOf(next: Promise<IteratorResult<Chunk>> | null, judging: Judging | null): Promise<Event> {
  const events: Promise<Event>[] = []
  if (judging !== null) events.push(judging.verdict.then((mayPass) => ({ type: "verdict", mayPass })))
  if (next !== null) events.push(next.then((result) => ({ type: "chunk", result })))
  return Promise.race(events)
}

function emptyWindow(): Window {
  return { chunks: [], text: "", toolCalls: [] }
}

function addTo(window: Window, chunk: Chunk): void {
  const { text, toolCalls } = chunkDelta(chunk)
  window.chunks.push(chunk)
  window.text += text
  window.toolCalls.push(...toolCalls)
}
