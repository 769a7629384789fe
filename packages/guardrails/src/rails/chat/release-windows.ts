import { chunkDelta, type Chunk, type ChunkDelta } from "./chunk-delta.ts"

/** Chunks that are let through together or not at all. */
export interface Window {
  readonly chunks: Chunk[]
  text: string
  readonly toolCalls: ChunkDelta["toolCalls"][number][]
}

export interface WindowOptions {
  /** Characters of text that make a window. */
  readonly chunkSize: number
  /** Characters before a window that are judged again with it. */
  readonly contextSize: number
  /** Whether calls of tools are judged too: from the first on, all is held to the end, since half a call says nothing. */
  readonly holdsToolCalls: boolean
  /** Whether a window may pass; what it throws ends the stream. */
  readonly judge: (text: string, window: Window) => Promise<boolean>
}

interface Judging {
  readonly window: Window
  readonly verdict: Promise<boolean>
}

/**
 * Lets chunks through, each as it came and in order, once the window that holds their text may pass. While a window is judged the
 * next one is read, and no more than that. Ends after the last chunk, or with `null` in place of a window that may not pass.
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

  const isHeld = () => options.holdsToolCalls && window.toolCalls.length > 0
  const isFull = () => !isHeld() && window.text.length >= options.chunkSize
  const hasToBeJudged = () => window.text !== "" || isHeld()
  const isDue = () => isFull() || (hasEnded && hasToBeJudged())

  function startJudging(): Judging {
    const judged = window
    const verdict = options.judge(context + judged.text, judged)
    // Whoever stops reading before the verdict has no use for how judging failed.
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
        // The next window is judged while a slow reader still takes this one.
        judging = isDue() ? startJudging() : null
        yield* passed
        continue
      }
      next = null
      if (event.result.done === true) hasEnded = true
      else addTo(window, event.result.value)
    }
  } finally {
    // A read that is under way ends with the signal of the source, not here.
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
