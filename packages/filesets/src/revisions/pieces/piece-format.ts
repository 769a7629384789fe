import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { gunzip, gzip } from "node:zlib"
import type { FilePath } from "@assay/storage"
import type { RevisionFile } from "../revision-file.ts"

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** Prefers speed: most of a revision is digests, which can't be compressed. */
const FASTEST = 1

/** Bytes that a compressed text needs beyond its own length, if nothing of it can be compressed. */
const MIN_CHUNK = 1024

/** Files that are formatted while those before them are compressed in other threads. */
const PART = 4096

/** Formats files as JSON: an array of arrays. Most versions equal the digest. */
export function formatFiles(files: readonly RevisionFile[]): string {
  const rows = files.map(({ path, size, version, sha256 }) => {
    return version === `"${sha256}"` ? [path, size, sha256] : [path, size, sha256, version]
  })
  return JSON.stringify(rows)
}

type StoredFileColumns = readonly [path: FilePath, size: number, sha256: string | null, version?: string]

function parseFiles(json: string): readonly RevisionFile[] {
  const rows = JSON.parse(json) as readonly StoredFileColumns[]
  return rows.map(([path, size, sha256, version = `"${sha256}"`]) => ({ path, size, version, sha256 }))
}

/** Compresses a text for the database, in one call of another thread: its result fits into one chunk. */
export function packText(text: string): Promise<Uint8Array> {
  const bytes = Buffer.from(text)
  return compress(bytes, { level: FASTEST, chunkSize: bytes.byteLength + MIN_CHUNK })
}

export async function unpackText(bytes: Uint8Array): Promise<string> {
  return (await decompress(bytes)).toString()
}

/** Compresses files for the database: parts of the JSON of `formatFiles`, by several threads at once, which together are one gzip file. */
export async function packFiles(files: readonly RevisionFile[]): Promise<Uint8Array> {
  const parts: Promise<Uint8Array>[] = []
  for (let start = 0; start === 0 || start < files.length; start += PART) {
    const rows = formatFiles(files.slice(start, start + PART)).slice(1, -1)
    parts.push(packText(`${start === 0 ? "[" : ","}${rows}${start + PART < files.length ? "" : "]"}`))
  }
  return Buffer.concat(await Promise.all(parts))
}

export async function unpackFiles(bytes: Uint8Array): Promise<readonly RevisionFile[]> {
  return parseFiles(await unpackText(bytes))
}

/** Returns the name of a piece: 64 hex digits over its files as JSON. */
export function pieceDigest(json: string): string {
  return createHash("sha256").update(json).digest("hex")
}

/** Bytes of a digest that are kept to find the pieces with a content. In a million files, one in 4,000 is a false match. */
const MARK_BYTES = 4

/** Returns the beginning of a digest as a number. */
export function markOf(sha256: string): number {
  return Number.parseInt(sha256.slice(0, 2 * MARK_BYTES), 16)
}

/** Returns the beginnings of all digests of files, one after the other. */
export function marksOf(files: readonly RevisionFile[]): Buffer {
  const digests = files.flatMap(({ sha256 }) => (sha256 === null ? [] : [sha256.slice(0, 2 * MARK_BYTES)]))
  return Buffer.from(digests.join(""), "hex")
}

/** Returns whether one of the marks is wanted. */
export function hasMark(marks: Uint8Array, wanted: ReadonlySet<number>): boolean {
  const view = new DataView(marks.buffer, marks.byteOffset, marks.byteLength)
  for (let at = 0; at < marks.byteLength; at += MARK_BYTES) if (wanted.has(view.getUint32(at))) return true
  return false
}
