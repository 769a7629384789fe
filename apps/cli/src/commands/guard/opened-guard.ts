import type { CheckedPrompt, PromptToCheck } from "@assay/guardrails"
import type { JsonOption } from "../action.ts"

/** The options of a command that say where a judge is. */
export interface EndpointOptions extends JsonOption {
  readonly url?: string
  readonly model: readonly string[]
  readonly family?: string
  readonly ca?: string
  readonly apiKeyEnv?: string
  /** Maximum total wait of a question in seconds while the endpoint limits the rate. Without it, such attempts count as usual. */
  readonly maxRateLimitWait?: number
}

export interface AskOptions {
  readonly signal: AbortSignal
  readonly logprobs?: boolean
}

/** A configuration whose judges answer, on this machine or on a server. */
export interface OpenedGuard {
  /** The name on the command line. */
  readonly name: string
  /** Identifies everything that decides its answers. */
  readonly digest: string
  /** Checks one prompt. A failure of a judge is data in the result. */
  readonly check: (prompt: PromptToCheck, options: AskOptions) => Promise<CheckedPrompt>
  readonly close: () => Promise<void>
}
