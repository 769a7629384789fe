import { hash } from "node:crypto"
import type { GuardrailData } from "@assay/schemas"
import type { Guardrail } from "../guardrail.ts"
import type { CalibrationCandidate } from "./calibration-candidate.ts"

export interface CandidateOptions {
  readonly name: string
  /** The configuration that `guardrail` was opened with; secrets and certificates decide nothing and are left out. */
  readonly data: GuardrailData
  /** Ask for log-probabilities, which give a ROC curve without repeats. Default false. */
  readonly logprobs?: boolean
}

/** An open guardrail as something to measure. */
export function candidateOf(guardrail: Guardrail, options: CandidateOptions): CalibrationCandidate {
  const { name, data, logprobs = false } = options
  const models = (data.models ?? []).map(({ api_key_secret: _key, ca: _ca, ...model }) => model)
  const decisive = JSON.stringify(sorted({ ...data, models, logprobs }))
  return {
    name,
    digest: hash("sha256", decisive, "base64url"),
    judge: (prompt, { signal }) => guardrail.checkPrompt(prompt, { signal, logprobs }),
  }
}

/** The same value with its keys in one order, so that the order in a file decides nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one)]))
}
