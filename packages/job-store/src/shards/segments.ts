import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib"
import { AssayError } from "@assay/schemas"
import type { FilePath, ReadOptions, Storage } from "@assay/storage"

/** The sizes of a frame in bytes: its text, and its compressed form. */
export type FrameSizes = readonly [text: number, stored: number]

/**
 * Lines of a journal in one file, as frames of Zstandard (RFC 8878) one after the other. Each frame is compressed on its own, so
 * that a reader of one line reads one frame. `zstd -d` reads the file.
 */
export interface Segment {
  readonly path: FilePath
  readonly frames: readonly FrameSizes[]
  /**
   * The facts about its lines, in a frame at its end that `zstd -d` skips. Absent: there are none. `[0, 0]`: they are in a later
   * segment that was written with this one.
   */
  readonly facts?: FrameSizes | undefined
}

/** Minimum number of characters in a frame, except in the last one. A frame ends with a line. */
const FRAME_LENGTH = 128 * 1024

/** Rows of a journal become as small as with the default level 3, in two thirds of its time. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Bytes. Node refuses smaller buffers for what is decompressed. */
const MIN_CHUNK = 64

/** Characters after which a segment ends. Readers keep a whole compressed segment in memory. */
const SEGMENT_LENGTH = 8 * 1024 * 1024

/** The sizes of the written parts of a segment. */
interface WrittenFrames {
  readonly frames: FrameSizes[]
  facts?: FrameSizes
}

/** Writes texts of whole lines to one or more files, the last of which also has the facts. */
export async function writeSegments(
  storage: Storage,
  pathOf: (number: number) => FilePath,
  { texts, facts }: { readonly texts: AsyncIterable<string>; readonly facts?: string | undefined },
): Promise<readonly Segment[]> {
  const frames = textsOfFrames(texts)
  const segments: Segment[] = []
  let next = await frames.next()
  async function* compressed(written: WrittenFrames): AsyncGenerator<Uint8Array, void> {
    for (let length = 0; next.done !== true && length < SEGMENT_LENGTH; next = await frames.next()) {
      const { bytes, sizes } = compress(next.value)
      written.frames.push(sizes)
      yield bytes
      length += next.value.length
    }
    if (facts === undefined) return
    written.facts = [0, 0]
    if (next.done !== true) return
    const { bytes, sizes } = compress(facts)
    written.facts = sizes
    yield skippable(bytes)
  }
  while (next.done !== true) {
    const path = pathOf(segments.length)
    const written: WrittenFrames = { frames: [] }
    await storage.write(path, compressed(written))
    segments.push({ path, ...written })
  }
  return segments
}

function compress(text: string): { readonly bytes: Buffer; readonly sizes: FrameSizes } {
  const read = Buffer.from(text)
  // Asynchronous compression needs about as much time of this thread, and more of others.
  const bytes = zstdCompressSync(read, LEVEL)
  return { bytes, sizes: [read.length, bytes.length] }
}

/** The magic number of a frame that decoders skip (RFC 8878, section 3.1.2). */
const SKIPPABLE = 0x184d2a50
/** Bytes of the header of such a frame. */
const SKIPPABLE_HEADER = 8

function skippable(bytes: Buffer): Buffer {
  const header = Buffer.alloc(SKIPPABLE_HEADER)
  header.writeUInt32LE(SKIPPABLE, 0)
  header.writeUInt32LE(bytes.length, 4)
  return Buffer.concat([header, bytes])
}

/** Joins short texts, and cuts long ones between two lines. */
async function* textsOfFrames(texts: AsyncIterable<string>): AsyncGenerator<string, void> {
  // Joined once for each frame: a search in a joined string copies all of it.
  let waiting: string[] = []
  let length = 0
  for await (const text of texts) {
    let start = 0
    while (length + text.length - start > FRAME_LENGTH) {
      const end = text.indexOf("\n", start + FRAME_LENGTH - length) + 1
      if (end === 0) break
      yield waiting.join("") + text.slice(start, end)
      waiting = []
      length = 0
      start = end
    }
    waiting.push(text.slice(start))
    length += text.length - start
  }
  if (length > 0) yield waiting.join("")
}

/**
 * Reads a whole segment, compressed. Returns its text as pieces of whole lines, each of which is decompressed when it is taken.
 * @throws `content_damaged` while the pieces are taken, and the errors of the storage
 */
export async function readSegment(storage: Storage, segment: Segment, signal?: AbortSignal): Promise<Iterable<Buffer>> {
  return readFrames(segment, segment.frames, await readBytes(storage, segment.path, { signal }))
}

/** Reads a part of the text of a segment. `start` and `length` are in bytes. @throws as `readSegment` */
export async function readSegmentPart(
  storage: Storage,
  segment: Segment,
  { start, length }: { readonly start: number; readonly length: number },
): Promise<string> {
  let textStart = 0
  let first = 0
  const frames: FrameSizes[] = []
  for (const [text, stored] of segment.frames) {
    if (textStart + text <= start && frames.length === 0) {
      textStart += text
      first += stored
      continue
    }
    const textRead = frames.reduce((sum, frame) => sum + frame[0], textStart)
    if (textRead >= start + length) break
    frames.push([text, stored])
  }
  const stored = frames.reduce((sum, frame) => sum + frame[1], 0)
  if (stored === 0) return ""
  const range = { kind: "from", start: first, end: first + stored - 1 } as const
  const text = Buffer.concat([...readFrames(segment, frames, await readBytes(storage, segment.path, { range }))])
  return text.toString("utf8", start - textStart, start - textStart + length)
}

/** Reads the facts of a segment. Undefined if it has none of its own. @throws as `readSegment` */
export async function readFacts(storage: Storage, segment: Segment, signal?: AbortSignal): Promise<string | undefined> {
  const { facts = [0, 0], frames } = segment
  const [, length] = facts
  if (length === 0) return undefined
  const start = frames.reduce((sum, [, stored]) => sum + stored, SKIPPABLE_HEADER)
  const range = { kind: "from", start, end: start + length - 1 } as const
  const [text] = readFrames(segment, [facts], await readBytes(storage, segment.path, { signal, range }))
  return text?.toString()
}

async function readBytes(storage: Storage, path: FilePath, options: ReadOptions): Promise<Buffer> {
  const { bytes } = await storage.read(path, options)
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) pieces.push(piece)
  return Buffer.concat(pieces)
}

function* readFrames({ path }: Segment, frames: readonly FrameSizes[], bytes: Buffer): Generator<Buffer, void> {
  let at = 0
  for (const [text, stored] of frames) {
    const read = decompress(path, bytes.subarray(at, at + stored), text)
    if (read.length !== text) damaged(path)
    yield read
    at += stored
  }
}

function decompress(path: FilePath, frame: Buffer, length: number): Buffer {
  // The limit is one more than the length, because 0 means no limit.
  const limit = length + 1
  try {
    return zstdDecompressSync(frame, { maxOutputLength: limit, chunkSize: Math.max(limit, MIN_CHUNK) })
  } catch (error) {
    return damaged(path, error)
  }
}

function damaged(path: FilePath, cause?: unknown): never {
  const message = `The file '${path}' of a job's journal on the default storage does not contain what was written.`
  throw new AssayError("content_damaged", message, { cause, context: { path } })
}
