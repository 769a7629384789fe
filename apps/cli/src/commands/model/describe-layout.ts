import type { ModelSpec } from "@assay/schemas"

/** How a model is built, line by line. What it does not have has no line. */
export function describeLayout(spec: ModelSpec): Readonly<Record<string, string>> {
  const { num_attention_heads: heads, num_kv_heads: shared, sliding_window_config: window } = spec
  return {
    ...line("quantization", describeQuantization(spec)),
    context: spec.context_size === null ? "unknown" : `${count(spec.context_size)} tokens`,
    layers: countOrUnknown(spec.num_layers),
    "hidden size": countOrUnknown(spec.hidden_size),
    ...line("attention heads", heads === null ? undefined : `${count(heads)}${describeShared(heads, shared)}`),
    ...line("feed-forward size", spec.ffn_hidden_size === null ? undefined : describeFeedForward(spec)),
    vocabulary: `${countOrUnknown(spec.vocab_size)}${spec.tied_embeddings ? ", embeddings tied" : ""}`,
    ...line("experts", describeExperts(spec)),
    ...line("state space", describeStateSpace(spec)),
    ...line("sliding window", window === null ? undefined : `${count(window.window_size)} tokens`),
    ...line("virtual tokens", spec.num_virtual_tokens === 0 ? undefined : count(spec.num_virtual_tokens)),
  }
}

function describeShared(heads: number, shared: number | null): string {
  return shared === null || shared === heads ? "" : `, ${count(shared)} for keys and values`
}

function describeFeedForward({ ffn_hidden_size, gated_mlp }: ModelSpec): string {
  return `${countOrUnknown(ffn_hidden_size)}${gated_mlp ? ", gated" : ""}`
}

function describeQuantization({ quantization }: ModelSpec): string | undefined {
  if (quantization === null) return undefined
  const { method, format, bits, group_size } = quantization
  return [
    method,
    ...(format === null ? [] : [format]),
    ...(bits === null ? [] : [`${bits} bits`]),
    ...(group_size === null ? [] : [`groups of ${count(group_size)}`]),
  ].join(", ")
}

function describeExperts({ moe_config }: ModelSpec): string | undefined {
  if (moe_config === null) return undefined
  const { num_experts, num_experts_per_tok, num_expert_layers, expert_ffn_size, num_shared_experts } = moe_config
  return [
    `${count(num_experts)} in each of ${count(num_expert_layers)} layers`,
    ...(num_experts_per_tok === null ? [] : [`${count(num_experts_per_tok)} per token`]),
    ...(num_shared_experts === 0 ? [] : [`${count(num_shared_experts)} shared`]),
    ...(expert_ffn_size === null ? [] : [`feed-forward size ${count(expert_ffn_size)}`]),
  ].join(", ")
}

function describeStateSpace({ mamba_config }: ModelSpec): string | undefined {
  if (mamba_config === null) return undefined
  const { num_mamba_layers, num_attention_layers, num_mlp_layers, state_size } = mamba_config
  return [
    `${count(num_mamba_layers)} layers`,
    ...(num_attention_layers === 0 ? [] : [`${count(num_attention_layers)} with attention`]),
    ...(num_mlp_layers === 0 ? [] : [`${count(num_mlp_layers)} of MLP alone`]),
    ...(state_size === null ? [] : [`state of ${count(state_size)}`]),
  ].join(", ")
}

function line(name: string, value: string | undefined): Readonly<Record<string, string>> {
  return value === undefined ? {} : { [name]: value }
}

function countOrUnknown(value: number | null): string {
  return value === null ? "unknown" : count(value)
}

function count(value: number): string {
  return value.toLocaleString("en-US")
}
