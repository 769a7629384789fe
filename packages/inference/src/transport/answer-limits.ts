import { findJsonExcess, type JsonLimits } from "@assay/json"
import type { AnswerRoom } from "../inference-context.ts"

/** Limits of an answer. A hostile endpoint must neither fill the memory nor block the process. */
export const ANSWER_LIMITS = {
  /** Bytes of a whole answer. */
  bytes: 16 * 1024 * 1024,
  /** Bytes of a streamed answer. */
  streamBytes: 64 * 1024 * 1024,
  /** Bytes of one event of a stream. */
  eventBytes: 1024 * 1024,
} as const

/** Limits of the JSON of a complete answer. Log probabilities of long texts have more parts than the bodies of our API. */
const ANSWER_JSON: JsonLimits = { depth: 64, parts: 500_000, values: 2_000_000, keys: 20_000 }

const WORDS: Readonly<Record<keyof JsonLimits, (most: string) => string>> = {
  depth: (most) => `is nested deeper than ${most} levels`,
  parts: (most) => `has more than ${most} objects, lists and keys`,
  values: (most) => `has more than ${most} elements and properties`,
  keys: (most) => `has an object of more than ${most} keys`,
}

/** An answer exceeds a limit. The message is the rest of a sentence about the answer. It has no code, so the request is not repeated. */
export class AnswerExcess extends Error {
  override readonly name = "AnswerExcess"
}

/** Measures the text of a complete answer before it is parsed as JSON. @throws `AnswerExcess` */
export function checkAnswerShape(text: string): void {
  // Any other text makes the parser fail at its first character.
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

/** Returns how many characters follow the last empty line, which ends an event. Undefined: there is none. */
function endOfLastEvent(text: string): number | undefined {
  const at = Math.max(text.lastIndexOf("\n\n"), text.lastIndexOf("\n\r\n"), text.lastIndexOf("\r\r"))
  return at < 0 ? undefined : text.length - at
}

/** Creates the error for an answer, or a part of one, that has more than `most` bytes. */
export function tooLong(what: string, most: number): AnswerExcess {
  return new AnswerExcess(`${what} longer than ${most.toLocaleString("en")} bytes`)
}

/** So many bytes of each answer do not count, so that ordinary answers are never refused. */
const FREE_BYTES = 256 * 1024

/** The share of one answer in the room. */
export interface HeldRoom {
  /** @throws `AnswerExcess` if all answers together would take more than the room has */
  growTo(bytes: number): void
  release(): void
}

/**
 * Counts the bytes of one answer against the shared room. A job can have a thousand requests in flight, and a hostile endpoint
 * can keep every answer just below its own limit without ending it.
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
    `does not fit: the answers that arrive at the same time take more than ${most.toLocaleString("en")} bytes`,
  )
}
