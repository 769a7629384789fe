import { classifyText } from "@assay/inference"
import type { ConditionCode } from "@assay/schemas"
import type { Finding } from "./finding.ts"
import { textAdvice } from "./text-advice.ts"
import { TEXT_SIGNALS } from "./text-signals.ts"

/** Longer lines are read to here, so that a hostile one costs no more. */
const MAX = 16_384
const HUB_HOST = /\b(host='|https?:\/\/)([\w-]+\.)*(huggingface\.co|hf\.co)\b/
const FOUND_ELSEWHERE = /Error connecting to inference server/i
/** When it is the hub that does not answer, no inference endpoint is to blame. */
const CONNECTIONS: ReadonlySet<ConditionCode> = new Set(["inference_unreachable", "inference_tls", "request_timeout"])

/** The condition that a line of a log tells of. Text is the last thing to go by. */
export function findInText(line: string): Finding | undefined {
  const text = line.slice(0, MAX)
  const code = codeOf(text)
  if (code === undefined) return undefined
  const advice = textAdvice(code, text)
  const title = code === "rate_limited" && HUB_HOST.test(text) ? { title: "The hub limits the rate" } : {}
  return { code, message: text.trim(), ...title, ...(advice === undefined ? {} : { advice }) }
}

function codeOf(text: string): ConditionCode | undefined {
  const own = TEXT_SIGNALS.find(({ pattern }) => pattern.test(text))?.code
  if (own !== undefined) return own
  const code = classifyText(text) ?? (FOUND_ELSEWHERE.test(text) ? "inference_unreachable" : undefined)
  return code !== undefined && CONNECTIONS.has(code) && HUB_HOST.test(text) ? "datastore_unreachable" : code
}
