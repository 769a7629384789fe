import { conditionAnswer, type ConditionDetails } from "./condition-answer.ts"
import type { InferenceAnswer } from "./inference-answer.ts"
import type { InferenceFault } from "./inference-faults.ts"
import type { Personality } from "./personality.ts"

const JSON_TYPE = { "content-type": "application/json" }
const PAGE = "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in to go on</body></html>"

/** What a fault says instead of the model, or undefined where it spoils the model's answer. */
export function faultAnswer(
  fault: InferenceFault,
  personality: Personality,
  details: ConditionDetails & { readonly url: string },
): InferenceAnswer | undefined {
  switch (fault.kind) {
    case "condition": {
      const answer = conditionAnswer(fault.condition, personality, details)
      if (fault.retryAfter === undefined) return answer
      return { ...answer, headers: { ...answer.headers, "retry-after": String(fault.retryAfter) } }
    }
    case "answer": {
      const { status, headers, body } = fault
      if (typeof body === "string") return { status, headers: { ...headers }, body }
      return { status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) }
    }
    case "html":
      return { status: fault.status ?? 200, headers: { "content-type": "text/html" }, body: PAGE }
    case "empty":
      return { status: 200, headers: JSON_TYPE, body: "" }
    case "error-in-success": {
      const error = { message: fault.message ?? "Provider returned error", code: 502 }
      return { status: 200, headers: JSON_TYPE, body: JSON.stringify({ error }) }
    }
    case "no-choices":
      return { status: 200, headers: JSON_TYPE, body: JSON.stringify({ id: "1", object: "chat.completion" }) }
    case "broken-json":
      return { status: 200, headers: JSON_TYPE, body: '{"id": "chatcmpl-1", "choices": [{"index": 0, "message"' }
    case "redirect-loop":
      return { status: 307, headers: { location: details.url }, body: "" }
    case "not-http":
    case "hang":
    case "hang-in-body":
    case "reset":
    case "cut":
    case "end-early":
    default:
      return undefined
  }
}
