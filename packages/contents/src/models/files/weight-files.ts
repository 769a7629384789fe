import type { StoredFile } from "@assay/storage"

/** The files that hold the weights of a checkpoint, all of one kind. */
export interface WeightFiles {
  /** `opaque`: PyTorch pickles and the like, in which no tensor can be seen without reading it. */
  readonly kind: "safetensors" | "gguf" | "opaque"
  readonly files: readonly StoredFile[]
  /** File of each tensor, where an index says it. */
  readonly index: ReadonlyMap<string, string> | null
  /** What is missing, each the beginning of a sentence. */
  readonly faults: readonly string[]
  readonly warnings: readonly string[]
}

/** Weights of a kind without an index, of which all files are there. */
export function plainWeights(kind: WeightFiles["kind"], files: readonly StoredFile[]): WeightFiles {
  return { kind, files, index: null, faults: [], warnings: [] }
}
