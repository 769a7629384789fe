import type { CheckedPrompt, PromptToCheck } from "@assay/guardrails"

export interface AskOptions {
  readonly signal: AbortSignal
  readonly logprobs?: boolean
}

/** A configuration that can be asked, here or on a server. */
export interface OpenedGuard {
  /** What the command line calls it. */
  readonly name: string
  /** Stands for everything that decides its answers. */
  readonly digest: string
  /** Failure of a judge is data in what it answers. */
  check(prompt: PromptToCheck, options: AskOptions): Promise<CheckedPrompt>
  close(): Promise<void>
}
