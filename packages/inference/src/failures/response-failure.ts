import { maskUrlUser } from "@assay/schemas"
import type { Failure, FailureRecord, InferenceErrorCode } from "./failure.ts"
import { readErrorBody, type ErrorBody } from "./read-error-body.ts"
import { readTokenNumbers } from "./read-token-numbers.ts"
import { firstSignal, PYTHON_SIGNALS, SERVER_SIGNALS } from "./text-signals.ts"

const MAX = 300

/** Describes a failed response by its status and its body. */
export function responseFailure(record: FailureRecord): Failure {
  const status = record.status ?? 0
  const body = readErrorBody(record.body)
  // A 200 with an error in its body counts as the status in the body.
  const meant = status < 300 ? (body.status ?? status) : status
  const code = responseCode(status, meant, body)
  const said = body.isHtml
    ? `an HTML page, which begins '${shortened(record.body)}'`
    : quoted(body.message, record.body)
  const reason = `${record.url} answers ${status}${said === "" ? " with an empty body" : ` with ${said}`}`
  return { code, ...told(code, record, body, reason), status: meant }
}

type Told = Omit<Failure, "code">

function told(code: InferenceErrorCode, record: FailureRecord, body: ErrorBody, reason: string): Told {
  switch (code) {
    case "inference_unauthorized":
      return unauthorized(record, reason)
    case "model_not_found":
      return { reason, advice: `the endpoint has no model '${record.model}'; use one that it lists` }
    case "context_overflow":
      return overflow(body, reason)
    case "parameter_unsupported": {
      const name = body.param ?? parameterName(body.message)
      const advice =
        name === null ? "remove or rename the parameter that the message names" : `remove or rename '${name}'`
      return { reason, advice, ...(name !== null && { facts: { parameter: name } }) }
    }
    case "inference_unreachable":
      return { reason, advice: unreachableAdvice(record) }
    case "inference_tls":
      return {
        reason,
        advice: "let that service trust the certificate of the endpoint behind it, or use https:// here",
      }
    case "rate_limited":
      return { reason, advice: "wait as long as the endpoint asks, or send fewer requests at once (`parallelism`)" }
    case "quota_exhausted":
      return { reason, advice: "add credit, or use the key of another account" }
    case "model_loading":
      return { reason, advice: "wait until the model is loaded" }
    case "server_overloaded":
      return { reason, advice: "send fewer requests at once (`parallelism`), or give the server more slots" }
    case "server_out_of_memory":
      return { reason, advice: "use a smaller model or a stronger quantisation" }
    case "request_timeout":
      return { reason, advice: "ask for fewer tokens, or raise the time limits of proxies in between" }
    case "output_truncated":
      return { reason, advice: "raise `max_tokens`" }
    case "bad_response":
    default:
      return { reason, advice: badAdvice(record, body) }
  }
}

function unauthorized({ hasKey, model }: FailureRecord, reason: string): Told {
  const key = hasKey
    ? `generate a new key, and check that its account may use '${model}'`
    : `no key was sent: generate one and give it, from an account that may use '${model}'`
  return { reason, advice: key }
}

function overflow(body: ErrorBody, reason: string): Told {
  const read = readTokenNumbers(body.message)
  const asked = body.tokens.asked ?? read.asked
  const limit = body.tokens.limit ?? read.limit
  const numbers = asked === null || limit === null ? "" : `${asked} tokens were asked for and ${limit} fit: `
  return {
    reason,
    advice: `${numbers}shorten the prompt, ask for fewer tokens, or raise the limit of the model server`,
    facts: { ...(asked !== null && { tokens: asked }), ...(limit !== null && { token_limit: limit }) },
  }
}

function unreachableAdvice({ status, url, isText }: FailureRecord): string {
  if (status !== 404 && status !== 405) {
    return isOwnMachine(url)
      ? "the server on this machine has no answer from its model: check that the model is loaded, and look at the log of the server"
      : "a proxy stands in between: check that the model server behind it runs"
  }
  const { pathname } = new URL(url)
  const api = isText ? "completions API for texts" : "chat completions API"
  const other = isText ? "; if the server has only chats, leave out `format: completions`" : ""
  return `there is no ${api} below '${pathname}': check the path of the URL, which ends in '/v1' for most servers${other}`
}

/** Returns whether the host of a URL is this machine, so that no proxy of a network stands in between. */
function isOwnMachine(url: string): boolean {
  return /^(?:localhost|[^.]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])\.?$/.test(
    new URL(url).hostname,
  )
}

/** A number that Python writes into JSON although JSON has none like it, where a value can be. */
const NOT_A_NUMBER = /[:[,]\s{0,20}(-?Infinity|NaN)\s{0,20}[,\]}]/

/** Returns the first number in a text that JSON does not have. Strings are left out, since they can contain anything. */
function foreignNumber(text: string): string | undefined {
  if (!/NaN|Infinity/.test(text) || !/^\s*[{[]/.test(text)) return undefined
  return NOT_A_NUMBER.exec(text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'))?.[1]
}

function badAdvice({ url, status, headers, isText, body: text }: FailureRecord, body: ErrorBody): string {
  const location = headers["location"]
  if (location !== undefined) return `it redirects: use the URL that it leads to, '${maskUrlUser(location)}'`
  if (body.isHtml) {
    return isOwnMachine(url)
      ? "another program than a model server listens at this port: check the URL"
      : "a proxy, a firewall or a login page may stand in between: check the URL"
  }
  if (status !== null && status >= 500) return "look at the log of the model server"
  if (status !== null && status >= 400) return "correct the request as the message says"
  if (text.startsWith('{"error":') && body.message !== "") {
    return "the answer reports an error although its status is a success: look at the log of the model server"
  }
  const number = foreignNumber(text)
  if (number !== undefined) {
    return `its JSON contains ${number}, which JSON does not have: the model computed it, so check its weights and its precision, or ask without log-probabilities`
  }
  return `this is not a ${isText ? "completion of a text" : "chat completion"}: check that the URL belongs to a model server`
}

/** Characters that no line of text has: a binary body is described and not shown. Escape sequences colour the text of some servers. */
const BINARY = /\uFFFD|\p{Cc}/u

function quoted(message: string, body: string): string {
  const text = shortened(message === "" ? body : message)
  if (BINARY.test(text.replaceAll("\u001B", ""))) return "bytes that are not text"
  return text === "" ? "" : `'${text}'`
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim()
  return line.length > MAX ? `${line.slice(0, MAX)}…` : line
}

/** Statuses that decide regardless of the text: a 401 is about the key. */
const AUTHENTICATION = new Set([401, 403])

/** Finds the condition from status and body. `status` is the one that the response means. */
function responseCode(httpStatus: number, status: number, body: ErrorBody): InferenceErrorCode {
  if (body.isHtml) return pageCode(status)
  if (status === 402) return "quota_exhausted"
  const text = `${body.kind}\n${body.message}`
  const said = firstSignal(text, SERVER_SIGNALS)
  if (AUTHENTICATION.has(status)) return said === "quota_exhausted" ? said : "inference_unauthorized"
  if (status === 429) return said === "quota_exhausted" ? said : "rate_limited"
  if (status >= 500 || httpStatus < 300) {
    const behind = firstSignal(text, PYTHON_SIGNALS)
    if (behind !== undefined) return behind
  }
  // With 503 the words mean that the server is overloaded. With 429 they mean a rate limit.
  if (said === "rate_limited" && (status === 503 || status === 529)) return "server_overloaded"
  return said ?? statusCode(status)
}

/** Finds the condition of an HTML page, which comes from a proxy rather than from a model server. */
function pageCode(status: number): InferenceErrorCode {
  if (status === 401) return "inference_unauthorized"
  if (status === 429) return "rate_limited"
  return (status >= 502 && status <= 504) || isGateway(status) ? "inference_unreachable" : "bad_response"
}

/** The gateway waited for the server too long. */
const GATEWAY_TIMEOUT = 524

/** Returns whether the status is one of a gateway (Cloudflare's 520 to 526 and 530) whose server did not answer it well. */
function isGateway(status: number): boolean {
  return (status >= 520 && status <= 526) || status === 530
}

function statusCode(status: number): InferenceErrorCode {
  if (isGateway(status) && status !== GATEWAY_TIMEOUT) return "inference_unreachable"
  switch (status) {
    case 404:
    case 405:
      return "inference_unreachable"
    case 408:
    case 504:
    case GATEWAY_TIMEOUT:
      return "request_timeout"
    case 502:
      return "inference_unreachable"
    case 503:
    case 529:
      return "server_overloaded"
    default:
      return "bad_response"
  }
}

const PATTERNS: readonly RegExp[] = [
  /'loc': \('body', '(\w+)'/,
  /(?:parameter|argument|field|supplied)s?:? ?[`'"]?(\w+)[`'"]?/i,
  /[`'"](\w+)[`'"][^.]{0,40}not (?:supported|permitted)/i,
  /\b(response_format|json_schema|guided_\w+|logprobs|logit_bias|tools|tool_choice)\b/i,
]

/** Returns the parameter that the server complains about, or null if the message names none. */
function parameterName(message: string): string | null {
  for (const pattern of PATTERNS) {
    const name = pattern.exec(message)?.[1]
    if (name !== undefined) return name
  }
  return null
}
