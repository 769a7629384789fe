import type { ServerResponse } from "node:http"
import { AssayError } from "@assay/schemas"

/** Aborted as soon as the client is gone that waits for `response`: what is done for it alone can end then. */
export function clientSignal(response: ServerResponse): AbortSignal {
  const leaving = new AbortController()
  response.once("close", () => {
    if (response.writableFinished) return
    leaving.abort(new AssayError("bad_request", "The client ended the connection before it had the answer."))
  })
  return leaving.signal
}
