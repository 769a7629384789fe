import type { WeightGroup } from "./weights.ts"

/** The facts about the layers in the names of the weights. */
export interface LayerSurvey {
  readonly layers: number
  readonly expertLayers: number
  /** Number of experts in the layer with the most. 0 if single experts can't be distinguished. */
  readonly experts: number
  /** Number of parameters of all routed experts. */
  readonly expertElements: number
  readonly hasSharedExpert: boolean
  /** Layers with a state of fixed size: Mamba and linear attention. */
  readonly mambaLayers: number
  readonly attentionLayers: number
  /** Layers with only a dense MLP. */
  readonly mlpLayers: number
  /** Undefined if no MLP was found. */
  readonly isGated: boolean | undefined
}

const EXPERT = /\.experts\.|_exps\.|\.ffn\.experts|block_sparse_moe\.(input|output)_linear/
const NUMBERED_EXPERT = /\.experts\.(\d+)\./
const SHARED_EXPERT = /shared_expert|shared_mlp|_shexp\./
const MAMBA = /\.(mixer|mamba|ssm)\.A_log$|\.ssm_a$/
/** The decay of a linear attention, whose other weights can have the names of an ordinary one. */
const LINEAR_ATTENTION = /\.(linear_attn|self_attn)\.A_log$/
const ATTENTION =
  /\.(q_proj|q_a_proj|kv_a_proj_with_mqa|qkv_proj|query_key_value|c_attn|Wqkv|wqkv|query|attn_q|attn_qkv|attn_q_a|attn_kv_a_mqa|q|SelfAttention\.q)\.weight$/
const MLP =
  /\.(up_proj|gate_up_proj|fc1|c_fc|fc_in|dense_h_to_4h|ffn_up|w1|w3|Wi|wi|wi_0|wi_1|fc11|up_gate_proj|intermediate\.dense)(\.weight|_blocks)?$/
const GATE =
  /\.(gate_proj|gate_up_proj|gate_and_up_proj|up_gate_proj|gate_up|ffn_gate|ffn_gate_exps|w3|v1|wi_1|fc12|up_gate)(\.weight|_blocks)?$/
/** Gate and up projection in one matrix whose name does not show it. */
const FUSED_GATE = /\.(input_linear|Wi|dense_h_to_4h)\.weight$/

/** Surveys the groups of a model, or of its text model. */
export function surveyLayers(groups: readonly WeightGroup[], fusedGateRows: number | undefined): LayerSurvey {
  const layersOf = (test: RegExp) => {
    const found = groups.filter(({ pattern }) => test.test(pattern))
    return new Set(found.flatMap(({ layers }) => [...layers]))
  }
  const all = new Set(groups.flatMap(({ layers }) => [...layers]))
  const linear = layersOf(LINEAR_ATTENTION)
  const mamba = layersOf(MAMBA).union(linear)
  const attention = layersOf(ATTENTION).difference(linear)
  const experts = layersOf(EXPERT)
  const mlp = layersOf(MLP).difference(experts)
  return {
    layers: all.size,
    expertLayers: experts.size,
    experts: countExperts(groups),
    expertElements: groups.reduce((sum, { pattern, elements }) => sum + (EXPERT.test(pattern) ? elements : 0), 0),
    hasSharedExpert: groups.some(({ pattern }) => SHARED_EXPERT.test(pattern)),
    mambaLayers: mamba.size,
    attentionLayers: attention.size,
    mlpLayers: mlp.difference(mamba).difference(attention).size,
    isGated: isGated(groups, fusedGateRows),
  }
}

function countExperts(groups: readonly WeightGroup[]): number {
  const numbers = groups
    .filter(({ pattern }) => EXPERT.test(pattern))
    .flatMap(({ weights }) => weights.map(({ name }) => Number(NUMBERED_EXPERT.exec(name)?.[1] ?? -1)))
  return numbers.reduce((most, number) => Math.max(most, number + 1), 0)
}

function isGated(groups: readonly WeightGroup[], fusedRows: number | undefined): boolean | undefined {
  if (groups.some(({ pattern }) => GATE.test(pattern))) return true
  const fused = groups.find(({ pattern }) => FUSED_GATE.test(pattern))
  const rows = fused?.weights[0]?.shape?.at(-2)
  if (rows !== undefined && fusedRows !== undefined && rows === fusedRows) return true
  return groups.some(({ pattern }) => MLP.test(pattern)) ? false : undefined
}
