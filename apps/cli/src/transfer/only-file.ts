import { isAssayError } from "@assay/schemas/errors"
import type { TransferFile, TransferSide } from "./transfer-side.ts"

/** A side as if it held one file alone, which the other side knows as `alias`. */
export function onlyFile(side: TransferSide, path: string, alias = path): TransferSide {
  const find = async (signal: AbortSignal): Promise<TransferFile> => ({
    ...(await side.find(path, signal)),
    path: alias,
  })
  return {
    ...side,
    async *list(signal) {
      try {
        yield await find(signal)
      } catch (error) {
        if (!isAssayError(error, "not_found")) throw error
      }
    },
    find: (_path, signal) => find(signal),
  }
}
