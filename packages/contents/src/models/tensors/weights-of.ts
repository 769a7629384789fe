import type { Quantization } from "@assay/schemas"
import { isBesideWeights } from "./beside-weights.ts"
import { unpackedWeight } from "./packing.ts"
import { precisionOf } from "./precisions.ts"
import { elementsOf, type StoredTensor } from "./stored-tensor.ts"
import type { Weight } from "./weight.ts"

/** The parameters that `tensors` hold: packed ones by the shape that they unpack to, without scales and buffers. */
export function weightsOf(tensors: readonly StoredTensor[], quantization: Quantization | null): readonly Weight[] {
  const byName = new Map(tensors.map((tensor) => [tensor.name, tensor]))
  const find = (name: string) => byName.get(name)
  return tensors
    .filter((tensor) => !isBesideWeights(tensor, find))
    .map((tensor) => unpackedWeight(tensor, { find, quantization }) ?? asStored(tensor))
}

function asStored({ name, shape, type }: StoredTensor): Weight {
  return { name, elements: elementsOf(shape), shape, precision: precisionOf(type) }
}
