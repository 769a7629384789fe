import { truncateSync, writeFileSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"

const LAYERS = 80
const EXPERTS = 64
const SHARDS = 160
const HIDDEN = 8192
const EXPERT_HIDDEN = 2688

export interface MadeShard {
  readonly name: string
  readonly size: number
  readonly head: Buffer
}

const config = {
  model_type: "qwen3_moe",
  architectures: ["Qwen3MoeForCausalLM"],
  torch_dtype: "bfloat16",
  num_hidden_layers: LAYERS,
  hidden_size: HIDDEN,
  num_attention_heads: 64,
  num_key_value_heads: 8,
  head_dim: 128,
  intermediate_size: HIDDEN,
  moe_intermediate_size: EXPERT_HIDDEN,
  num_experts: EXPERTS,
  num_experts_per_tok: 8,
  vocab_size: 151_936,
  tie_word_embeddings: false,
}

type Tensor = readonly [name: string, shape: readonly number[]]

function layerTensors(layer: number): readonly Tensor[] {
  const at = `model.layers.${layer}`
  const experts = Array.from({ length: EXPERTS }, (_, expert): Tensor[] => [
    [`${at}.mlp.experts.${expert}.gate_proj.weight`, [EXPERT_HIDDEN, HIDDEN]],
    [`${at}.mlp.experts.${expert}.up_proj.weight`, [EXPERT_HIDDEN, HIDDEN]],
    [`${at}.mlp.experts.${expert}.down_proj.weight`, [HIDDEN, EXPERT_HIDDEN]],
  ])
  return [
    [`${at}.self_attn.q_proj.weight`, [8192, HIDDEN]],
    [`${at}.self_attn.k_proj.weight`, [1024, HIDDEN]],
    [`${at}.self_attn.v_proj.weight`, [1024, HIDDEN]],
    [`${at}.self_attn.o_proj.weight`, [HIDDEN, 8192]],
    [`${at}.input_layernorm.weight`, [HIDDEN]],
    [`${at}.post_attention_layernorm.weight`, [HIDDEN]],
    [`${at}.mlp.gate.weight`, [EXPERTS, HIDDEN]],
    ...experts.flat(),
  ]
}

function makeShard(name: string, tensors: readonly Tensor[]): MadeShard {
  const header: Record<string, unknown> = {}
  let offset = 0
  for (const [tensor, shape] of tensors) {
    const bytes = shape.reduce((product, side) => product * side, 2)
    header[tensor] = { dtype: "BF16", shape, data_offsets: [offset, offset + bytes] }
    offset += bytes
  }
  const text = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length))
  return { name, size: 8 + text.length + offset, head: Buffer.concat([length, text]) }
}

/** Writes a checkpoint of 700 GB whose weights are holes. Returns its small files and its shards. */
export async function makeCheckpoint(folder: string) {
  await mkdir(folder, { recursive: true })
  const tensors: Tensor[] = [
    ["model.embed_tokens.weight", [151_936, HIDDEN]],
    ...Array.from({ length: LAYERS }, (_, layer) => layerTensors(layer)).flat(),
    ["model.norm.weight", [HIDDEN]],
    ["lm_head.weight", [151_936, HIDDEN]],
  ]
  const size = Math.ceil(tensors.length / SHARDS)
  const weight_map: Record<string, string> = {}
  const shards = Array.from({ length: SHARDS }, (_, index) => {
    const part = tensors.slice(index * size, (index + 1) * size)
    const name = `model-${String(index + 1).padStart(5, "0")}-of-${String(SHARDS).padStart(5, "0")}.safetensors`
    for (const [tensor] of part) weight_map[tensor] = name
    return makeShard(name, part)
  })
  const small = {
    "config.json": JSON.stringify(config),
    "model.safetensors.index.json": JSON.stringify({ metadata: {}, weight_map }),
  }
  for (const [name, text] of Object.entries(small)) writeFileSync(join(folder, name), text)
  for (const { name, size, head } of shards) {
    writeFileSync(join(folder, name), head)
    truncateSync(join(folder, name), size)
  }
  return { small, shards }
}
