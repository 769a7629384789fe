import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { openLocalStorage, type Storage } from "@assay/storage"
import { onTestFinished } from "vitest"
import { bytesOf, writeSafetensors, type TestTensor } from "./safetensors-file.ts"

export interface CheckpointFolder {
  readonly folder: string
  readonly storage: Storage
}

/**
 * Contents of a test folder: texts and objects (written as JSON) by path, and tensors for one file or several shards.
 */
export interface CheckpointContents {
  readonly files?: Readonly<Record<string, unknown>>
  readonly tensors?: readonly TestTensor[]
  /** Number of shards of `tensors`, with an index. Default: one file without an index. */
  readonly shards?: number
  /** Folder of the tensors, with a trailing slash. `files` must create it. Default: the root. */
  readonly within?: string
}

/** Creates a folder that is removed after the test. Tensors have their real sizes, but their bytes are a hole. */
export async function makeCheckpoint(contents: CheckpointContents = {}): Promise<CheckpointFolder> {
  const { files = {}, tensors, shards, within = "" } = contents
  const folder = await realpath(await mkdtemp(join(tmpdir(), "assay-checkpoints-")))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), asText(content))
  }
  if (tensors !== undefined) await writeShards(join(folder, within), tensors, shards)
  return { folder, storage: openLocalStorage({ type: "local", path: folder }) }
}

function asText(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content)
}

async function writeShards(folder: string, tensors: readonly TestTensor[], shards = 0): Promise<void> {
  if (shards === 0) return writeSafetensors(join(folder, "model.safetensors"), tensors)
  const size = Math.ceil(tensors.length / shards)
  const map: Record<string, string> = {}
  for (let shard = 0; shard < shards; shard++) {
    const own = tensors.slice(shard * size, (shard + 1) * size)
    for (const [tensor] of own) map[tensor] = shardName(shard, shards)
    await writeSafetensors(join(folder, shardName(shard, shards)), own)
  }
  const total = tensors.reduce((sum, tensor) => sum + bytesOf(tensor), 0)
  const index = { metadata: { total_size: total }, weight_map: map }
  return writeFile(join(folder, "model.safetensors.index.json"), JSON.stringify(index))
}

/** Returns the name of a shard. The first shard is 0. */
export function shardName(shard: number, shards: number): string {
  const digits = (number: number) => String(number).padStart(5, "0")
  return `model-${digits(shard + 1)}-of-${digits(shards)}.safetensors`
}
