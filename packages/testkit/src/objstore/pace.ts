import { setTimeout as sleep } from "node:timers/promises"

/** How fast the bytes of one connection may pass. */
export interface Pace {
  /** Bytes to send at once at the most. */
  readonly piece: number
  /** Waits until so many bytes may pass. */
  wait(bytes: number): Promise<void> | undefined
}

const MAXIMUM_PIECE = 256 * 1024
const MINIMUM_PIECE = 1024
const PIECES_PER_SECOND = 100
/** Timers are late by a millisecond or so, which is made up for. */
const LATENESS_MS = 5

/** Lets so many bytes pass in a second; Infinity: as many as it takes. */
export function createPace(bytesPerSecond: number): Pace {
  if (bytesPerSecond === Infinity) return { piece: MAXIMUM_PIECE, wait: () => undefined }
  const even = Math.max(MINIMUM_PIECE, Math.ceil(bytesPerSecond / PIECES_PER_SECOND))
  let freeAt = 0
  return {
    piece: Math.min(MAXIMUM_PIECE, even),
    wait(bytes) {
      const now = performance.now()
      freeAt = Math.max(freeAt, now - LATENESS_MS) + (bytes / bytesPerSecond) * 1000
      return freeAt > now ? sleep(freeAt - now) : undefined
    },
  }
}
