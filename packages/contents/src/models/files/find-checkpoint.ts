import type { StoredFile } from "@assay/storage"
import type { CheckpointReader } from "./checkpoint-reader.ts"

/** The files of the folder in which a checkpoint is expected. */
export interface CheckpointFolder {
  /** `""` or `"alternates/hf/"`. */
  readonly folder: string
  /** The files directly in the folder, by name. */
  readonly files: ReadonlyMap<string, StoredFile>
  /** Other folders that contain a config or weights. */
  readonly elsewhere: readonly string[]
}

/** The folder of a checkpoint if another form of the model (ONNX, an engine) is at the root. */
const PREFERRED = "alternates/hf/"
const MAX_ELSEWHERE = 5

/** Finds the checkpoint: in `alternates/hf` if that folder exists, or else at the root. It takes one listing. */
export async function findCheckpoint(reader: CheckpointReader): Promise<CheckpointFolder> {
  const root = new Map<string, StoredFile>()
  const preferred = new Map<string, StoredFile>()
  const elsewhere = new Set<string>()
  for await (const file of reader.list()) {
    const slash = file.path.lastIndexOf("/") + 1
    const folder = file.path.slice(0, slash)
    const name = file.path.slice(slash)
    if (folder === "") root.set(name, file)
    else if (folder === PREFERRED) preferred.set(name, file)
    else if (indicatesCheckpoint(name) && elsewhere.size < MAX_ELSEWHERE) elsewhere.add(folder)
  }
  const files = preferred.size > 0 ? preferred : root
  return { folder: preferred.size > 0 ? PREFERRED : "", files, elsewhere: [...elsewhere] }
}

function indicatesCheckpoint(name: string): boolean {
  return name === "config.json" || /\.(safetensors|gguf)$/.test(name)
}
