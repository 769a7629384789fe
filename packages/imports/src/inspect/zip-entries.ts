import type { FileHandle } from "node:fs/promises"
import { promisify } from "node:util"
import { crc32, inflateRaw, zstdDecompress } from "node:zlib"
import { printable } from "@assay/schemas"
import { AssayError, messageOf } from "@assay/schemas/errors"
import { type Entry, fromFdPromise, type ZipFile } from "yauzl"

/** A file inside a zip archive. */
export interface ZipEntry {
  readonly name: string
  /** Reads it whole. @throws `bad_document` if it is damaged, or larger than the directory says */
  readonly read: () => Promise<Buffer>
}

/** Largest entry after decompression, in bytes. */
const MAX_ENTRY_BYTES = 128 * 1024 * 1024
const MAX_ENTRIES = 200_000
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024
/** Entries above this size may be compressed by at most the ratio below. */
const SMALL_BYTES = 1024 * 1024
const MAX_RATIO = 300

const unzstd = promisify(zstdDecompress)
const inflate = promisify(inflateRaw)

type Decompress = (packed: Buffer, limit: { readonly maxOutputLength: number }) => Promise<Buffer>

/** By the number of the method in the archive. Inspect writes Zstandard, and deflate in older versions. */
const METHODS: ReadonlyMap<number, Decompress> = new Map<number, Decompress>([
  [0, (packed) => Promise.resolve(packed)],
  [8, inflate],
  [93, unzstd],
])

/**
 * Lists the files of a zip archive from its directory. Nothing is decompressed. The file has to stay open while entries are read.
 * @throws `bad_document` for an archive that is damaged, encrypted, larger than the limits, or has names outside of it
 */
export async function listZipEntries(file: FileHandle, archive: string): Promise<readonly ZipEntry[]> {
  const { size } = await file.stat()
  const broken = (fault: string, cause?: unknown) => new AssayError("bad_document", `${archive} ${fault}.`, { cause })
  const entries: ZipEntry[] = []
  let total = 0
  let directory = 0
  try {
    const zip = await fromFdPromise(file.fd, { autoClose: false, strictFileNames: true })
    if (zip.entryCount > MAX_ENTRIES) throw broken(`has ${zip.entryCount} files; the limit is ${MAX_ENTRIES}`)
    for await (const entry of zip.eachEntry()) {
      const shown = `contains '${printable(entry.fileName.slice(0, 100))}'`
      const fault = entryFault(entry)
      if (fault !== undefined) throw broken(`${shown}${fault}`)
      total += entry.compressedSize
      directory += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
      if (directory > MAX_DIRECTORY_BYTES) throw broken(`has more than ${MAX_DIRECTORY_BYTES} bytes of names`)
      entries.push({
        name: entry.fileName,
        read: async () => {
          try {
            return await readEntry(file, zip, entry)
          } catch (cause) {
            throw broken(`${shown}, which is damaged`, cause)
          }
        },
      })
    }
  } catch (cause) {
    throw cause instanceof AssayError
      ? cause
      : broken(`can't be read as a zip archive: ${printable(messageOf(cause).slice(0, 300))}`, cause)
  }
  if (total > size) throw broken("has files that overlap")
  return entries
}

function entryFault(entry: Entry): string | undefined {
  const { uncompressedSize: size, compressedSize, compressionMethod: method } = entry
  if (entry.isEncrypted()) return ", which is encrypted"
  if (!METHODS.has(method)) return `, which is compressed by a method (${method}) that is not supported`
  const largest = Math.max(size, compressedSize)
  if (largest > MAX_ENTRY_BYTES) return ` of ${largest} bytes; the limit is ${MAX_ENTRY_BYTES}`
  if (size > SMALL_BYTES && size > compressedSize * MAX_RATIO)
    return `, which is compressed more than ${MAX_RATIO} times, as no log is`
  return undefined
}

/** @throws any error if the entry is damaged */
async function readEntry(file: FileHandle, zip: ZipFile, entry: Entry): Promise<Buffer> {
  const { compressionMethod: method, compressedSize, uncompressedSize, crc32: sum } = entry
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
  // yauzl decodes no Zstandard, and a stream for each of many small files takes longer than one read.
  const { buffer, bytesRead } = await file.read(Buffer.alloc(compressedSize), 0, compressedSize, fileDataStart)
  const packed = buffer.subarray(0, bytesRead)
  const bytes = await METHODS.get(method)?.(packed, { maxOutputLength: Math.max(1, uncompressedSize) })
  if (bytes === undefined || bytes.length !== uncompressedSize || crc32(bytes) !== sum)
    throw new AssayError("bad_document", "The bytes differ from those that the directory describes.")
  return bytes
}
