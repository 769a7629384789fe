import { formatCount } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import { MAX_LFS_POINTER_BYTES, parseLfsPointer } from "@assay/storage"
import type { TransferFile } from "@assay/transfer"

/** Maximum number of small files that are examined, and of names in a warning. */
const MAX_FILES = 10_000
const MAX_SHOWN = 5

/** Collects small files that were moved, and finds the pointers of git LFS among them. */
export interface PointerSearch {
  readonly add: (file: TransferFile) => void
  /** Returns the warning about the pointers; undefined if there are none. */
  readonly warning: (signal: AbortSignal) => Promise<string | undefined>
}

export function createPointerSearch(): PointerSearch {
  const files: TransferFile[] = []
  return {
    add(file) {
      if (file.size > 0 && file.size <= MAX_LFS_POINTER_BYTES && files.length < MAX_FILES) files.push(file)
    },
    async warning(signal) {
      const found: string[] = []
      for (const file of files) if (await isPointer(file, signal)) found.push(file.path)
      if (found.length === 0) return undefined
      const more = found.length > MAX_SHOWN ? `, and ${found.length - MAX_SHOWN} more` : ""
      return (
        `warning: ${formatCount(found.length, "file")} ${found.length === 1 ? "is a pointer" : "are pointers"} of git LFS, not the content: ` +
        `${found.slice(0, MAX_SHOWN).map(printable).join(", ")}${more}; run 'git lfs pull' in the clone of the repository and push again`
      )
    },
  }
}

/** Returns whether a file is a pointer. A file that can no longer be read is not one. */
async function isPointer(file: TransferFile, signal: AbortSignal): Promise<boolean> {
  try {
    const pieces = await Array.fromAsync(file.stream(0, signal), (piece) => Uint8Array.from(piece))
    return parseLfsPointer(Buffer.concat(pieces)) !== undefined
  } catch {
    signal.throwIfAborted()
    return false
  }
}
