import type { ClientOptions } from "./client-options.ts"
import type { Call, Exchange } from "./exchange.ts"
import { networkFailure } from "./network-failure.ts"
import { readAnswer } from "./read-answer.ts"

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
    const signals = [call.signal, timeout].filter((signal) => signal !== undefined)
    const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0]
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
