import pMap from "p-map"
import type { CheckpointReader } from "../files/checkpoint-reader.ts"
import { checkNoFaults, PARALLEL_READS, type WeightFiles } from "../files/weight-files.ts"
import type { StoredTensor } from "../tensors/stored-tensor.ts"
import { MAX_HEADER_BYTES, readSafetensorsHeader } from "./read-safetensors-header.ts"

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
