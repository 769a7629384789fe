import { hash } from "node:crypto"
import type { CheckAnswer } from "@assay/schemas"
import type { CheckedPrompt, PromptToCheck } from "@assay/guardrails"
import type { Context } from "../../context.ts"
import { defaultWorkspace } from "../../file-address.ts"
import { openClient } from "../../open-client.ts"
import type { OpenedGuard } from "./opened-guard.ts"

/** A configuration that the server keeps, by `name` or `workspace/name`; the server asks its models. @throws `not_found` */
export async function openServedGuard(context: Context, written: string): Promise<OpenedGuard> {
  const client = openClient(context)
  const slash = written.indexOf("/")
  const workspace = slash === -1 ? defaultWorkspace(context) : written.slice(0, slash)
  const name = written.slice(slash + 1)
  const { data } = await client.guardrails.get(workspace, name, { signal: context.signal })
  return {
    name: written,
    digest: hash("sha256", JSON.stringify(data)),
    async check(prompt, { signal }) {
      const guardrails = { config_id: `${workspace}/${name}` }
      return checkedPrompt(
        await client.guardrails.check(workspace, { messages: messagesOf(prompt), guardrails }, { signal }),
      )
    },
    close: async () => {},
  }
}

function messagesOf({ prompt, response }: PromptToCheck) {
  const asked = { role: "user", content: prompt }
  return response === undefined ? [asked] : [asked, { role: "assistant", content: response }]
}

function checkedPrompt({ status, guardrails_data }: CheckAnswer): CheckedPrompt {
  const rails = guardrails_data.log.activated_rails.map((rail) => ({ rail, answers: [] }))
  return { status, rails }
}
