import { causeChain, firstCode } from "@assay/http"
import { UndecodableContent } from "@assay/http/node"
import { isAssayError } from "@assay/schemas"
import { AnswerExcess } from "../transport/answer-limits.ts"
import type { Failure, FailureRecord } from "./failure.ts"
import { responseFailure } from "./response-failure.ts"
import { tlsFailure } from "./tls-failure.ts"

/**
 * Finds out why a call failed. The first of these decides: the time limit, the error below HTTP with its causes, the status
 * together with the body, and for a 200 only the body.
 */
export function classifyFailure(record: FailureRecord): Failure {
  const { timedOutMs, host, status } = record
  if (timedOutMs !== null) {
    const where = status === null ? "did not begin to answer" : "did not finish its answer"
    return {
      code: "request_timeout",
      reason: `${host} ${where} after ${timedOutMs} ms`,
      advice: "raise `request_timeout`, ask for fewer tokens, or lower `parallelism`",
      facts: { timeout_ms: timedOutMs },
    }
  }
  return record.broke === undefined ? responseFailure(record) : networkFailure(record)
}

const START = "check that the model server runs there, and host and port of the URL"
const NAME = "check the host name, and that it can be looked up from this machine"
const ROUTE = "check the address, and network, VPN and firewall between this machine and it"

/** The failure and its remedy, by the code of an error that prevents a connection or an answer. */
const REASONS: Readonly<Record<string, readonly [reason: string, advice: string]>> = {
  ECONNREFUSED: ["Nothing listens at {host}", START],
  ENOTFOUND: ["The host name of {host} is not known", NAME],
  EAI_AGAIN: [
    "The host name of {host} could not be looked up at the moment",
    "check the name resolution of this machine",
  ],
  EHOSTUNREACH: ["{host} can't be reached from here", ROUTE],
  ENETUNREACH: ["The network of {host} can't be reached from here", ROUTE],
  ETIMEDOUT: ["{host} does not answer a connection", ROUTE],
  UND_ERR_CONNECT_TIMEOUT: ["{host} does not answer a connection", ROUTE],
  UND_ERR_HEADERS_TIMEOUT: ["{host} accepted the request and never answered", START],
  ECONNRESET: ["{host} reset the connection before it answered", START],
  EPIPE: ["{host} closed the connection before it answered", START],
  UND_ERR_SOCKET: ["{host} closed the connection before it answered", `${START}; if TLS is spoken there, use https://`],
  ERR_INVALID_URL: ["The URL of {host} can't be read", "write a base such as 'https://host:8000/v1'"],
  UND_ERR_DESTROYED: ["The client was closed", "open a new one"],
}

/** Describes an error below HTTP. */
function networkFailure(record: FailureRecord): Failure {
  const { host, status } = record
  const policy = causeChain(record.broke).find((one) => isAssayError(one))
  if (policy !== undefined) {
    const reason = `${host} must not be called: ${policy.message.replace(/\.$/, "")}`
    return { code: "inference_unreachable", reason, advice: "use an address that the operator allows" }
  }
  const excess = causeChain(record.broke).find((one) => one instanceof AnswerExcess)
  if (excess !== undefined) {
    const advice = "check the model server, ask for fewer tokens and logprobs, or lower `parallelism`"
    return bad(`The answer of ${host} ${excess.message}`, advice, "answer too large")
  }
  const encoded = causeChain(record.broke).find((one) => one instanceof UndecodableContent)
  if (encoded !== undefined) {
    const advice = "let the server or the proxy in front of it send gzip, deflate, br, zstd or no encoding"
    return bad(`The answer of ${host} ${encoded.message}`, advice, "undecodable answer")
  }
  const found = firstCode(record.broke)
  const tls = found === undefined ? undefined : tlsFailure(found.code, found.error, record)
  if (tls !== undefined) return tls
  const shown = found === undefined ? deepestMessage(record.broke) : found.code
  if (isNoHttp(record.broke)) {
    const reason = `The answer of ${host} is not HTTP (${shown})`
    return bad(reason, "check the port: another service may listen there", shown)
  }
  if (/redirect/i.test(shown))
    return bad(`${host} redirects in circles`, "use the URL that the redirects lead to", "redirect loop")
  if (status !== null) {
    const reason = `The answer of ${host} broke off in its body (${shown})`
    return bad(reason, "look at the log of the model server, and at the time limits of proxies in between", shown)
  }
  const [reason, advice] = REASONS[found?.code ?? ""] ?? ["No connection to {host} was made", START]
  return {
    code: "inference_unreachable",
    reason: `${reason.replace("{host}", host)} (${shown})`,
    advice,
    facts: { network_code: shown },
  }
}

function bad(reason: string, advice: string, shown: string): Failure {
  return { code: "bad_response", reason, advice, facts: { network_code: shown } }
}

function deepestMessage(error: unknown): string {
  return causeChain(error).at(-1)?.message ?? String(error)
}

/** Returns whether an error comes from the HTTP parser. Some of these have a code; all have its name. */
function isNoHttp(error: unknown): boolean {
  return causeChain(error).some((one) => one.name === "HTTPParserError" || String(Object(one).code).startsWith("HPE_"))
}
