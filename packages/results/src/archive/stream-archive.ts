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

/** A file to put into an archive. */
export interface ArchiveFile {
  /** The path in the archive, with `/` between folders. At most 65,535 bytes. */
  readonly path: string
  /** The size in bytes, if it is known. A file below 4 GiB then needs no Zip64. */
  readonly size?: number | undefined
  /** Milliseconds since 1970, UTC. */
  readonly mtime: number
  /** Opens the file for reading. Called when its turn comes. The memory of a piece may be reused after the next piece is requested. */
  open(): AsyncIterable<Uint8Array>
}

/** A smaller file fits into 4 GiB together with the headers of its blocks. */
const MAX_PLAIN = 0xfff0_0000
const MAX_NAME_BYTES = 0xffff

/**
 * Streams files as a zip archive. Pieces are passed on as they are read, no faster than the archive is consumed, and the checksum of a
 * file follows its bytes. Nothing is compressed, so memory use is constant and the disk sets the speed. The bytes are in deflate's
 * stored blocks, which mark their end, so that the archive can be unpacked while it arrives. Files of 4 GiB or more, or of unknown
 * size, use Zip64.
 *
 * Source: PKWARE's APPNOTE 6.3.10. If reading a file throws, the archive ends with the same error.
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
    const isZip64 = file.size === undefined || file.size >= MAX_PLAIN
    const header = localHeader(name, mtime, isZip64)
    yield header
    let crc = 0
    let size = 0
    let stored = LAST_BLOCK.length
    for await (const piece of file.open()) {
      signal?.throwIfAborted()
      crc = crc32(piece, crc)
      size += piece.length
      if (!isZip64 && size >= MAX_PLAIN) throw grown(file)
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
  if (name.length <= MAX_NAME_BYTES) return name
  const message = `The path '${path.slice(0, 60)}…' has ${name.length} bytes; an archive takes ${MAX_NAME_BYTES}.`
  throw new AssayError("bad_path", message)
}

function grown({ path, size }: ArchiveFile): AssayError {
  const message = `The file '${path}' grew from ${size} bytes to 4 GiB while it was read; download the archive again.`
  return new AssayError("storage_changed", message, { context: { path, size } })
}
