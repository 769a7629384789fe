import type { StoredFile } from "@assay/storage"
import type { CheckpointReader } from "../files/checkpoint-reader.ts"
import { parseSafetensorsHeader, type HeaderResult } from "./parse-safetensors-header.ts"

/**
 * Limit for one file, and for all files of a checkpoint together. The format's own implementation has the same limit.
 */
export const MAX_HEADER_BYTES = 100_000_000

const LENGTH_BYTES = 8
const OPEN_BRACE = 123

interface HeaderReading {
  /** Expected bytes of the header. They are read with the first request, and the rest, if any, with a second. */
  readonly expected: number
  /** Counts bytes against the limit for all headers. Returns false if it is exceeded. */
  readonly claim: (bytes: number) => boolean
}

/** Reads the header of a file without its tensors. */
export async function readSafetensorsHeader(
  reader: CheckpointReader,
  file: StoredFile,
  { expected, claim }: HeaderReading,
): Promise<HeaderResult> {
  const failed = (fault: string): HeaderResult => ({ tensors: null, fault })
  const first = await reader.read(file, 0, LENGTH_BYTES + expected)
  if (first.length < LENGTH_BYTES) return failed(`has ${first.length} bytes, too few for a header`)
  const announced = first.readBigUInt64LE(0)
  const room = file.size - LENGTH_BYTES
  if (announced > BigInt(room)) return failed(`says that its header has ${announced} bytes, but only ${room} follow`)
  const length = Number(announced)
  if (!claim(length))
    return failed(`has a header of ${length} bytes; headers are read up to ${MAX_HEADER_BYTES} in all`)
  const known = first.subarray(LENGTH_BYTES, LENGTH_BYTES + length)
  if (length > 0 && known[0] !== OPEN_BRACE) return failed("has a header that is not JSON")
  const rest = await reader.read(file, LENGTH_BYTES + known.length, length - known.length)
  return parseSafetensorsHeader(Buffer.concat([known, rest]).toString("utf8"), room - length)
}
