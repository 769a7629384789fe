import { readEvents } from "@assay/http"
import { ANSWER_LIMITS, checkAnswerShape, tooLong } from "../transport/answer-limits.ts"
import { chunkOf, createChunkForm } from "./chunk-form.ts"
import { checkCompletion, parseAnswer } from "./completion-body.ts"
import { checkSucceeded, FailedAnswer, failureOfAnswer } from "./failed-answer.ts"

/** A chunk of a streamed answer. */
export type Chunk = Readonly<Record<string, unknown>>

const DONE = "[DONE]"

/**
 * Yields the chunks of a streamed answer until its end mark. Events without data are left out. An event that is
 * named `error` says that the request failed. A chunk with `message` instead of
 * `delta` gets the other name. A server that sends a whole completion, although a stream was requested, gives one chunk.
 * @throws `FailedAnswer`, `AnswerExcess`, and an error for an event that is not JSON
 */
export async function* readChunks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Chunk> {
  const source = bytes[Symbol.asyncIterator]()
  const { head, isObject } = await readHead(source)
  const all = rejoined(head, source)
  if (isObject) {
    yield await readWhole(all)
    return
  }
  const toChunk = createChunkForm()
  const limits = { maxCharacters: ANSWER_LIMITS.eventBytes, tooLong: longEvent, takesUnended: true }
  for await (const { event, data } of readEvents(all, limits)) {
    if (event === "error") throw new FailedAnswer(failureOfEvent(data))
    if (data.trim() === "") continue
    if (data.trim() === DONE) return
    const chunk: unknown = JSON.parse(data)
    if (typeof chunk !== "object" || chunk === null) throw new Error("An event of the stream is not a JSON object.")
    checkSucceeded(chunk as Chunk)
    yield toChunk(chunk as Chunk)
  }
}

/** Returns the failure that an event reports by its name, whatever its data are. */
function failureOfEvent(data: string): Chunk {
  const said = parseAnswer(data)
  if (typeof said !== "object" || said === null) return { error: data }
  return failureOfAnswer(said as Chunk) ?? { error: said }
}

interface Head {
  readonly head: readonly Uint8Array[]
  /** Whether the answer is a JSON object, not a stream. */
  readonly isObject: boolean
}

/** Reads pieces until the first character that is not white space. */
async function readHead(source: AsyncIterator<Uint8Array>): Promise<Head> {
  const head: Uint8Array[] = []
  for (let step = await source.next(); step.done !== true; step = await source.next()) {
    head.push(step.value)
    const text = new TextDecoder().decode(step.value).trimStart()
    if (text !== "") return { head, isObject: text.startsWith("{") }
  }
  return { head, isObject: false }
}

async function* rejoined(head: readonly Uint8Array[], source: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* head
    for (let step = await source.next(); step.done !== true; step = await source.next()) yield step.value
  } finally {
    await source.return?.()
  }
}

async function readWhole(bytes: AsyncIterable<Uint8Array>): Promise<Chunk> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of bytes) {
    length += piece.length
    if (length > ANSWER_LIMITS.bytes) throw tooLong("is", ANSWER_LIMITS.bytes)
    pieces.push(piece)
  }
  const text = Buffer.concat(pieces).toString()
  checkAnswerShape(text)
  return chunkOf(checkCompletion(parseAnswer(text)))
}

function longEvent(): Error {
  return tooLong("has an event that is", ANSWER_LIMITS.eventBytes)
}
