import { createGunzip, createZstdDecompress, type Gunzip, type ZstdDecompress } from "node:zlib"
import type { RowCompression } from "../rows/row-format.ts"
import type { Pieces } from "./pieces.ts"

const OUTPUT_BYTES = 256 * 1024
/**
 * Bytes that come of one compressed byte at most, beyond the first ones that are free. Real rows come to a tenth of this; zstd
 * packs terabytes into a mebibyte.
 */
const MAX_RATIO = 2000
const FREE_BYTES = 256 * 1024 * 1024

type Decoder = Gunzip | ZstdDecompress

/** The compressed bytes as far as they have been taken. */
interface Input {
  readonly source: Pieces
  taken: number
  /** Why the source has ended early. */
  fault?: string | undefined
  /** What the source has thrown, which is not the decoder's to report. */
  failure?: { readonly error: unknown }
}

/** The bytes that `source` holds compressed, of all its gzip members or zstd frames. */
export async function* decompress(source: Pieces, compression: RowCompression): Pieces {
  const input: Input = { source, taken: 0 }
  let produced = 0
  try {
    let rest = await nextPiece(input)
    while (rest !== undefined) {
      const decoder = openDecoder(compression)
      const poured = pour(input, rest, decoder)
      try {
        for await (const piece of decoder as AsyncIterable<Uint8Array>) {
          produced += piece.length
          if (produced > FREE_BYTES + MAX_RATIO * input.taken) {
            return `can't be read: the ${compression} data holds more than ${MAX_RATIO} times its size`
          }
          yield piece
        }
      } catch (error) {
        if (input.failure !== undefined) throw input.failure.error
        return `can't be read: the ${compression} data is broken here (${messageOf(error)})`
      } finally {
        decoder.destroy()
      }
      rest = await skipPadding(input, await poured, compression)
    }
    return input.fault
  } finally {
    await source.return(undefined)
  }
}

function openDecoder(compression: RowCompression): Decoder {
  const options = { chunkSize: OUTPUT_BYTES }
  return compression === "gzip" ? createGunzip(options) : createZstdDecompress(options)
}

/**
 * Writes the input into `decoder` until that has ended, and answers with what it left: a decoder of zstd ends with the
 * frame, one of gzip with the padding after the last member.
 */
async function pour(input: Input, first: Uint8Array, decoder: Decoder): Promise<Uint8Array | undefined> {
  let given = 0
  try {
    for (let piece: Uint8Array | undefined = first; piece !== undefined; piece = await nextPiece(input)) {
      given += piece.length
      await write(decoder, piece)
      const left = given - decoder.bytesWritten
      if (left > 0) return Uint8Array.from(piece.subarray(piece.length - left))
      if (decoder.destroyed) return undefined
    }
    decoder.end()
  } catch (error) {
    input.failure = { error }
    decoder.destroy(error instanceof Error ? error : new Error("The source has failed."))
  }
  return undefined
}

/** Settles as well when the decoder is closed: it calls back for no piece then. */
function write(decoder: Decoder, piece: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      decoder.off("close", done)
      resolve()
    }
    decoder.once("close", done)
    decoder.write(piece, done)
  })
}

async function nextPiece(input: Input): Promise<Uint8Array | undefined> {
  for (;;) {
    const step = await input.source.next()
    if (step.done === true) {
      input.fault = step.value
      return undefined
    }
    input.taken += step.value.length
    if (step.value.length > 0) return step.value
  }
}

/** What follows, from `rest` on. Writers of gzip may fill up their blocks with zeros. */
async function skipPadding(
  input: Input,
  rest: Uint8Array | undefined,
  compression: RowCompression,
): Promise<Uint8Array | undefined> {
  for (let piece = rest ?? (await nextPiece(input)); piece !== undefined; piece = await nextPiece(input)) {
    const start = compression === "gzip" ? piece.findIndex((byte) => byte !== 0) : 0
    if (start !== -1) return piece.subarray(start)
  }
  return undefined
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "unknown"
}
