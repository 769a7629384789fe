import { createProgressLine, formatTransferProgress } from "@assay/reports/terminal"
import type { Storage } from "@assay/storage"
import type { Context } from "../../context.ts"

/** The progress of a command that reads all files of a model. */
export interface FileCount {
  /** Called after each file. */
  readonly add: (size: number) => void
  /** Removes the line of the progress. */
  readonly end: () => void
}

/** Counts the files of a model, and shows on a terminal how many of them are read. */
export async function countFiles(context: Context, storage: Storage): Promise<FileCount> {
  if (!context.isTerminal.stderr) return { add: () => undefined, end: () => undefined }
  let totalFiles = 0
  let totalBytes = 0
  for await (const { size } of storage.list({ signal: context.signal })) {
    totalFiles += 1
    totalBytes += size
  }
  const line = createProgressLine(context, formatTransferProgress)
  let files = 0
  let bytes = 0
  return {
    add(size) {
      files += 1
      bytes += size
      line.show({ files, bytes, totalFiles, totalBytes, isTotalKnown: true, movedBytes: bytes })
    },
    end: () => line.clear(),
  }
}
