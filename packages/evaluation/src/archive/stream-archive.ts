import { crc32 } from "node:zlib"
import { AssayError } from "@assay/schemas"
import {
  LAST_BLOCK,
  dataDescriptor,
  directoryRecord,
  endRecords,
  localHeader,
  storedBlocks,
  type ZipEntry,
} from "./zip-records.ts"

/** A file that goes into an archive. */
export interface ArchiveFile {
  /** With `/` between folders; up to 65,535 bytes. */
  readonly path: string
  /** Bytes, where they are known: a file below 4 GiB needs no Zip64 then. */
  readonly size?: number
  /** Milliseconds since 1970, UTC. */
  readonly mtime: number
  /** Begins to read it; called when its turn comes. A piece may be used again once the next one is asked for. */
  open(): AsyncIterable<Uint8Array>
}

/** Below, a file fits into 4 GiB together with the headers of its blocks. */
const LARGEST_PLAIN = 0xfff0_0000
const LONGEST_NAME = 0xffff

/**
 * Files as a zip archive that is never held anywhere: each piece passes on as it is read, no faster than the archive is
 * taken, and its digest follows the bytes. Nothing is compressed, so that memory is flat and the rate is that of the disk;
 * yet bytes stand in deflate's stored blocks, which tell their end: so the archive can also be unpacked while it arrives.
 * Files of 4 GiB, or of unknown size, are Zip64.
 *
 * Source: PKWARE's APPNOTE 6.3.10. What a file throws ends the archive with the same error.
 * @throws `bad_path` for a name that is too long; `storage_changed` for a file that is larger than its size allows
 */
export async function* streamArchive(
  files: AsyncIterable<ArchiveFile> | Iterable<ArchiveFile>,
  { signal }: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  const entries: ZipEntry[] = []
  let offset = 0
  for await (const file of files) {
    const name = nameOf(file)
    const { mtime } = file
    const isZip64 = file.size === undefined || file.size >= LARGEST_PLAIN
    const header = localHeader(name, mtime, isZip64)
    yield header
    let [crc, size, stored] = [0, 0, LAST_BLOCK.length]
    for await (const piece of file.open()) {
      signal?.throwIfAborted()
      crc = crc32(piece, crc)
      size += piece.length
      if (!isZip64 && size >= LARGEST_PLAIN) throw grown(file)
      const blocks = storedBlocks(piece)
      stored += blocks.length
      yield blocks
    }
    const entry = { name, mtime, crc, size, stored, offset }
    const end = Buffer.concat([LAST_BLOCK, dataDescriptor(entry, isZip64)])
    yield end
    entries.push(entry)
    offset += header.length + stored + end.length - LAST_BLOCK.length
  }
  let directorySize = 0
  for (const entry of entries) {
    const record = directoryRecord(entry)
    directorySize += record.length
    yield record
  }
  yield endRecords({ entries: entries.length, size: directorySize, offset })
}

function nameOf({ path }: ArchiveFile): Uint8Array {
  const name = Buffer.from(path)
  if (name.length <= LONGEST_NAME) return name
  const message = `The path '${path.slice(0, 60)}…' has ${name.length} bytes; an archive takes ${LONGEST_NAME}.`
  throw new AssayError("bad_path", message)
}

function grown({ path, size }: ArchiveFile): AssayError {
  const message = `The file '${path}' grew from ${size} bytes to 4 GiB while it was read; download again.`
  return new AssayError("storage_changed", message, { context: { path, size } })
}
