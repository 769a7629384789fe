import { anySignal, readLimited, type FetchResponse } from "@assay/http"
import { isObject, parseJsonExactly } from "@assay/json"
import type { ClientOptions } from "../client-options.ts"
import type { Call, Exchange } from "./exchange.ts"
import { badAnswer, networkFailure, type CallAddress } from "./read-failure.ts"

export interface JsonCall extends Omit<Call, "body"> {
  /** Sent as JSON. */
  readonly json?: unknown
  /** No time limit applies; only `signal` ends the call. Default false. */
  readonly patient?: boolean
}

/** Sends a call and returns the JSON object of its answer. */
export type CallJson = <T>(call: JsonCall) => Promise<T>

/** Creates the function for calls that return a record or a page. They fail after `timeout` milliseconds (default 60,000) unless they are patient. */
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
 * Reads the JSON object of a successful response. Numbers of rows keep their text. The fields are not checked, since a newer
 * server may send more.
 * @throws `bad_answer` for anything else, `server_unreachable` if the connection breaks
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
  if (!isObject(value)) {
    throw badAnswer(address, `'${text.slice(0, MAX_QUOTED_CHARACTERS)}' instead of an object`)
  }
  return value as T
}
