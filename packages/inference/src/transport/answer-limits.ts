import { findJsonExcess, type JsonLimits } from "@assay/schemas"
import type { AnswerRoom } from "../inference-context.ts"

/** What an endpoint may answer. A hostile one must neither fill the memory nor block the process. */
export const ANSWER_LIMITS = {
  /** Bytes of a whole answer. */
  bytes: 16 * 1024 * 1024,
  /** Bytes of a streamed answer. */
  streamBytes: 64 * 1024 * 1024,
  /** Bytes of one event of a stream. */
  eventBytes: 1024 * 1024,
} as const

/** What the JSON of a whole answer may hold. Log probabilities of long texts have more parts than a body of ours. */
const ANSWER_JSON: JsonLimits = { depth: 64, parts: 500_000, values: 2_000_000, keys: 20_000 }

const WORDS: Readonly<Record<keyof JsonLimits, (most: string) => string>> = {
  depth: (most) => `is nested deeper than ${most} levels`,
  parts: (most) => `has more than ${most} objects, lists and keys`,
  values: (most) => `has more than ${most} elements and properties`,
  keys: (most) => `has an object of more than ${most} keys`,
}

/** An answer that exceeds a limit. The message is the rest of a sentence about the answer. It has no code, so nobody asks again. */
export class AnswerExcess extends Error {
  override readonly name = "AnswerExcess"
}

/** Measures the text of a whole answer before it is parsed as JSON. @throws `AnswerExcess` */
export function checkAnswerShape(text: string): void {
  // Other text ends the parser at once.
  if (!/^\s*[[{]/.test(text)) return
  const excess = findJsonExcess(text, ANSWER_JSON)
  if (excess === undefined) return
  throw new AnswerExcess(WORDS[excess.limit](ANSWER_JSON[excess.limit].toLocaleString("en")))
}

/** Counts the bytes of a streamed answer. */
export interface StreamLimits {
  /** @param before the last characters of the stream before `text` @throws `AnswerExcess` */
  check(text: string, before: string): void
}

export function createStreamLimits(): StreamLimits {
  let total = 0
  let event = 0
  return {
    check(text, before) {
      total += text.length
      if (total > ANSWER_LIMITS.streamBytes) throw tooLong("is a stream that is", ANSWER_LIMITS.streamBytes)
      const end = endOfLastEvent(before.slice(-2) + text)
      event = end === undefined ? event + text.length : end
      if (event > ANSWER_LIMITS.eventBytes) throw tooLong("has an event that is", ANSWER_LIMITS.eventBytes)
    },
  }
}

/** An event ends with an empty line. Returns how many characters come after the last one. */
function endOfLastEvent(text: string): number | undefined {
  const at = Math.max(text.lastIndexOf("\n\n"), text.lastIndexOf("\n\r\n"), text.lastIndexOf("\r\r"))
  return at < 0 ? undefined : text.length - at
}

/** The error for an answer, or a part of one, of more than `most` bytes. */
export function tooLong(what: string, most: number): AnswerExcess {
  return new AnswerExcess(`${what} longer than ${most.toLocaleString("en")} bytes`)
}

/** So much of each answer needs no room: ordinary answers are never refused. */
const FREE_BYTES = 256 * 1024

/** The room that one answer takes. */
export interface HeldRoom {
  /** @throws `AnswerExcess` if all answers together would take more than there is */
  growTo(bytes: number): void
  release(): void
}

/**
 * Counts what an answer takes of the shared room. A job can have a thousand requests in flight, and an endpoint can leave every
 * answer just below its own limit without ever ending it.
 */
export function holdRoom(room: AnswerRoom): HeldRoom {
  let held = 0
  return {
    growTo(bytes) {
      const wanted = bytes - FREE_BYTES - held
      if (wanted <= 0) return
      if (room.heldBytes + wanted > room.maxBytes) throw noRoom(room.maxBytes)
      room.heldBytes += wanted
      held += wanted
    },
    release() {
      room.heldBytes -= held
      held = 0
    },
  }
}

function noRoom(most: number): AnswerExcess {
  return new AnswerExcess(
    `does not fit: the answers that are received at a time take more than ${most.toLocaleString("en")} bytes`,
  )
}
