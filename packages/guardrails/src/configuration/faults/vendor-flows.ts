/** Beginnings of the names of NeMo Guardrails flows that need more than a judge or a rule of ours, and what they need. */
const VENDOR_FLOWS: readonly (readonly [RegExp, string])[] = [
  [/^(jailbreak detection|check jailbreak)/, "detects jailbreaks by heuristics or a classifier of its own"],
  [/^(self check|alignscore check) facts/, "compares an answer with retrieved documents"],
  [/^(self check hallucination|hallucination warning)/, "asks the model for further answers to compare"],
  [/^(detect|mask) (sensitive data|pii)/, "finds personal data with a recogniser of its own"],
  [/^injection detection/, "looks for injected code with rules"],
  [/^regex check retrieval/, "matches patterns in retrieved documents"],
  [/^regex (redact|mask)/, "rewrites text"],
  [/^check tool call/, "asks a model about single tools"],
  [/^cel /, "evaluates expressions of CEL"],
  [/^(allow|dummy) (input|output)/, "is written in Colang"],
  [
    /^(activefence|ai defense|autoalign|clavata|cleanlab|crowdstrike|fiddler|gcpnlp|gotitai|guardrailsai|pangea|patronus|policyai|prompt security|protect prompt|protect response|trend ai)/i,
    "asks a service of its own",
  ],
]

/** Returns what an unsupported flow of the vendor does. Returns null if the name is not one of the vendor's. */
export function vendorFlowNeed(name: string): string | null {
  return VENDOR_FLOWS.find(([pattern]) => pattern.test(name.trim()))?.[1] ?? null
}
