import { mapInOrder } from "../../validate/map-in-order.ts"
import { checkNoFaults } from "../files/checkpoint-faults.ts"
import type { CheckpointReader } from "../files/checkpoint-reader.ts"
import type { WeightFiles } from "../files/weight-files.ts"
import { PARALLEL_READS } from "../safetensors/read-shards.ts"
import { ggufFaultOf } from "./gguf-fault.ts"
import { readGgufHeader, type GgufHeader } from "./read-gguf-header.ts"

/**
 * The tensors of all parts of a model, and the metadata of the first, which has all of it.
 * @throws `broken_checkpoint` that names every file that is at fault
 */
export async function readGgufFiles(reader: CheckpointReader, weights: WeightFiles): Promise<GgufHeader> {
  const faults: string[] = []
  const headers = await mapInOrder(weights.files, PARALLEL_READS, async (file) => {
    try {
      return await readGgufHeader(reader, file)
    } catch (error) {
      const fault = ggufFaultOf(error)
      if (fault === undefined) throw error
      faults.push(`'${file.path.slice(file.path.lastIndexOf("/") + 1)}' ${fault}`)
      return null
    }
  })
  checkNoFaults(faults)
  return {
    metadata: headers[0]?.metadata ?? new Map<string, never>(),
    tensors: headers.flatMap((header) => header?.tensors ?? []),
  }
}
