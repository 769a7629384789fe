import type { Storage } from "@assay/storage"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { makeCheckpoint } from "./testing/checkpoint-folder.ts"
import { decoderTensors } from "./testing/decoder-layout.ts"
import { qwenMlp } from "./testing/mixture-layout.ts"
import { analyzeCheckpoint } from "./analyze-checkpoint.ts"

const config = {
  model_type: "qwen3_moe",
  architectures: ["Qwen3MoeForCausalLM"],
  num_hidden_layers: 80,
  hidden_size: 8192,
  num_attention_heads: 64,
  num_key_value_heads: 8,
  head_dim: 128,
  intermediate_size: 8192,
  moe_intermediate_size: 2688,
  num_experts: 64,
  vocab_size: 151936,
  tie_word_embeddings: false,
}
const SHARDS = 160

/** Wraps a storage to record how many reads are running and how much they request. */
function watch(storage: Storage) {
  const seen = { underWay: 0, most: 0, bytes: 0, calls: 0 }
  const read: Storage["read"] = async (path, options) => {
    seen.calls++
    seen.most = Math.max(seen.most, ++seen.underWay)
    const result = await storage.read(path, options)
    seen.bytes += (result.range?.end ?? 0) - (result.range?.start ?? 0) + 1
    seen.underWay--
    return result
  }
  return { storage: { ...storage, read }, seen }
}

describe("a checkpoint of 700 GB", () => {
  it(
    "is described with one small request per shard for 160 shards, sixteen at a time",
    verifies("models.analysis.headers-only"),
    async () => {
      const tensors = decoderTensors(config, { mlp: qwenMlp(8192, 2688, 64) })
      const made = await makeCheckpoint({ files: { "config.json": config }, tensors, shards: SHARDS })
      const { storage, seen } = watch(made.storage)
      const { spec, bytes_read, requests } = await analyzeCheckpoint({ storage })
      expect(spec.weights_bytes).toBeGreaterThan(690e9)
      expect(spec.moe_config).toMatchObject({ num_experts: 64, num_expert_layers: 80 })
      // One listing, the config, the index, and the shards.
      expect(requests).toBe(SHARDS + 3)
      expect(seen.calls).toBe(SHARDS + 2)
      expect(seen.most).toBeLessThanOrEqual(16)
      expect(bytes_read).toBe(seen.bytes)
      expect(bytes_read / SHARDS).toBeLessThan(100_000)
    },
  )

  it("is abandoned at once when the caller aborts", async () => {
    const tensors = decoderTensors({ ...config, num_hidden_layers: 2 }, { mlp: qwenMlp(8192, 2688, 2) })
    const { storage } = await makeCheckpoint({ files: { "config.json": config }, tensors, shards: 4 })
    const controller = new AbortController()
    let reads = 0
    const read: Storage["read"] = (path, options) => {
      if (++reads === 3) controller.abort(new Error("nobody waits"))
      return storage.read(path, options)
    }
    await expect(analyzeCheckpoint({ storage: { ...storage, read }, signal: controller.signal })).rejects.toThrow(
      "nobody waits",
    )
    expect(reads).toBeLessThan(7)
  })
})
