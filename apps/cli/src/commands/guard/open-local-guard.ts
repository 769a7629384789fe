import { hash } from "node:crypto"
import type { GuardrailData } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { checkGuardrailData, openGuardrail } from "@assay/guardrails"
import type { Context } from "../../context.ts"
import type { EndpointOptions } from "./guard-options.ts"
import { inferenceContext } from "./inference-context.ts"
import type { OpenedGuard } from "./opened-guard.ts"
import { inferenceKey, KEY_VARIABLE } from "./resolve-key.ts"

export interface LocalGuard {
  readonly name: string
  readonly data: GuardrailData
  readonly options: EndpointOptions
}

/** A configuration whose models are asked from here. The key of the environment goes to each of them. */
export async function openLocalGuard(context: Context, { name, data, options }: LocalGuard): Promise<OpenedGuard> {
  checkGuardrailData(data)
  const key = inferenceKey(context, options)
  // Here the environment is where every key comes from, whatever secret a model names on a server.
  const models = data.models.map((model) => (key === undefined ? model : { ...model, api_key_secret: KEY_VARIABLE }))
  const guardrail = await openGuardrail(
    { ...data, models },
    {
      inference: inferenceContext(context),
      inferenceDefaults: { maxRateLimitWaitMs: (options.maxRateLimitWait ?? 0) * 1000 },
      now: context.now,
      newId: () => Buffer.from(context.randomBytes(12)).toString("hex"),
      resolveSecret: async (reference) => {
        if (key !== undefined) return key
        const message = `A model names the secret '${reference}', and ${options.apiKeyEnv ?? KEY_VARIABLE} is not set: put its key into that variable.`
        throw new AssayError("bad_usage", message)
      },
    },
  )
  return {
    name,
    digest: hash("sha256", JSON.stringify(data)),
    check: (prompt, ask) => guardrail.checkPrompt(prompt, ask),
    close: () => guardrail.close(),
  }
}
