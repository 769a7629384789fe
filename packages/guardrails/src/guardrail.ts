import type { ActivatedRail, ChatBody, CheckAnswer, ValidationIssue } from "@assay/schemas"
import type { InferenceContext, InferenceDefaults } from "@assay/inference"
import type { CheckedPrompt, JudgeOptions, PromptToCheck } from "./judge.ts"

export interface GuardrailContext {
  readonly inference: InferenceContext
  /** Time limit and tries of each call; absent: those of the client. */
  readonly inferenceDefaults?: InferenceDefaults
  /** The key behind a secret reference. @throws `secret_not_readable` */
  readonly resolveSecret: (reference: string) => Promise<string>
  /** Milliseconds since 1970, for `created` of what the guardrail answers itself. */
  readonly now: () => number
  /** A new random id, for the same. */
  readonly newId: () => string
  /** Where models without an address are asked; absent: nowhere. */
  readonly defaultUrl?: string
  /** Whether an endpoint may be asked; absent: any. @throws `host_not_allowed`, which becomes `inference_unreachable` by the rail's policy */
  readonly checkEndpoint?: (url: string) => void
}

export interface GuardOptions {
  readonly signal?: AbortSignal
  /** Which rails run; absent: all. */
  readonly rails?: RailSelection
}

/** Which rails of each place run: all, none, or those of these flows. */
export interface RailSelection {
  readonly input: boolean | readonly string[]
  readonly output: boolean | readonly string[]
}

/** A chat completion as it goes to the caller, with what the rails found. */
export interface GuardedCompletion {
  readonly body: Readonly<Record<string, unknown>>
  readonly activatedRails: readonly ActivatedRail[]
  readonly isBlocked: boolean
}

/** A configuration whose models are open to be asked. */
export interface Guardrail {
  /** What of the configuration has no effect, and prompts that do not show what they judge. */
  readonly warnings: readonly ValidationIssue[]
  /**
   * Runs the input rails over the last user message and, where the chat ends with an assistant's message, the output rails.
   * @throws the judge's error where a rail's `on_error` is `error`
   */
  check(chat: ChatBody, options?: GuardOptions): Promise<CheckAnswer>
  /** Input rails, model `main`, output rails. @throws as `check`; `judge_output_unreadable` under `on_unreadable: error` */
  complete(chat: ChatBody, options?: GuardOptions): Promise<GuardedCompletion>
  /** The same as chunks of a stream: text is let through window by window. */
  stream(chat: ChatBody, options?: GuardOptions): AsyncIterable<Readonly<Record<string, unknown>>>
  /**
   * Runs every input rail over a prompt, or with `response` every output rail over that, each to its end: what measures judges.
   * Failures of judges are in the result. @throws `invalid_request` where there are no such rails
   */
  checkPrompt(text: PromptToCheck, options?: JudgeOptions): Promise<CheckedPrompt>
  close(): Promise<void>
}
