import type { FilePath } from "../file-path.ts"
import { resolveRange } from "../resolve-range.ts"
import type { ReadOptions, ReadResult } from "../storage.ts"
import { onDisk } from "./errors.ts"
import type { LocalContext } from "./local-context.ts"
import { openFile } from "./open-file.ts"
import { readPieces } from "./read-pieces.ts"

export async function readFile(local: LocalContext, path: FilePath, options: ReadOptions): Promise<ReadResult> {
  const { range, signal } = options
  signal?.throwIfAborted()
  const file = await onDisk("read", path, () =>
    openFile(local, path, ({ size }) =>
      range === undefined ? { start: 0, end: size - 1 } : resolveRange(range, size),
    ),
  )
  const { start, end } = file.part
  const isWhole = file.first.byteLength === end - start + 1
  if (isWhole || signal?.aborted === true) await file.close()
  signal?.throwIfAborted()
  const bytes = readPieces(file, signal)
  return { file: file.stored, bytes, release: file.release, ...(range === undefined ? {} : { range: { start, end } }) }
}
