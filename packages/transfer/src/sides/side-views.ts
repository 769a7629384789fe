import { isAssayError } from "@assay/schemas/errors"
import type { TransferFile, TransferSide } from "./transfer-side.ts"

/** Returns a view of the side without files: a dry run uses it for a folder or a fileset that does not exist yet. */
export function emptySide(side: TransferSide): TransferSide {
  return { ...side, list: async function* () {} }
}

/** Returns a view of the side that lists only the selected files. */
export function selectFiles(side: TransferSide, isSelected: (path: string) => boolean): TransferSide {
  return {
    ...side,
    async *list(signal) {
      for await (const file of side.list(signal)) if (isSelected(file.path)) yield file
    },
  }
}

export interface OnlyFile {
  readonly path: string
  /** Path of the file on the other side. Default: `path`. */
  readonly alias?: string
  /** The file as the user writes it. */
  readonly name: string
}

/** Returns a view of the side that holds one file only. */
export function onlyFile(side: TransferSide, { path, alias = path, name }: OnlyFile): TransferSide {
  const find = async (signal: AbortSignal): Promise<TransferFile> => ({
    ...(await side.find(path, signal)),
    path: alias,
  })
  return {
    ...side,
    name,
    locationOf: () => name,
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
