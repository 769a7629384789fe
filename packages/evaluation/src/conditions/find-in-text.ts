import { classifyText, readTokenNumbers } from "@assay/inference"
import type { ConditionCode } from "@assay/schemas"
import type { Finding } from "./condition-tally.ts"
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

const PUBLIC_HUB = "https://huggingface.co"
/** An address at a hub: of a page, of its API, or of a file. */
const ADDRESS = /(https?:\/\/[\w.:-]+)\/(?:api\/)?(datasets\/|spaces\/|models\/)?([\w.-]+\/[\w.-]+)/
const NAMED_DATASET = /dataset '?([\w.-]+\/[\w.-]+)'?/i
const NAMED_MODEL = /(?:model|repository) '?([\w.-]+\/[\w.-]+)'?/i

/** What a line tells that helps, as a sentence. */
export function textAdvice(code: ConditionCode, text: string): string | undefined {
  if (code === "gated_dataset" || code === "gated_repository") {
    const page = hubPage(code, text)
    const asked = page === undefined ? "" : `Access is asked for at ${page}. `
    return `${asked}A harness takes the token as HF_TOKEN: name its secret under \`harness.secrets\`.`
  }
  if (code === "inference_tls" || code === "inference_unreachable") return connectionAdvice(code, text)
  if (code === "context_overflow") {
    const { asked, limit } = readTokenNumbers(text)
    return asked === null || limit === null ? undefined : `${asked} tokens were asked for, and ${limit} fit.`
  }
  if (code !== "storage_region") return undefined
  const region = /expecting '([\w-]{1,40})'|<Region>([\w-]{1,40})<\/Region>/.exec(text)
  return region === null ? undefined : `The bucket is in region '${region[1] ?? region[2]}'.`
}

function hubPage(code: "gated_dataset" | "gated_repository", text: string): string | undefined {
  const address = ADDRESS.exec(text)
  if (address !== null) {
    const [, origin = "", place = "", id = ""] = address
    return `${origin}/${place === "models/" ? "" : place}${id}`
  }
  const named = code === "gated_dataset" ? NAMED_DATASET.exec(text) : NAMED_MODEL.exec(text)
  if (named === null) return undefined
  return `${PUBLIC_HUB}/${code === "gated_dataset" ? "datasets/" : ""}${named[1]}`
}

function connectionAdvice(code: "inference_tls" | "inference_unreachable", text: string): string | undefined {
  const pool = /host='([\w.-]{1,253})', port=(\d{1,5})/.exec(text)
  const host = pool === null ? "the endpoint" : `${pool[1]}:${pool[2]}`
  if (code === "inference_unreachable") {
    return pool === null ? undefined : `Check that ${host} can be reached from where the command runs.`
  }
  const problem = /certificate verify failed: ([\w ,'’-]{1,120}\w)/i.exec(text)?.[1]
  const what = problem === undefined ? "" : `What is wrong with the certificate of ${host}: ${problem}. `
  return `${what}A harness in Python trusts the issuer whose certificate SSL_CERT_FILE and REQUESTS_CA_BUNDLE name: set them under \`harness.environment\`.`
}
