import type { StoredFile } from "@assay/storage"
import type { CheckpointReader } from "./checkpoint-reader.ts"
import type { CheckpointFolder } from "./find-checkpoint.ts"
import { leftOut, readWeightIndex, plainWeights, type WeightFiles } from "./weight-files.ts"

/** Weights in another layout of the same model, or of something that is not the model. */
const OTHER_WEIGHTS = /^(consolidated|adapter_model|optimizer|mmproj)/
const OPAQUE = /^(pytorch_model|model|consolidated|tf_model|flax_model|rust_model).*\.(bin|pth|pt|h5|msgpack|onnx|ot)$/

/**
 * Chooses the weight files of a checkpoint: safetensors, or else GGUF, or else kinds without readable headers. Returns
 * null if there are none.
 */
export async function chooseWeights(reader: CheckpointReader, folder: CheckpointFolder): Promise<WeightFiles | null> {
  const safetensors = filesOf(folder, /\.safetensors$/)
  if (safetensors.size > 0) return chooseSafetensors(reader, folder, safetensors)
  const index = indexFile(folder)
  if (index !== undefined) return readWeightIndex(reader, index, safetensors)
  const gguf = filesOf(folder, /\.gguf$/)
  if (gguf.size > 0) return largestSet("gguf", shardSets(gguf))
  const opaque = [...filesOf(folder, OPAQUE).values()]
  return opaque.length === 0 ? null : largestKind(opaque)
}

/** Chooses in the order of `transformers`: one whole file, then an index, then any other set. */
async function chooseSafetensors(
  reader: CheckpointReader,
  folder: CheckpointFolder,
  files: ReadonlyMap<string, StoredFile>,
): Promise<WeightFiles> {
  const whole = files.get("model.safetensors")
  if (whole !== undefined) {
    return { ...plainWeights("safetensors", [whole]), warnings: leftOut(files, new Set(["model.safetensors"])) }
  }
  const index = indexFile(folder)
  if (index !== undefined) return readWeightIndex(reader, index, files)
  return largestSet("safetensors", shardSets(files))
}

function indexFile({ files }: CheckpointFolder): StoredFile | undefined {
  return [...files].find(([name]) => /^(?!consolidated).*\.safetensors\.index\.json$/.test(name))?.[1]
}

function filesOf({ files }: CheckpointFolder, pattern: RegExp): ReadonlyMap<string, StoredFile> {
  const matching = [...files].filter(([name]) => pattern.test(name))
  const own = matching.filter(([name]) => !OTHER_WEIGHTS.test(name))
  return new Map(own.length > 0 ? own : matching)
}

function largestSet(kind: "safetensors" | "gguf", sets: readonly ShardSet[]): WeightFiles {
  const [largest, ...others] = sets.toSorted((a, b) => b.bytes - a.bytes)
  if (largest === undefined) return plainWeights(kind, [])
  const faults = largest.missing.map((name) => `'${name}' is missing`)
  const left = others.map(({ name }) => `'${name}'`).join(", ")
  const warnings =
    others.length === 0
      ? []
      : [`Of several sets of weights '${largest.name}', the largest, is described; left out: ${left}.`]
  return { kind, files: largest.files, index: null, faults, warnings }
}

function largestKind(files: readonly StoredFile[]): WeightFiles {
  const byEnding = Map.groupBy(files, ({ path }) => path.slice(path.lastIndexOf(".")))
  const bytesOf = (group: readonly StoredFile[]) => group.reduce((sum, { size }) => sum + size, 0)
  const [largest = []] = [...byEnding.values()].toSorted((a, b) => bytesOf(b) - bytesOf(a))
  return plainWeights("opaque", largest)
}

/** Files that are parts of one set according to their names. */
interface ShardSet {
  /** The name without its number and ending. */
  readonly name: string
  readonly files: readonly StoredFile[]
  readonly bytes: number
  /** Names of missing parts. */
  readonly missing: readonly string[]
}

const SHARD = /^(.*)-(\d+)-of-(\d+)(\.[a-z]+)$/
/** More parts than any real set has. A name with a larger number is not a shard. */
const MAX_PARTS = 100_000

/** Groups files that are numbered `…-00001-of-00003…`. Every other file is a set of its own. */
function shardSets(files: ReadonlyMap<string, StoredFile>): readonly ShardSet[] {
  const sets = new Map<string, { name: string; names: string[]; expected: readonly string[] }>()
  for (const name of files.keys()) {
    const [, stem, number, total = "", ending] = SHARD.exec(name) ?? []
    if (stem === undefined || number === undefined || Number(total) > MAX_PARTS) {
      sets.set(name, { name: name.replace(/\.[a-z]+$/, ""), names: [name], expected: [] })
      continue
    }
    const key = `${stem}-of-${total}${ending}`
    const known = sets.get(key)
    if (known !== undefined) known.names.push(name)
    else {
      const nameOf = (part: number) => `${stem}-${String(part).padStart(number.length, "0")}-of-${total}${ending}`
      const expected = Array.from({ length: Number(total) }, (_, index) => nameOf(index + 1))
      sets.set(key, { name: stem, names: [name], expected })
    }
  }
  return [...sets.values()].map(({ name, names, expected }) => {
    const own = names.toSorted().flatMap((one) => files.get(one) ?? [])
    const bytes = own.reduce((sum, file) => sum + file.size, 0)
    return { name, files: own, bytes, missing: expected.filter((one) => !files.has(one)) }
  })
}
