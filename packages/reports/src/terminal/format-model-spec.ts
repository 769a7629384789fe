import { type ModelSpec, printable } from "@assay/schemas"
import { formatBytes, formatInteger } from "../text/format-number.ts"
import { formatRecord } from "./format-table.ts"

const UNITS = ["", " K", " M", " B", " T"]
const MAX_TEMPLATE_CHARACTERS = 60

/** Formats a specification: parts that the model does not have are left out, and unknown values say `unknown`. */
export function formatModelSpec(spec: ModelSpec, warnings: readonly string[]): string {
  const { is_embedding_model, embedding_reasons, tool_call_config: tools } = spec
  const lines = {
    architecture: `${spec.checkpoint_model_name} (${spec.family})`,
    parameters: formatParameters(spec),
    ...line(
      "active parameters",
      spec.active_num_parameters == null ? undefined : formatCount(spec.active_num_parameters),
    ),
    ...line("drafting layers", describeDraft(spec)),
    weights: formatBytes(spec.weights_bytes),
    precision: spec.precision ?? "unknown",
    ...describeLayout(spec),
    "GPUs of 80 GB": formatGpus(spec),
    ...(is_embedding_model ? { "embedding model": embedding_reasons.join("; ") || "yes" } : {}),
    "chat template": formatTemplate(spec.chat_template),
    "tool-call parser": tools?.tool_call_parser ?? "none",
    ...(tools?.tool_call_plugin == null ? {} : { "tool-call plugin": tools.tool_call_plugin }),
    ...(tools?.auto_tool_choice == null ? {} : { "automatic tool choice": tools.auto_tool_choice ? "yes" : "no" }),
  }
  return [formatRecord(lines), ...warnings.map((warning) => `warning: ${printable(warning)}\n`)].join("")
}

function formatGpus({ minimum_gpus_all_weights: all, minimum_gpus_lora: lora }: ModelSpec): string {
  return `${all ?? "unknown"} to train all weights, ${lora ?? "unknown"} for LoRA`
}

/** Formats whether there is a chat template, and its first line. */
function formatTemplate(template: string | null): string {
  if (template === null) return "no"
  const first = template.split("\n").find((line) => line.trim() !== "") ?? ""
  const characters = Array.from(first.trim())
  const isCut = characters.length > MAX_TEMPLATE_CHARACTERS
  return `yes: ${characters.slice(0, MAX_TEMPLATE_CHARACTERS).join("")}${isCut ? "…" : ""}`
}

/** Formats a number of parameters: `8,030,261,248 (8.03 B)`. */
export function formatParameters({
  base_num_parameters: parameters,
  parameters_estimated,
}: Pick<ModelSpec, "base_num_parameters" | "parameters_estimated">): string {
  if (parameters === null) return "unknown"
  return `${formatCount(parameters)}${parameters_estimated ? ", estimated from the config" : ""}`
}

function formatCount(parameters: number): string {
  return `${formatInteger(parameters)}${parameters < 1000 ? "" : ` (${shorten(parameters)})`}`
}

function describeDraft({ draft_num_parameters: draft = null }: ModelSpec): string | undefined {
  return draft === null || draft === 0 ? undefined : `${formatCount(draft)} parameters more`
}

function shorten(count: number): string {
  let step = Math.min(UNITS.length - 1, Math.floor(Math.log10(count) / 3))
  // Rounding must not show 1000 M for nearly 1 B.
  if (Number((count / 1000 ** step).toPrecision(3)) >= 1000 && step < UNITS.length - 1) step += 1
  return `${Number((count / 1000 ** step).toPrecision(3))}${UNITS[step]}`
}

/** Describes the layers of a model. Parts that it does not have are left out. */
export function describeLayout(spec: ModelSpec): Readonly<Record<string, string>> {
  const { num_attention_heads: heads, num_kv_heads: shared, sliding_window_config: window } = spec
  return {
    ...line("quantization", describeQuantization(spec)),
    context: spec.context_size === null ? "unknown" : `${formatInteger(spec.context_size)} tokens`,
    layers: countOrUnknown(spec.num_layers),
    "hidden size": countOrUnknown(spec.hidden_size),
    ...line("attention heads", heads === null ? undefined : `${formatInteger(heads)}${describeShared(heads, shared)}`),
    ...line("feed-forward size", spec.ffn_hidden_size === null ? undefined : describeFeedForward(spec)),
    vocabulary: `${countOrUnknown(spec.vocab_size)}${spec.tied_embeddings ? ", embeddings tied" : ""}`,
    ...line("experts", describeExperts(spec)),
    ...line("state space", describeStateSpace(spec)),
    ...line("sliding window", window === null ? undefined : `${formatInteger(window.window_size)} tokens`),
    ...line("virtual tokens", spec.num_virtual_tokens === 0 ? undefined : formatInteger(spec.num_virtual_tokens)),
  }
}

function describeShared(heads: number, shared: number | null): string {
  return shared === null || shared === heads ? "" : `, ${formatInteger(shared)} for keys and values`
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
    ...(group_size === null ? [] : [`groups of ${formatInteger(group_size)}`]),
  ].join(", ")
}

function describeExperts({ moe_config }: ModelSpec): string | undefined {
  if (moe_config === null) return undefined
  const { num_experts, num_experts_per_tok, num_expert_layers, expert_ffn_size, num_shared_experts } = moe_config
  return [
    `${formatInteger(num_experts)} in each of ${formatInteger(num_expert_layers)} layers`,
    ...(num_experts_per_tok === null ? [] : [`${formatInteger(num_experts_per_tok)} per token`]),
    ...(num_shared_experts === 0 ? [] : [`${formatInteger(num_shared_experts)} shared`]),
    ...(expert_ffn_size === null ? [] : [`feed-forward size ${formatInteger(expert_ffn_size)}`]),
  ].join(", ")
}

function describeStateSpace({ mamba_config }: ModelSpec): string | undefined {
  if (mamba_config === null) return undefined
  const { num_mamba_layers, num_attention_layers, num_mlp_layers, state_size } = mamba_config
  return [
    `${formatInteger(num_mamba_layers)} layers`,
    ...(num_attention_layers === 0 ? [] : [`${formatInteger(num_attention_layers)} with attention`]),
    ...(num_mlp_layers === 0 ? [] : [`${formatInteger(num_mlp_layers)} with MLP only`]),
    ...(state_size === null ? [] : [`state of ${formatInteger(state_size)}`]),
  ].join(", ")
}

function line(name: string, value: string | undefined): Readonly<Record<string, string>> {
  return value === undefined ? {} : { [name]: value }
}

function countOrUnknown(value: number | null): string {
  return value === null ? "unknown" : formatInteger(value)
}
