import type { ActivatedRail, ChatBody, CheckAnswer, RailPlace, ValidationIssue } from "@assay/schemas"
import type { InferenceContext, InferenceDefaults } from "@assay/inference"
import type { CheckJson } from "./rails/rules/rule.ts"
import type { CheckedPrompt, JudgeOptions, PromptToCheck } from "./judge.ts"

export interface GuardrailContext {
  readonly inference: InferenceContext
  /** Time limit and attempts of each call. Default: those of the inference client. */
  readonly inferenceDefaults?: InferenceDefaults
  /** Returns the key of a secret reference for the endpoint that gets it. @throws `secret_not_readable` */
  readonly resolveSecret: (reference: string, url: string) => Promise<string>
  /** Checks arguments of tools and searches texts for patterns, which can come from users. Default: such rules can't be opened. */
  readonly checkJson?: CheckJson
  /** Returns milliseconds since 1970, for `created` of answers that the guardrail writes itself. */
  readonly now: () => number
  /** Returns a new random id, for the same answers. */
  readonly newId: () => string
  /** The URL of models that have none. Default: such models can't be asked. */
  readonly defaultUrl?: string
  /**
   * Checks whether an endpoint may be called. Default: every endpoint may. @throws `host_not_allowed`, which becomes
   * `inference_unreachable`, so that the policy of the rail decides
   */
  readonly checkEndpoint?: (url: string) => void
}

export interface GuardOptions {
  readonly signal?: AbortSignal | undefined
  /** Which rails run. Default: all. */
  readonly rails?: RailSelection | undefined
  /** Adds the messages that each judge was asked with to its rail. Streams do not return rails. Default false. */
  readonly prompts?: boolean | undefined
  /** Whether the caller sends failed requests again itself. The model of the chat is then asked once. Default false. */
  readonly callerRetries?: boolean | undefined
}

/** Which rails of each place run: all, none, or the rails of these flows. Default: all. */
export interface RailSelection extends Readonly<Partial<Record<RailPlace, boolean | readonly string[]>>> {
  /** Places at which the configuration must have rails, because the caller relies on them. Default: none. */
  readonly required?: readonly RailPlace[] | undefined
}

/** A chat completion for the caller, with the findings of the rails. */
export interface GuardedCompletion {
  readonly body: Readonly<Record<string, unknown>>
  readonly activatedRails: readonly ActivatedRail[]
  readonly isBlocked: boolean
}

/** A guardrail configuration that is ready: its prompts are parsed and its models are open. */
export interface Guardrail {
  /** Parts of the configuration that have no effect, and prompts that do not show the text to judge. */
  readonly warnings: readonly ValidationIssue[]
  /**
   * Runs the input rails on the last user message. If the chat ends with a message of the assistant, runs the output rails on that.
   * @throws the error of the judge if the `on_error` of a rail is `error`
   */
  check(chat: ChatBody, options?: GuardOptions): Promise<CheckAnswer>
  /**
   * Runs the input rails, asks the model `main`, and runs the output rails. @throws as `check`; `judge_output_unreadable` under
   * `on_unreadable: error`
   */
  complete(chat: ChatBody, options?: GuardOptions): Promise<GuardedCompletion>
  /** Does the same as a stream: text is released window by window. */
  stream(chat: ChatBody, options?: GuardOptions): AsyncIterable<Readonly<Record<string, unknown>>>
  /**
   * Runs every input rail on a prompt, or with `response` every output rail on that, each to its end. It serves to measure judges.
   * Failures of judges are in the result.
   * @throws `invalid_request` if the configuration has no such rails
   */
  checkPrompt(text: PromptToCheck, options?: JudgeOptions): Promise<CheckedPrompt>
  close(): Promise<void>
}
