import { hash } from "node:crypto"
import type { GuardrailData } from "@assay/schemas"
import { configurationDigest } from "../../configuration/configuration-digest.ts"
import type { CheckedPrompt, PromptToCheck } from "../../judge.ts"
import type { CertifiableCandidate } from "../certifiable-candidate.ts"
import { withThreshold } from "./with-threshold.ts"

/** An open configuration, as far as candidates need it. */
export interface CandidateGuard {
  readonly name: string
  readonly digest: string
  /** Null: a server asks its models. */
  readonly data: GuardrailData | null
  readonly check: (
    prompt: PromptToCheck,
    options: { readonly signal: AbortSignal; readonly logprobs?: boolean },
  ) => Promise<CheckedPrompt>
}

/** A candidate with the configuration that is written if it is certified. */
export interface ConfiguredCandidate extends CertifiableCandidate {
  readonly data: GuardrailData | null
}

/**
 * Returns the candidates of an open configuration: as it is, and with each threshold. All are judged by the answers to the same
 * questions, which ask for log-probabilities. A configuration that can't have a threshold is one candidate.
 */
export function guardCandidates(
  { name, digest, data, check }: CandidateGuard,
  thresholds: readonly number[],
): readonly ConfiguredCandidate[] {
  const changed =
    data === null
      ? []
      : thresholds.flatMap((threshold) => {
          const at = withThreshold(data, threshold)
          return at === null ? [] : [{ threshold, data: at }]
        })
  if (changed.length === 0) return [{ name, digest, threshold: null, data, asked: { name, digest, judge: check } }]
  const asked = {
    name,
    digest: hash("sha256", JSON.stringify([digest, "logprobs"])),
    judge: (prompt: PromptToCheck, { signal }: { readonly signal: AbortSignal }) =>
      check(prompt, { signal, logprobs: true }),
  }
  return [
    { name, digest, threshold: null, data, asked },
    ...changed.map(({ threshold, data: at }) => ({
      name: `${name} at ${threshold}`,
      digest: configurationDigest(at),
      threshold,
      data: at,
      asked,
    })),
  ]
}
