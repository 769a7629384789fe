import { isAssayError } from "@assay/schemas/errors"
import type { TransferFile, TransferSide } from "./transfer-side.ts"

export interface OnlyFile {
  readonly path: string
  /** What the other side calls it; absent: the same. */
  readonly alias?: string
  /** As a person writes the file. */
  readonly name: string
}

/** A side as if it held one file alone. */
export function onlyFile(side: TransferSide, { path, alias = path, name }: OnlyFile): TransferSide {
  const find = async (signal: AbortSignal): Promise<TransferFile> => ({
    ...(await side.find(path, signal)),
    path: alias,
  })
  return {
    ...side,
    name,
    placeOf: () => name,
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
