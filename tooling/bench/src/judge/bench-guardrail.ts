import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { openGuardrail, type Guardrail } from "@assay/guardrails"
import type { GuardrailData } from "@assay/schemas"

const PROMPT = "Is this message safe? Answer as JSON with User Safety.\n\n{{ user_input }}"

/** Returns a configuration with a number of content-safety rails that ask `url`, and a chat model there. */
export function guardrailData(url: string, rails = 1): GuardrailData {
  const types = Array.from({ length: rails }, (_, index) => `judge_${index}`)
  const flows = types.map((type) => `content safety check input $model=${type}`)
  return {
    models: [
      { type: "main", model: "chat", url: `${url}/v1` },
      ...types.map((type) => ({ type, model: "judge", url: `${url}/v1`, family: "user-safety-json" })),
    ],
    prompts: types.map((type) => ({ task: `content_safety_check_input $model=${type}`, content: PROMPT })),
    rails: { input: { flows } },
  }
}

export function benchGuardrail(data: GuardrailData): Promise<Guardrail> {
  return Promise.resolve(
    openGuardrail(data, {
      inference: {
        now: Date.now,
        random: Math.random,
        sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, signal === undefined ? {} : { signal }),
      },
      now: Date.now,
      newId: randomUUID,
      resolveSecret: () => Promise.reject(new Error("no secret is named")),
    }),
  )
}
