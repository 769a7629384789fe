import { createRateLimitWait, type InferenceContext } from "@assay/inference"
import type { CheckAnswer, CheckRequest, GuardrailData } from "@assay/schemas"
import { isAssayError } from "@assay/schemas/errors"
import { configurationDigest } from "../configuration/configuration-digest.ts"
import type { CheckedPrompt, PromptToCheck } from "../judge.ts"
import type { OpenedGuard } from "./opened-guard.ts"

interface Call {
  readonly signal: AbortSignal
}

/** The guardrails of a server. The HTTP client has these calls. */
export interface ServedGuardrails {
  /** @throws `not_found` */
  get(workspace: string, name: string, call: Call): Promise<{ readonly data: GuardrailData }>
  check(workspace: string, body: CheckRequest, call: Call): Promise<CheckAnswer>
}

export interface ServedGuardOptions {
  /** `name` or `workspace/name`. */
  readonly written: string
  /** The workspace of names without one. */
  readonly workspace: string
  /** Maximum total wait of a question in milliseconds while a judge meets a rate limit. */
  readonly maxRateLimitWaitMs: number
  readonly clock: Pick<InferenceContext, "now" | "random" | "sleep">
  readonly signal: AbortSignal
}

/** Opens a configuration on a server. The server asks its models. @throws `not_found` */
export async function openServedGuard(
  guardrails: ServedGuardrails,
  { written, workspace: defaultWorkspace, maxRateLimitWaitMs, clock, signal }: ServedGuardOptions,
): Promise<OpenedGuard> {
  const slash = written.indexOf("/")
  const workspace = slash === -1 ? defaultWorkspace : written.slice(0, slash)
  const name = written.slice(slash + 1)
  const { data } = await guardrails.get(workspace, name, { signal })
  const { sleep, ...times } = clock
  return {
    name: written,
    digest: configurationDigest(data),
    data: null,
    async check(prompt, { signal }) {
      const body = { messages: messagesOf(prompt), guardrails: { config_id: `${workspace}/${name}` } }
      const rateLimit = createRateLimitWait({ maxMs: maxRateLimitWaitMs, ...times })
      for (;;) {
        const answer = await guardrails.check(workspace, body, { signal }).catch(limitOrThrow)
        const waitMs = isLimited(answer) ? rateLimit.next(undefined) : undefined
        if (waitMs !== undefined) await sleep(waitMs, signal)
        else if (answer instanceof Error) throw answer
        else return checkedPrompt(answer)
      }
    },
    close: async () => {},
  }
}

/** Returns the error of a rate limit. @throws any other error */
function limitOrThrow(error: unknown): Error {
  if (isAssayError(error, "rate_limited")) return error
  throw error
}

/** Returns whether a judge met a rate limit. The policy of its rail decides whether the server returns that as an error. */
function isLimited(answer: CheckAnswer | Error): boolean {
  if (answer instanceof Error) return true
  return answer.guardrails_data.log.activated_rails.some(({ error }) => error?.code === "rate_limited")
}

function messagesOf({ prompt, response }: PromptToCheck): CheckRequest["messages"] {
  const asked = { role: "user", content: prompt }
  return response === undefined ? [asked] : [asked, { role: "assistant", content: response }]
}

function checkedPrompt({ status, guardrails_data }: CheckAnswer): CheckedPrompt {
  const rails = guardrails_data.log.activated_rails.map((rail) => ({ rail, answers: [] }))
  return { status, rails }
}
