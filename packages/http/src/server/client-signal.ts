import type { ServerResponse } from "node:http"
import { AssayError } from "@assay/schemas"

/** Returns a signal that aborts when the client disconnects before `response` is sent. Work that only this client needs can end then. */
export function clientSignal(response: ServerResponse): AbortSignal {
  const leaving = new AbortController()
  response.once("close", () => {
    if (response.writableFinished) return
    leaving.abort(new AssayError("bad_request", "The client closed the connection before the response was sent."))
  })
  return leaving.signal
}
