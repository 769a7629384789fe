import { isAssayError, type AssayError, type ErrorCode } from "@assay/schemas/errors"
import { FATAL_CODES } from "./fatal-codes.ts"
import type { TransferOptions } from "./transfer.ts"
import type { TransferFile } from "./transfer-side.ts"

const MAX_RETRIES = 4

/** Another version is there now, or came in between: look again and take that one. */
const CHANGED = new Set<ErrorCode>(["storage_changed", "checksum_mismatch", "range_not_satisfiable"])

/**
 * Moves one file, again where that can help, and answers with the error that kept it from moving.
 * @throws what would keep every other file from moving too
 */
export async function moveFile(first: TransferFile, options: TransferOptions): Promise<AssayError | undefined> {
  const { source, target, listener, pause, signal } = options
  let file = first
  for (let attempt = 0; ; attempt += 1) {
    let told = 0
    try {
      await target.write(
        file,
        (count) => {
          told += count
          listener.onBytes(count)
        },
        signal,
      )
      return undefined
    } catch (error) {
      signal.throwIfAborted()
      listener.onBytes(-told)
      if (!isAssayError(error) || FATAL_CODES.has(error.code)) throw error
      if (attempt === MAX_RETRIES || (error.retry === "never" && !CHANGED.has(error.code)))
        return givenUp(error, options)
      await pause(attempt)
      if (!CHANGED.has(error.code)) continue
      try {
        file = await source.find(file.path, signal)
      } catch (gone) {
        if (isAssayError(gone)) return givenUp(gone, options)
        throw gone
      }
    }
  }
}

/** A file alone may have failed because the server is gone: then the transfer ends instead of failing file by file. */
async function givenUp(failure: AssayError, { source, target, signal }: TransferOptions): Promise<AssayError> {
  if (failure.code === "server_unreachable") await Promise.all([source.check(signal), target.check(signal)])
  return failure
}
