import type { FilesetsContext } from "./filesets-context.ts"

/** Smaller changes are those of a clock that is being corrected. */
const JUMP_MS = 60_000
/** A jump forward counts after this time: the machine was suspended, or its clock was wrong before. */
const SETTLED_MS = 24 * 3_600_000

/**
 * Creates a clock for ages that end with a removal: milliseconds since 1970, as the clock of the machine, but without its jumps forward.
 * It follows a jump forward after a day and a jump back at once, so a clock that is wrong for less than a day ends nothing early.
 * It knows no jump between two processes. Read it at least once an hour.
 */
export function createSteadyClock({ now, elapsed }: Pick<FilesetsContext, "now" | "elapsed">): () => number {
  let offset = now() - elapsed()
  let jump: { readonly offset: number; readonly since: number } | undefined
  return () => {
    const passed = elapsed()
    const seen = now() - passed
    const isJump = seen - offset > JUMP_MS
    if (isJump && (jump === undefined || Math.abs(seen - jump.offset) > JUMP_MS)) jump = { offset: seen, since: passed }
    if (!isJump || (jump !== undefined && passed - jump.since >= SETTLED_MS)) {
      offset = seen
      jump = undefined
    }
    return offset + passed
  }
}
