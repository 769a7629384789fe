import { isAssayError, type AssayError, type ErrorCode } from "@assay/schemas/errors"
import type { TransferFile } from "../sides/transfer-side.ts"
import type { TransferOptions } from "./transfer.ts"

/** Errors that every other file would meet too. They end the transfer. */
export const FATAL_CODES: ReadonlySet<ErrorCode> = new Set([
  "unauthorized",
  "forbidden",
  "disk_full",
  "method_not_allowed",
  "unsupported",
])

const MAX_RETRIES = 4

/** Errors that mean that the file has another version now. The next attempt moves that version. */
const CHANGED = new Set<ErrorCode>(["storage_changed", "checksum_mismatch", "range_not_satisfiable"])

/**
 * Moves one file, with retries where they can help. Returns the error if the file could not be moved.
 * @throws an error that every other file would meet too
 */
export async function moveFile(first: TransferFile, options: TransferOptions): Promise<AssayError | undefined> {
  const { source, target, listener, pause, signal } = options
  let file = first
  for (let attempt = 0; ; attempt += 1) {
    let reported = 0
    try {
      await target.write(
        file,
        (count) => {
          reported += count
          listener.onBytes(count)
        },
        signal,
      )
      return undefined
    } catch (error) {
      signal.throwIfAborted()
      listener.onBytes(-reported)
      if (!isAssayError(error) || FATAL_CODES.has(error.code)) throw error
      if (attempt === MAX_RETRIES || (error.retry === "never" && !CHANGED.has(error.code)))
        return giveUp(error, options)
      await pause(attempt)
      if (!CHANGED.has(error.code)) continue
      try {
        file = await source.find(file.path, signal)
      } catch (missing) {
        if (isAssayError(missing)) return giveUp(missing, options)
        throw missing
      }
    }
  }
}

/** Ends the transfer if the server cannot be reached any more, so that not every file fails on its own. */
async function giveUp(failure: AssayError, { source, target, signal }: TransferOptions): Promise<AssayError> {
  if (failure.code === "server_unreachable") await Promise.all([source.check(signal), target.check(signal)])
  return failure
}
