import type { GuardrailPrompt, JudgeFamily } from "@assay/schemas"
import type { JudgeFlow } from "../configuration/parse-flow.ts"
import type { RailPlace } from "../verdict-reading.ts"
import { contentSafetyPrompt } from "./content-safety-prompt.ts"
import { selfCheckPrompt } from "./self-check-prompt.ts"
import { toolSafetyPrompt } from "./tool-safety-prompt.ts"
import { topicSafetyPrompt } from "./topic-safety-prompt.ts"

/** Guard models whose chat template holds the policy: they are given the conversation and nothing else. */
const PROMPTED_BY_TEMPLATE: ReadonlySet<JudgeFamily> = new Set<JudgeFamily>([
  "llama-guard",
  "qwen3guard",
  "wildguard",
  "granite-guardian",
  "shieldgemma",
])

const TEXTS = {
  "self check": selfCheckPrompt,
  "topic safety check": topicSafetyPrompt,
  "tool safety check": toolSafetyPrompt,
} as const

/** What a flow asks where the configuration has no prompt for it; null where a judge of this family needs one of its own. */
export function builtInPrompt(
  { kind, place }: Pick<JudgeFlow, "kind" | "place">,
  family: JudgeFamily,
): Pick<GuardrailPrompt, "content" | "messages"> | null {
  if (kind !== "content safety check" && kind !== "llama guard check") return { content: TEXTS[kind](place) }
  if (kind === "llama guard check" || PROMPTED_BY_TEMPLATE.has(family)) return conversation(place)
  return family === "user-safety-json" ? { content: contentSafetyPrompt(place) } : null
}

function conversation(place: RailPlace): Pick<GuardrailPrompt, "messages"> {
  const user = { type: "user", content: "{{ user_input }}" }
  const assistant = { type: "assistant", content: "{{ bot_response }}" }
  return { messages: place === "input" ? [user] : [user, assistant] }
}
