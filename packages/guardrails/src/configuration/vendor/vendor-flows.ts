/** How names of rails of NeMo Guardrails begin that need more than a judge, and what they need. */
const VENDOR_FLOWS: readonly (readonly [RegExp, string])[] = [
  [/^(jailbreak detection|check jailbreak)/, "detects jailbreaks by heuristics or a classifier of its own"],
  [/^(self check|alignscore check) facts/, "compares an answer with retrieved documents"],
  [/^(self check hallucination|hallucination warning)/, "asks the model for further answers to compare"],
  [/^(detect|mask) (sensitive data|pii)/, "finds personal data with a recogniser of its own"],
  [/^injection detection/, "looks for injected code with rules"],
  [/^regex check/, "matches patterns"],
  [/^(allow|dummy) (input|output)/, "is written in Colang"],
  [
    /^(activefence|ai defense|autoalign|clavata|cleanlab|crowdstrike|fiddler|gcpnlp|gotitai|guardrailsai|pangea|patronus|policyai|prompt security|protect prompt|protect response|trend ai)/i,
    "asks a service of its own",
  ],
]

/** What a rail of the vendor does that is not there here; null for a name that is none of the vendor's. */
export function vendorFlowNeed(name: string): string | null {
  return VENDOR_FLOWS.find(([pattern]) => pattern.test(name.trim()))?.[1] ?? null
}
