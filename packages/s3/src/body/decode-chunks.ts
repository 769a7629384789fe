import { createHash, createHmac, type Hash } from "node:crypto"
import { s3Error } from "../s3-error.ts"
import { type ChunkSigning, isSameSignature } from "../signature/verify-signature.ts"

export interface ChunkedBody {
  /** The number of bytes without the frame of the chunks. */
  readonly length: number
  /** Undefined: chunks are not signed, or nobody checks signatures. */
  readonly signing: ChunkSigning | undefined
  /** Names of the headers that follow the last chunk, in lower case. Undefined: none can follow. */
  readonly trailers: readonly string[] | undefined
  /** Receives the headers after the last chunk, before the body ends. */
  readonly onTrailer: (name: string, value: string) => void
}

/** A line with the size and the signature of a chunk has at most about 110 characters. */
const MAX_LINE = 256
/** Bytes of all headers after the last chunk. */
const MAX_TRAILER = 4096
const CHUNK = /^([0-9a-fA-F]{1,13})(?:;chunk-signature=([0-9a-f]{64}))?$/
const TRAILER_SIGNATURE = "x-amz-trailer-signature"
const EMPTY_HASH = createHash("sha256").digest("hex")

/**
 * Yields the bytes of a body that is sent in signed or unsigned chunks (`aws-chunked`), as they arrive. Checks the signature of each chunk at
 * its end, so whoever stores the bytes must drop them if an error follows. Holds one line of the frame at most.
 * @throws `IncompleteBody` if there are fewer or more bytes than announced, or the frame is wrong; `SignatureDoesNotMatch`; `MalformedTrailerError`
 */
export async function* decodeChunks(
  body: AsyncIterable<Uint8Array>,
  { length, signing, trailers, onTrailer }: ChunkedBody,
): AsyncGenerator<Uint8Array, void> {
  const source = createSource(body)
  const signatures = signing === undefined ? undefined : createSignatures(signing)
  let left = length
  try {
    for (;;) {
      const [, digits, signature] = CHUNK.exec(await source.line()) ?? []
      if (digits === undefined) throw broken("the size of a chunk can't be read")
      if (signatures !== undefined && signature === undefined) throw broken("a chunk has no signature")
      const size = Number.parseInt(digits, 16)
      if (size > left) throw broken(`its chunks have more bytes than the ${length} of x-amz-decoded-content-length`)
      left -= size
      const hash = signatures === undefined ? undefined : createHash("sha256")
      if (size > 0) yield* hashed(source.bytes(size), hash)
      signatures?.check(hash?.digest("hex") ?? "", signature ?? "")
      if (size === 0) break
      if ((await source.line()) !== "") throw broken("a chunk is longer than its size")
    }
    if (left > 0) throw broken(`it has ${length - left} bytes instead of the ${length} of x-amz-decoded-content-length`)
    const found = await readTrailers(source, trailers)
    if (trailers !== undefined) signatures?.checkTrailers(found)
    for (const [name, value] of found) if (name !== TRAILER_SIGNATURE) onTrailer(name, value)
  } finally {
    await source.close()
  }
}

function broken(reason: string) {
  return s3Error("IncompleteBody", `The chunked body can't be stored: ${reason}. Nothing was stored; send it again.`)
}

async function* hashed(bytes: AsyncIterable<Uint8Array>, hash: Hash | undefined): AsyncGenerator<Uint8Array, void> {
  for await (const piece of bytes) {
    hash?.update(piece)
    yield piece
  }
}

type Trailers = ReadonlyMap<string, string>

/** Reads the headers after the last chunk, to the end of the body. */
async function readTrailers(source: Source, names: readonly string[] | undefined): Promise<Trailers> {
  const found = new Map<string, string>()
  let size = 0
  for (;;) {
    const line = await source.line({ isLast: true })
    if (line === undefined || line === "") break
    size += line.length
    const colon = line.indexOf(":")
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    const isExpected = names?.includes(name) === true || (names !== undefined && name === TRAILER_SIGNATURE)
    if (!isExpected || found.has(name) || size > MAX_TRAILER) {
      const message = `The header '${name.slice(0, 60)}' after the last chunk is not one that x-amz-trailer announces once.`
      throw s3Error("MalformedTrailerError", message)
    }
    found.set(name, line.slice(colon + 1).trim())
  }
  const missing = names?.find((name) => !found.has(name))
  if (missing !== undefined) {
    throw s3Error(
      "MalformedTrailerError",
      `The header ${missing} does not follow the last chunk as x-amz-trailer announces.`,
    )
  }
  if (!(await source.isAtEnd())) throw broken("bytes follow its end")
  return found
}

function createSignatures({ key, scope, time, seed }: ChunkSigning) {
  let last = seed
  const next = (kind: string, hashes: readonly string[], given: string) => {
    const text = [`AWS4-HMAC-SHA256-${kind}`, time, scope, last, ...hashes].join("\n")
    const expected = createHmac("sha256", key).update(text).digest()
    if (!isSameSignature(given, expected)) {
      throw s3Error("SignatureDoesNotMatch", "The signature of a chunk does not fit its bytes; nothing was stored.")
    }
    last = given
  }
  return {
    check: (hash: string, given: string) => next("PAYLOAD", [EMPTY_HASH, hash], given),
    checkTrailers(found: Trailers) {
      const lines = [...found]
        .filter(([name]) => name !== TRAILER_SIGNATURE)
        .map(([name, value]) => `${name}:${value}\n`)
      const hash = createHash("sha256").update(lines.join("")).digest("hex")
      next("TRAILER", [hash], found.get(TRAILER_SIGNATURE) ?? "")
    },
  }
}

interface Source {
  /** Returns a line without its end. At the end of the body: undefined if it may be the last one. */
  line(): Promise<string>
  line(options: { readonly isLast: true }): Promise<string | undefined>
  bytes(count: number): AsyncIterable<Uint8Array>
  isAtEnd(): Promise<boolean>
  close(): Promise<void>
}

const NEWLINE = 0x0a

/** Reads lines and bytes of a body in turns. */
function createSource(body: AsyncIterable<Uint8Array>): Source {
  const pieces = body[Symbol.asyncIterator]()
  let piece: Uint8Array = Buffer.alloc(0)
  let at = 0
  /** Makes the next byte available. Returns false at the end. */
  async function fill(): Promise<boolean> {
    while (at >= piece.byteLength) {
      const { value, done } = await pieces.next()
      if (done === true) return false
      piece = value
      at = 0
    }
    return true
  }
  async function line({ isLast = false }: { readonly isLast?: boolean } = {}): Promise<string | undefined> {
    let text = ""
    for (;;) {
      if (!(await fill())) {
        if (isLast && text === "") return undefined
        throw broken("it ends within a line of its frame")
      }
      const end = piece.indexOf(NEWLINE, at)
      const until = end < 0 ? piece.byteLength : end
      if (text.length + until - at > MAX_LINE) throw broken("a line of its frame is too long")
      text += Buffer.from(piece.buffer, piece.byteOffset + at, until - at).toString("latin1")
      at = until + 1
      if (end >= 0) break
    }
    if (!text.endsWith("\r")) throw broken("a line of its frame does not end with CR LF")
    return text.slice(0, -1)
  }
  return {
    line: line as Source["line"],
    async *bytes(count) {
      let left = count
      while (left > 0) {
        if (!(await fill())) throw broken("it ends within a chunk")
        const part = piece.subarray(at, at + left)
        at += part.byteLength
        left -= part.byteLength
        yield part
      }
    },
    isAtEnd: async () => !(await fill()),
    async close() {
      await pieces.return?.()
    },
  }
}
