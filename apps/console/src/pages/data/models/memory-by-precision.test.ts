import { expect, it } from "vitest"
import { cacheBytesOf, memoryByPrecision } from "./memory-by-precision.ts"

const PARTS = {
  linear_layers: [],
  num_layers: 32,
  num_kv_heads: 8,
  num_attention_heads: 32,
  hidden_size: 4096,
  mamba_config: null,
}
const layer = (name: string, out_features: number, count = 32) => ({ name, in_features: 4096, out_features, count })

it("weights of 70 billion parameters and a cache of 40 GiB need few GPUs in few bits, and fewer of larger ones", () => {
  const serving = { gpu: 80, context: 8192, batch: 16 }
  const gpusOf = (gpu: number) => memoryByPrecision(70e9, 327_680, { ...serving, gpu }).map(({ gpus }) => gpus)
  expect(gpusOf(80)).toEqual([8, 4, 2, 2])
  expect(gpusOf(192)).toEqual([2, 1, 1, 1])
  expect(memoryByPrecision(70e9, 327_680, serving)[1]).toMatchObject({ weights: 140e9, total: 140e9 + 40 * 2 ** 30 })
  expect(memoryByPrecision(1e9, null, serving)[0]).toMatchObject({ total: 4e9, gpus: 1 })
})

it("the cache of a token is that of the projections, of their compression, or of the heads", () => {
  const projected = [
    layer("m.*.self_attn.k_proj", 1024),
    layer("m.*.self_attn.v_proj", 1024),
    layer("m.*.q_proj", 4096),
  ]
  expect(cacheBytesOf({ ...PARTS, linear_layers: projected })).toBe(2 * 32 * 1024 * 2)
  expect(cacheBytesOf(PARTS)).toBe(2 * 32 * 8 * 128 * 2)
  const compressed = [layer("m.*.self_attn.kv_a_proj_with_mqa", 576, 61), layer("m.*.kv_b_proj", 32_768, 61)]
  expect(cacheBytesOf({ ...PARTS, linear_layers: compressed })).toBe(576 * 61 * 2)
  expect(cacheBytesOf({ ...PARTS, num_attention_heads: null })).toBe(null)
})
