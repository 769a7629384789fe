import type { CheckedPrompt, PromptToCheck } from "../judge.ts"

/** A judge that is measured: one guardrail configuration with its models and prompts. */
export interface CalibrationCandidate {
  /** How reports call it. Must be unique among the candidates. */
  readonly name: string
  /** Stands for everything that decides its answers; when it changes, a journal's answers no longer count. */
  readonly digest: string
  /** Failure is data in what it answers; only an aborted signal is thrown. */
  judge(prompt: PromptToCheck, options: { readonly signal: AbortSignal }): Promise<CheckedPrompt>
}
