import { hash } from "node:crypto"
import { AssayError, type GuardrailData } from "@assay/schemas"
import { sortKeys } from "../../configuration/sort-keys.ts"
import type { Guardrail } from "../../guardrail.ts"
import type { CheckedPrompt, PromptToCheck } from "../../judge.ts"

/** A judge to measure: one guardrail configuration with its models and prompts. */
export interface CalibrationCandidate {
  /** The name in reports. It must be unique among the candidates. */
  readonly name: string
  /** Identifies everything that decides its answers. If it changes, answers in a journal no longer count. */
  readonly digest: string
  /** Checks one prompt. Failures are data in the result; only the reason of an aborted signal is thrown. */
  judge(prompt: PromptToCheck, options: { readonly signal: AbortSignal }): Promise<CheckedPrompt>
}

export interface CandidateOptions {
  readonly name: string
  /** The configuration of `guardrail`. Secrets and certificates do not decide answers and are not part of the digest. */
  readonly data: GuardrailData
  /** Ask for log-probabilities, which allow a ROC curve without repeats. Default false. */
  readonly logprobs?: boolean
}

/** Returns an open guardrail as a candidate. */
export function candidateOf(guardrail: Guardrail, options: CandidateOptions): CalibrationCandidate {
  const { name, data, logprobs = false } = options
  const models = (data.models ?? []).map(({ api_key_secret: _key, ca: _ca, ...model }) => model)
  const decisive = JSON.stringify(sortKeys({ ...data, models, logprobs }))
  return {
    name,
    digest: hash("sha256", decisive, "base64url"),
    judge: (prompt, { signal }) => guardrail.checkPrompt(prompt, { signal, logprobs }),
  }
}

/** @throws `invalid_request` if there is no candidate, or if two have the same name */
export function checkCandidates(candidates: readonly CalibrationCandidate[]): void {
  const names = candidates.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (candidates.length === 0 || twice !== undefined) {
    const found = twice === undefined ? "There is no candidate" : `Two candidates are called "${twice}"`
    throw new AssayError("invalid_request", `${found}; name at least one judge to measure, each by a name of its own.`)
  }
}
