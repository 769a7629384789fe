// Entry of `@assay/http/node`.
import { pipeline, Readable, type Transform } from "node:stream"
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib"

/** A body whose content coding is unknown, or that does not fit its coding. The message is the rest of a sentence about the body. */
export class UndecodableContent extends Error {
  override readonly name = "UndecodableContent"
}

/** Each coding multiplies what a small body unpacks to. */
const MAX_CODINGS = 3

/**
 * Decodes a body by its `Content-Encoding`: gzip, deflate, br and zstd, one after the other if there are several (RFC 9110 §8.4). The
 * caller limits how many bytes it reads: a body can unpack to a thousand times its size. A body that ends early yields what it has.
 * @param encoding undefined: the header is absent
 * @throws `UndecodableContent`, and the error of the body
 */
export function decodeContent(
  body: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
): AsyncIterable<Uint8Array> {
  const codings = contentCodings(encoding)
  if (codings.length > MAX_CODINGS) throw new UndecodableContent(`has more than ${MAX_CODINGS} content codings`)
  return codings.toReversed().reduce((inner, coding) => decoded(inner, coding), body)
}

/** Returns whether a `Content-Encoding` says that the body is encoded. */
export function isEncoded(encoding: string | undefined): boolean {
  return contentCodings(encoding).length > 0
}

function contentCodings(encoding: string | undefined): readonly string[] {
  if (encoding === undefined) return []
  const codings = encoding.toLowerCase().split(",")
  return codings.map((coding) => coding.trim().replace(/^x-/, "")).filter((one) => one !== "" && one !== "identity")
}

async function* decoded(body: AsyncIterable<Uint8Array>, coding: string): AsyncGenerator<Uint8Array> {
  const source = body[Symbol.asyncIterator]()
  const first = await source.next()
  if (first.done === true) return
  let broke: { readonly error: unknown } | undefined
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      for (let step = first; step.done !== true; step = await source.next()) yield step.value
    } catch (error) {
      broke = { error }
      throw error
    } finally {
      await source.return?.()
    }
  }
  // Some proxies decode a body and leave the header.
  if (isPlain(first.value, coding)) {
    yield* whole()
    return
  }
  const decoder = createDecoder(coding, first.value)
  // The reader of the decoder gets the error.
  pipeline(Readable.from(whole(), { objectMode: false }), decoder, () => {})
  try {
    yield* decoder
  } catch (cause) {
    if (broke !== undefined) throw broke.error
    throw new UndecodableContent(`is encoded with '${coding}', and can't be decoded`, { cause })
  }
}

const MAGIC: Readonly<Record<string, readonly number[]>> = { gzip: [0x1f, 0x8b], zstd: [0x28, 0xb5, 0x2f, 0xfd] }

/** Returns whether the first bytes of a body are not those of its coding. Only some codings can be recognised. */
function isPlain(first: Uint8Array, coding: string): boolean {
  return MAGIC[coding]?.some((byte, at) => at < first.length && first[at] !== byte) ?? false
}

/** A stream is decoded as far as it has arrived, and one that ends early yields what it has. */
const ZLIB = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }
const BROTLI = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH }
const ZSTD = { flush: constants.ZSTD_e_flush, finishFlush: constants.ZSTD_e_flush }

function createDecoder(coding: string, first: Uint8Array): Transform {
  switch (coding) {
    case "gzip":
      return createGunzip(ZLIB)
    case "deflate":
      // The name means the format of zlib, and some servers send the bare one. RFC 1950: the first byte of zlib ends in 8.
      return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate(ZLIB) : createInflateRaw(ZLIB)
    case "br":
      return createBrotliDecompress(BROTLI)
    case "zstd":
      return createZstdDecompress(ZSTD)
    default:
      throw new UndecodableContent(`is encoded with '${coding.slice(0, 40)}', which can't be decoded`)
  }
}
