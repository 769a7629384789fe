import { createGunzip, createZstdDecompress, type Gunzip, type ZstdDecompress } from "node:zlib"
import { messageOf } from "@assay/schemas"
import type { RowCompression } from "../rows/row-format.ts"
import type { Pieces } from "./pieces.ts"

const OUTPUT_BYTES = 256 * 1024
/**
 * Maximum number of decompressed bytes per compressed byte, after the first `FREE_BYTES`. Real rows reach a tenth of
 * this. Zstd can pack terabytes into one mebibyte.
 */
const MAX_RATIO = 2000
const FREE_BYTES = 256 * 1024 * 1024

type Decoder = Gunzip | ZstdDecompress

/** The compressed bytes, and how many of them were read. */
interface Input {
  readonly source: Pieces
  taken: number
  /** Why the source ended before the file did. */
  fault?: string | undefined
  /** The error that the source threw. It is rethrown instead of the decoder's own error. */
  failure?: { readonly error: unknown }
}

/** Decompresses `source`, which may consist of several gzip members or zstd frames. */
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
 * Writes the input into `decoder` until the decoder ends, and returns the bytes that it left. A zstd decoder ends with
 * the frame. A gzip decoder ends with the padding after the last member.
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

/** Writes one piece. It also settles if the decoder is closed, because a closed decoder does not call back. */
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

/** Skips padding and returns the next bytes. Gzip writers may fill their blocks with zeros. */
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
