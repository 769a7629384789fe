import { rm, truncate } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { makeCheckpoint, shardName } from "../testing/checkpoint-folder.ts"
import { writeRawSafetensors, writeSafetensors, type TestTensor } from "../testing/safetensors-file.ts"
import { analyzeCheckpoint } from "../analyze-checkpoint.ts"

const config = { model_type: "llama", architectures: ["LlamaForCausalLM"], hidden_size: 8, num_hidden_layers: 1 }
const files = { "config.json": config }
const tensors: readonly TestTensor[] = [
  ["model.embed_tokens.weight", "BF16", [10, 8]],
  ["model.layers.0.self_attn.q_proj.weight", "BF16", [8, 8]],
  ["model.layers.0.mlp.up_proj.weight", "BF16", [16, 8]],
  ["model.norm.weight", "BF16", [8]],
]

/** Returns the error of analysing a `model.safetensors` with this header. */
async function refusal(header: string, data: number, length?: bigint): Promise<string> {
  const { folder, storage } = await makeCheckpoint({ files })
  await writeRawSafetensors(join(folder, "model.safetensors"), header, data, length)
  return analyzeCheckpoint({ storage }).then(
    () => "none",
    (error: unknown) =>
      error instanceof Error && "code" in error ? `${String(error.code)}: ${error.message}` : "unknown",
  )
}

const entry = (dtype: string, shape: unknown, data_offsets: unknown) => ({ dtype, shape, data_offsets })

describe("a safetensors header", () => {
  it.each([
    ["{", 0, undefined, "has a header that is not JSON"],
    ["[1]", 0, undefined, "has a header that is not JSON"],
    ["", 0, undefined, "has a header that is not JSON"],
    ["{}", 0, 1000n, "says that its header has 1000 bytes, but only 2 follow"],
    ["{}", 0, 18_446_744_073_709_551_615n, "says that its header has 18446744073709551615 bytes, but only 2 follow"],
    ["{}", 7, undefined, "goes on for 7 bytes after its last tensor"],
  ])(
    "is refused if it is %j with %d bytes after it and a stated length of %s",
    async (header, data, length, message) => {
      expect(await refusal(header, data, length)).toBe(
        `broken_checkpoint: The checkpoint is broken: 'model.safetensors' ${message}.`,
      )
    },
  )

  it.each([
    [{ a: 1 }, "a tensor 'a' that is not described by an object"],
    [{ a: entry("F32", [1], [0]) }, "a tensor 'a' whose data_offsets are not two positions"],
    [{ a: { shape: [1], data_offsets: [0, 4] } }, "a tensor 'a' without a dtype"],
    [{ a: entry("F32", [-1], [0, 4]) }, "a tensor 'a' whose shape is not a list of sizes"],
    [{ a: entry("F32", "1", [0, 4]) }, "a tensor 'a' whose shape is not a list of sizes"],
    [{ a: entry("F32", [1], [4, 0]) }, "a tensor 'a' that ends before it begins"],
    [{ a: entry("F32", [2, 3], [0, 4]) }, "a tensor 'a' of F32 [2, 3] that takes 4 bytes instead of 24"],
    [{ a: entry("F32", [2 ** 40, 2 ** 40], [0, 4]) }, "that takes 4 bytes instead of"],
    [{ a: entry("F32", [2], [0, 8]), b: entry("F32", [1], [4, 8]) }, "tensors that overlap: 'b' begins within 'a'"],
    [{ a: entry("F32", [1], [0, 4]), b: entry("F32", [1], [8, 12]) }, "4 bytes before 'b' that belong to no tensor"],
    [{ a: entry("F32", [8], [0, 32]) }, "is cut short: its tensors take 32 bytes, 16 are there"],
  ])("is refused if it lists %j", async (header, message) => {
    expect(await refusal(JSON.stringify(header), 16)).toContain(message)
  })

  it("is refused above 100 MB without being read", async () => {
    const { folder, storage } = await makeCheckpoint({ files })
    const length = 100_000_001
    await writeRawSafetensors(join(folder, "model.safetensors"), "{", length + 100, BigInt(length))
    const ranges: number[] = []
    const watched = {
      ...storage,
      read: (...[path, options]: Parameters<typeof storage.read>) => {
        const range = options?.range
        if (range?.kind === "from") ranges.push((range.end ?? 0) - range.start + 1)
        return storage.read(path, options)
      },
    }
    await expect(analyzeCheckpoint({ storage: watched })).rejects.toThrow(
      "'model.safetensors' has a header of 100000001 bytes; headers are read up to 100000000 in all",
    )
    expect(Math.max(...ranges)).toBeLessThan(100_000)
  })

  it("may contain unknown types, which are counted by their bytes", async () => {
    const { folder, storage } = await makeCheckpoint({ files })
    const header = { "model.norm.weight": entry("F5_X", [8], [0, 5]), __metadata__: { format: "pt" } }
    await writeRawSafetensors(join(folder, "model.safetensors"), JSON.stringify(header), 5)
    expect((await analyzeCheckpoint({ storage })).spec).toMatchObject({ base_num_parameters: 8, precision: "f5_x" })
  })
})

describe("the shards of a checkpoint", () => {
  it("are all named if they are missing", async () => {
    const { folder, storage } = await makeCheckpoint({ files, tensors, shards: 4 })
    await rm(join(folder, shardName(1, 4)))
    await rm(join(folder, shardName(3, 4)))
    const index = "which 'model.safetensors.index.json' names, is missing"
    await expect(analyzeCheckpoint({ storage })).rejects.toMatchObject({
      code: "broken_checkpoint",
      message: `The checkpoint is broken: '${shardName(1, 4)}', ${index}; '${shardName(3, 4)}', ${index}.`,
    })
    await rm(join(folder, "model.safetensors.index.json"))
    await expect(analyzeCheckpoint({ storage })).rejects.toThrow(`'${shardName(1, 4)}' is missing`)
  })

  it("are all named if they are cut short", async () => {
    const { folder, storage } = await makeCheckpoint({ files, tensors, shards: 4 })
    await truncate(join(folder, shardName(0, 4)), 5)
    await truncate(join(folder, shardName(2, 4)), 200)
    const refused = analyzeCheckpoint({ storage })
    await expect(refused).rejects.toThrow(`'${shardName(0, 4)}' has 5 bytes, too few for a header`)
    await expect(refused).rejects.toThrow(`'${shardName(2, 4)}' is cut short`)
  })

  it("are left out with a warning if the index does not name them", async () => {
    const { folder, storage } = await makeCheckpoint({ files, tensors, shards: 2 })
    await writeSafetensors(join(folder, "extra.safetensors"), [["model.extra.weight", "BF16", [100]]])
    await writeSafetensors(join(folder, "consolidated.safetensors"), tensors)
    const { spec, warnings } = await analyzeCheckpoint({ storage })
    expect(spec.base_num_parameters).toBe(80 + 64 + 128 + 8)
    expect(warnings).toContain("Weights beside those of the checkpoint are left out: 'extra.safetensors'.")
  })

  it("are named if they lack a tensor of the index, or share one without an index", async () => {
    const { folder, storage } = await makeCheckpoint({ files, tensors, shards: 2 })
    await writeSafetensors(join(folder, shardName(1, 2)), tensors.slice(2, 3))
    await expect(analyzeCheckpoint({ storage })).rejects.toThrow(
      `'${shardName(1, 2)}' lacks the tensor 'model.norm.weight', which the index says it has`,
    )
    await writeSafetensors(join(folder, shardName(1, 2)), tensors.slice(1))
    await rm(join(folder, "model.safetensors.index.json"))
    await expect(analyzeCheckpoint({ storage })).rejects.toThrow(
      `'${shardName(1, 2)}' has the tensor 'model.layers.0.self_attn.q_proj.weight' of another shard`,
    )
  })

  it("count a tensor that is in two of them where the index says it is", async () => {
    const { folder, storage } = await makeCheckpoint({ files, tensors, shards: 2 })
    await writeSafetensors(join(folder, shardName(1, 2)), [
      ...tensors.slice(2),
      ["model.embed_tokens.weight", "F32", [90, 8]],
    ])
    const { spec } = await analyzeCheckpoint({ storage })
    expect(spec).toMatchObject({ base_num_parameters: 80 + 64 + 128 + 8, vocab_size: 10 })
  })

  it("are refused if the index names none", async () => {
    const { storage } = await makeCheckpoint({ files: { ...files, "model.safetensors.index.json": { weight_map: 1 } } })
    await expect(analyzeCheckpoint({ storage })).rejects.toThrow("'model.safetensors.index.json' has no 'weight_map'")
  })
})
