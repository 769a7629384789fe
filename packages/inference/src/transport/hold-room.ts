import type { AnswerRoom } from "../inference-context.ts"
import { AnswerExcess } from "./answer-limits.ts"

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
