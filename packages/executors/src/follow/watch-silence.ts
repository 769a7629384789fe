import { type ErrorCode, isAssayError, messageOf } from "@assay/schemas/errors"

/** How long an engine or a storage may be silent while no row is answered. */
const MAX_SILENCE_MS = 15 * 60_000

/** Errors that another look does not change. */
const LASTING: ReadonlySet<ErrorCode> = new Set([
  "bad_document",
  "bad_usage",
  "content_damaged",
  "internal",
  "unsupported",
])

/** Bounds how long a run is followed whose engine or storage does not respond. */
export interface Silence {
  /**
   * Notes the error of a look, or that there was none.
   * @param processed number of rows that are done. While it grows, the run is followed even if its engine does not respond
   * @throws the error if it lasts, or if it came for 15 minutes without progress
   */
  note(error: unknown, processed: number): void
}

/** @param onNote receives a sentence when the silence begins, and when it ends */
export function watchSilence({
  now,
  onNote,
}: {
  readonly now: () => number
  readonly onNote: (text: string) => void
}): Silence {
  let since: number | undefined
  let last = 0
  return {
    note(error, processed) {
      if (error === undefined) {
        if (since !== undefined) onNote("It responds again.")
        since = undefined
        return
      }
      if (!isAssayError(error) || LASTING.has(error.code)) throw error
      if (since === undefined) onNote(`${messageOf(error)} Trying again for 15 minutes.`)
      if (since === undefined || processed !== last) since = now()
      last = processed
      if (now() - since > MAX_SILENCE_MS) throw error
    },
  }
}
