import { hash } from "node:crypto"
import { createRateLimitWait } from "@assay/inference"
import { isAssayError } from "@assay/schemas/errors"
import type { CheckAnswer } from "@assay/schemas"
import type { CheckedPrompt, PromptToCheck } from "@assay/guardrails"
import type { Context } from "../../context.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import { inferenceContext } from "./inference-context.ts"
import type { EndpointOptions, OpenedGuard } from "./opened-guard.ts"

/** Opens a configuration on the server by `name` or `workspace/name`. The server asks its models. @throws `not_found` */
export async function openServedGuard(
  context: Context,
  written: string,
  { maxRateLimitWait = 0 }: Pick<EndpointOptions, "maxRateLimitWait">,
): Promise<OpenedGuard> {
  const client = openClient(context)
  const slash = written.indexOf("/")
  const workspace = slash === -1 ? defaultWorkspace(context) : written.slice(0, slash)
  const name = written.slice(slash + 1)
  const { data } = await client.guardrails.get(workspace, name, { signal: context.signal })
  return {
    name: written,
    digest: hash("sha256", JSON.stringify(data)),
    async check(prompt, { signal }) {
      const body = { messages: messagesOf(prompt), guardrails: { config_id: `${workspace}/${name}` } }
      const { sleep, ...clock } = inferenceContext(context)
      const rateLimit = createRateLimitWait({ maxMs: maxRateLimitWait * 1000, ...clock })
      for (;;) {
        const answer = await client.guardrails.check(workspace, body, { signal }).catch(limitOrThrow)
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

/** Whether a judge met a rate limit. The policy of its rail decides whether the server returns that as an error. */
function isLimited(answer: CheckAnswer | Error): boolean {
  if (answer instanceof Error) return true
  return answer.guardrails_data.log.activated_rails.some(({ error }) => error?.code === "rate_limited")
}

function messagesOf({ prompt, response }: PromptToCheck) {
  const asked = { role: "user", content: prompt }
  return response === undefined ? [asked] : [asked, { role: "assistant", content: response }]
}

function checkedPrompt({ status, guardrails_data }: CheckAnswer): CheckedPrompt {
  const rails = guardrails_data.log.activated_rails.map((rail) => ({ rail, answers: [] }))
  return { status, rails }
}
