import { expect, it } from "vitest"
import { cacheBytesOf } from "./key-value-cache.ts"

const PARTS = {
  linear_layers: [],
  num_layers: 32,
  num_kv_heads: 8,
  num_attention_heads: 32,
  hidden_size: 4096,
  mamba_config: null,
}
const layer = (name: string, out_features: number, count = 32) => ({ name, in_features: 4096, out_features, count })

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
