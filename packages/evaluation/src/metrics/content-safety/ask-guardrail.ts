import { parseLabelledPrompt, reduceCheck, type Guardrail } from "@assay/guardrails"
import { AssayError, ERROR_CATALOGUE, type ErrorCode } from "@assay/schemas"
import type { Ask } from "../../plan/task-plan.ts"

/** Runs each labelled prompt through a guardrail; the sample's response is what its rails say together. A judge's failure is the row's. */
export function askGuardrail(guardrail: Guardrail): Ask {
  return {
    kind: "call",
    async call(item, { signal }) {
      const { prompt, response } = parseLabelledPrompt(item, 1)
      const text = response === undefined ? { prompt } : { prompt, response }
      const judged = reduceCheck(await guardrail.checkPrompt(text, { signal }))
      if (judged.outcome === "error") throw judgeError(judged.reason, judged.message)
      const { tokens } = judged
      return {
        output_text: judged.raw ?? null,
        response: judged,
        usage:
          tokens === null
            ? null
            : {
                prompt_tokens: tokens.prompt,
                completion_tokens: tokens.completion,
                total_tokens: tokens.prompt + tokens.completion,
              },
        latency_ms: judged.latency_ms,
        finish_reason: null,
      }
    },
  }
}

function judgeError(reason = "internal", message = "The judge could not be asked."): AssayError {
  return new AssayError(reason in ERROR_CATALOGUE ? (reason as ErrorCode) : "internal", message)
}
