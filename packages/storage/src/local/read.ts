import { resolveRange } from "../byte-range.ts"
import type { FilePath } from "../file-path.ts"
import type { ReadOptions, ReadResult, StoredFile } from "../storage.ts"
import type { LocalContext } from "./context.ts"
import { onDisk } from "./errors.ts"
import { openFile } from "./reading/open-file.ts"
import { readPieces } from "./reading/read-pieces.ts"
import { verifiedPieces } from "./verifying/verified-pieces.ts"

export async function readFile(local: LocalContext, path: FilePath, options: ReadOptions): Promise<ReadResult> {
  const { range, signal, sha256 } = options
  signal?.throwIfAborted()
  const choosePart = ({ size }: StoredFile) =>
    range === undefined ? { start: 0, end: size - 1 } : resolveRange(range, size)
  const file = await onDisk("read", path, () =>
    openFile(local, path, choosePart, { isWhole: range === undefined, sha256 }),
  )
  const { start, end } = file.part
  const isWhole = file.first.byteLength === end - start + 1
  if (isWhole || signal?.aborted === true) await file.close()
  signal?.throwIfAborted()
  const read = { bytes: readPieces(file, signal), release: file.release }
  const { stored, check } = file
  if (range !== undefined) return { file: stored, ...read, range: { start, end } }
  if (check === undefined) return { file: stored, ...read }
  if (!isWhole) return { file: stored, ...verifiedPieces(read, check, stored.size) }
  // Verify before any byte is returned, so that the reader gets an error and not a broken stream.
  await check.update(file.first)
  await check.verify()
  return { file: stored, ...read }
}

/** Describes a file. It opens the file as a read does, so that both agree on what exists and who may see it. */
export async function statFile(local: LocalContext, path: FilePath): Promise<StoredFile> {
  return onDisk("stat", path, async () => {
    const file = await openFile(local, path, () => ({ start: 0, end: -1 }))
    await file.close()
    return file.stored
  })
}
