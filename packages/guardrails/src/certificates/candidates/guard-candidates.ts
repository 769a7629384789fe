import type { GuardrailData } from "@assay/schemas"
import { configurationDigest, questionDigest } from "../../configuration/configuration-digest.ts"
import { withoutThreshold, withThreshold } from "../../configuration/input-threshold.ts"
import type { CheckedPrompt, PromptToCheck } from "../../judge.ts"
import type { CertifiableCandidate } from "../certifiable-candidate.ts"

/**
 * The thresholds that are tried unless others are named: even steps of the odds, because judges are mostly very sure. The value 0.5 is
 * about what the verdict itself says.
 */
export const THRESHOLDS: readonly number[] = [0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999]

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
  const plain = data === null ? null : withoutThreshold(data)
  const changed =
    data === null
      ? []
      : thresholds.flatMap((threshold) => {
          const at = threshold === plain?.threshold ? null : withThreshold(data, threshold)
          return at === null ? [] : [{ threshold, data: at }]
        })
  if (plain === null || changed.length === 0) {
    return [{ name, digest, threshold: null, base: null, data, asked: { name, digest, judge: check } }]
  }
  const base = configurationDigest(plain.data)
  const asked = {
    name,
    digest: questionDigest(base),
    judge: (prompt: PromptToCheck, { signal }: { readonly signal: AbortSignal }) =>
      check(prompt, { signal, logprobs: true }),
  }
  return [
    { name, digest, threshold: plain.threshold, base, data, asked },
    ...changed.map(({ threshold, data: at }) => ({
      name: `${name} at ${threshold}`,
      digest: configurationDigest(at),
      threshold,
      base,
      data: at,
      asked,
    })),
  ]
}
