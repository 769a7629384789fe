import type { ModelSpec } from "@assay/schemas"
import { formatBytes } from "../../output/format-bytes.ts"
import { formatRecord } from "../../output/format-record.ts"
import { printable } from "../../output/printable.ts"
import { describeLayout } from "./describe-layout.ts"
import { formatParameters } from "./format-parameters.ts"

const MAX_TEMPLATE_CHARACTERS = 60

/** A specification for people: what it does not have is left out, what it does not say is said to be unknown. */
export function formatModelSpec(spec: ModelSpec, warnings: readonly string[]): string {
  const { is_embedding_model, embedding_reasons, tool_call_config: tools } = spec
  const lines = {
    architecture: `${spec.checkpoint_model_name} (${spec.family})`,
    parameters: formatParameters(spec),
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

/** Whether there is one, and how it begins. */
function formatTemplate(template: string | null): string {
  if (template === null) return "no"
  const first = template.split("\n").find((line) => line.trim() !== "") ?? ""
  const characters = Array.from(first.trim())
  const isCut = characters.length > MAX_TEMPLATE_CHARACTERS
  return `yes: ${characters.slice(0, MAX_TEMPLATE_CHARACTERS).join("")}${isCut ? "…" : ""}`
}
