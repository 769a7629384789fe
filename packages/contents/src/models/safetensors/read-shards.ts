import type { StoredFile } from "@assay/storage"
import pMap from "p-map"
import type { CheckpointReader } from "../files/checkpoint-reader.ts"
import { checkNoFaults, type WeightFiles } from "../files/weight-files.ts"
import type { StoredTensor } from "../tensors/stored-tensor.ts"
import { parseSafetensorsHeader, type HeaderResult } from "./parse-safetensors-header.ts"

/** Number of headers that are read at the same time. */
export const PARALLEL_READS = 16

/**
 * Bytes of a header entry without its name: the type, a shape of two sizes and offsets of twelve digits, with their
 * keys.
 */
const ENTRY_BYTES = 96
const WITHOUT_INDEX_BYTES = 64 * 1024

interface Shard {
  readonly name: string
  readonly tensors: readonly StoredTensor[]
}

/**
 * Reads the tensors of all shards. The index shows the approximate length of each header, so that most headers take one
 * request.
 * @throws `broken_checkpoint` that names every faulty shard
 */
export async function readShards(reader: CheckpointReader, weights: WeightFiles): Promise<readonly StoredTensor[]> {
  const expected = expectedHeaderBytes(weights.index)
  let left = MAX_HEADER_BYTES
  const claim = (bytes: number) => {
    left -= bytes
    return left >= 0
  }
  const headers = await pMap(
    weights.files,
    async (file) => {
      const name = file.path.slice(file.path.lastIndexOf("/") + 1)
      const reading = { expected: expected.get(name) ?? WITHOUT_INDEX_BYTES, claim }
      return { name, ...(await readSafetensorsHeader(reader, file, reading)) }
    },
    { concurrency: PARALLEL_READS },
  )
  checkNoFaults(headers.flatMap(({ name, fault }) => (fault === null ? [] : [`'${name}' ${fault}`])))
  return joinShards(
    headers.map(({ name, tensors }) => ({ name, tensors: tensors ?? [] })),
    weights.index,
  )
}

function expectedHeaderBytes(index: WeightFiles["index"]): ReadonlyMap<string, number> {
  const bytes = new Map<string, number>()
  for (const [tensor, file] of index ?? []) bytes.set(file, (bytes.get(file) ?? 0) + tensor.length + ENTRY_BYTES)
  return bytes
}

/** Returns each tensor once. If a tensor is in two shards, the one named by the index is used. */
function joinShards(shards: readonly Shard[], index: WeightFiles["index"]): readonly StoredTensor[] {
  const tensors = new Map<string, StoredTensor>()
  const faults: string[] = []
  for (const shard of shards) {
    for (const tensor of shard.tensors) {
      const home = index?.get(tensor.name)
      if (home !== undefined && home !== shard.name) continue
      if (tensors.has(tensor.name)) faults.push(`'${shard.name}' has the tensor '${tensor.name}' of another shard`)
      tensors.set(tensor.name, tensor)
    }
  }
  for (const [name, file] of index ?? []) {
    if (!tensors.has(name)) faults.push(`'${file}' lacks the tensor '${name}', which the index says it has`)
  }
  checkNoFaults(faults)
  return [...tensors.values()]
}

/**
 * Limit for one file, and for all files of a checkpoint together. The format's own implementation has the same limit.
 */
const MAX_HEADER_BYTES = 100_000_000

const LENGTH_BYTES = 8
const OPEN_BRACE = 123

interface HeaderReading {
  /** Expected bytes of the header. They are read with the first request, and the rest, if any, with a second. */
  readonly expected: number
  /** Counts bytes against the limit for all headers. Returns false if it is exceeded. */
  readonly claim: (bytes: number) => boolean
}

/** Reads the header of a file without its tensors. */
async function readSafetensorsHeader(
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
