import type { LaunchCheckOutcome, LaunchCheckProgress } from "@assay/schemas"
import type { Exchange } from "../exchange/exchange.ts"
import { badAnswer, networkFailure } from "../exchange/read-failure.ts"
import { serverEvents } from "../exchange/streams.ts"

interface FollowedChecks {
  readonly exchange: Exchange
  /** Address of the server. */
  readonly url: string
  readonly path: string
  readonly json: unknown
  readonly signal: AbortSignal | undefined
  readonly onCheck: (progress: LaunchCheckProgress) => void
}

/** Sends a request for launch checks, and reads their events up to the outcome. @throws `bad_answer` if the outcome is missing */
export async function followChecks(followed: FollowedChecks): Promise<LaunchCheckOutcome> {
  const { exchange, url, path, json, signal, onCheck } = followed
  const address = { method: "POST", url: `${url}${path}` } as const
  const headers = { "content-type": "application/json", accept: "text/event-stream" }
  const { body } = await exchange({ method: "POST", path, headers, body: JSON.stringify(json), signal })
  try {
    for await (const { event, data } of serverEvents(body, address)) {
      if (event === "check") onCheck(JSON.parse(data) as LaunchCheckProgress)
      if (event === "outcome") return JSON.parse(data) as LaunchCheckOutcome
    }
  } catch (error) {
    if (error instanceof SyntaxError) throw badAnswer(address, "an event that is not JSON", error)
    throw networkFailure(error, address, signal)
  }
  throw badAnswer(address, "checks without an outcome")
}
