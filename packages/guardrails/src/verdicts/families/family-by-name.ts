import { JUDGE_FAMILIES, type JudgeFamily } from "@assay/schemas"

/** Returns the family of a name: the family's own name, or that of a vendor's output parser. Undefined: the name is unknown. */
export function familyOf(name: string): JudgeFamily | undefined {
  return JUDGE_FAMILIES.find((family) => family === name) ?? VENDOR_PARSERS.get(name)
}

/** The output parsers of NeMo Guardrails, and the family that each reads. */
const VENDOR_PARSERS: ReadonlyMap<string, JudgeFamily> = new Map<string, JudgeFamily>([
  ["is_content_safe", "self-check"],
  ["nemoguard_parse_prompt_safety", "user-safety-json"],
  ["nemoguard_parse_response_safety", "user-safety-json"],
  ["nemotron_content_safety_parse_prompt_safety", "user-safety-lines"],
  ["nemotron_content_safety_parse_response_safety", "user-safety-lines"],
  ["nemotron_reasoning_parse_prompt_safety", "harm-lines"],
  ["nemotron_reasoning_parse_response_safety", "harm-lines"],
  ["parse_tool_safety_verdict", "tool-safety"],
  ["tool_safety_check", "tool-safety"],
  ["topic_safety_check", "topic-control"],
  ["llama_guard_check", "llama-guard"],
  ["self_check_input", "self-check"],
  ["self_check_output", "self-check"],
])
