import { AssayError } from "@assay/schemas/errors"
import { parseJsonExactly } from "@assay/schemas/numbers"
import { anySignal, readLimited, type FetchResponse } from "@assay/http"
import type { ClientOptions } from "../client-options.ts"
import type { Call, Exchange } from "./exchange.ts"
import { networkFailure } from "./network-failure.ts"
import type { CallAddress } from "./read-failure.ts"

export interface JsonCall extends Omit<Call, "body"> {
  /** Sent as JSON. */
  readonly json?: unknown
  /** The answer takes the server as long as it takes: only `signal` gives the call up. Default false. */
  readonly patient?: boolean
}

/** Sends a call and answers with its JSON object. */
export type CallJson = <T>(call: JsonCall) => Promise<T>

/** Calls that answer with a record or a page, each given up after `timeout` milliseconds (default 60 000) unless it is patient. */
export function createCallJson(exchange: Exchange, options: Pick<ClientOptions, "url" | "timeout">): CallJson {
  return async <T>({ json, patient = false, ...call }: JsonCall): Promise<T> => {
    const timeout = patient ? undefined : AbortSignal.timeout(options.timeout ?? 60_000)
    const signal = anySignal(call.signal, timeout)
    const address = { method: call.method, url: `${options.url}${call.path}` }
    const headers = { accept: "application/json", ...call.headers }
    const sent =
      json === undefined
        ? { ...call, headers }
        : { ...call, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(json) }
    try {
      return await readAnswer<T>(await exchange({ ...sent, signal }), address, signal)
    } catch (error) {
      throw networkFailure(error, address, call.signal)
    }
  }
}

const MAX_ANSWER_BYTES = 67_108_864
const MAX_QUOTED_CHARACTERS = 100

/**
 * The JSON object that a successful response carries. Numbers of rows keep their text. Its fields are not checked: a newer server may send more.
 * @throws `bad_answer` for anything else, `server_unreachable` when the connection breaks
 */
export async function readAnswer<T>(response: FetchResponse, address: CallAddress, signal?: AbortSignal): Promise<T> {
  const { bytes, isTruncated } = await readLimited(response.body, MAX_ANSWER_BYTES).catch((error: unknown) => {
    throw networkFailure(error, address, signal)
  })
  if (isTruncated) throw badAnswer(address, `more than ${MAX_ANSWER_BYTES} bytes`)
  const text = new TextDecoder().decode(bytes)
  let value: unknown
  try {
    value = parseJsonExactly(text)
  } catch (cause) {
    throw badAnswer(address, `'${text.slice(0, MAX_QUOTED_CHARACTERS)}' instead of JSON`, cause)
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw badAnswer(address, `'${text.slice(0, MAX_QUOTED_CHARACTERS)}' instead of an object`)
  }
  return value as T
}

function badAnswer(address: CallAddress, what: string, cause?: unknown): AssayError {
  const { method, url } = address
  return new AssayError("bad_answer", `${method} ${url} was answered with ${what}.`, { cause, context: { ...address } })
}
