// Entry of `@assay/http/node`.
import { Agent as HttpAgent, request as requestHttp, type ClientRequest, type IncomingMessage } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { Fetch, FetchBody, FetchInit, FetchResponse } from "./fetch.ts"

export interface HttpFetchOptions {
  /** Maximum number of milliseconds without a byte in either direction. 0: no limit. Default 300,000. */
  readonly idleTimeout?: number
}

/**
 * Creates a `Fetch` over `node:http`. For small files it takes a third of the processor time of the built-in `fetch`, and it
 * keeps `Content-Length` on bodies that are streamed.
 */
export function createHttpFetch({ idleTimeout = 300_000 }: HttpFetchOptions = {}): Fetch {
  const settings = { keepAlive: true }
  let plain: HttpAgent | undefined
  let secure: Promise<Secure> | undefined

  async function open(url: string, init: FetchInit): Promise<ClientRequest> {
    const { method, headers, signal } = init
    const options = { method, headers, timeout: idleTimeout, ...(signal === undefined ? {} : { signal }) }
    if (!url.startsWith("https:")) return requestHttp(url, { ...options, agent: (plain ??= new HttpAgent(settings)) })
    // Loading TLS takes longer than most commands take over a plain connection.
    secure ??= import("node:https").then(({ Agent, request }) => ({ request, agent: new Agent(settings) }))
    const { request, agent } = await secure
    return request(url, { ...options, agent })
  }

  return async (url, init) => {
    const request = await open(url, init)
    return new Promise((resolve, reject) => {
      let answered = false
      request.on("error", reject)
      request.on("response", (response) => {
        answered = true
        watchIdle(request, response)
        resolve(toFetchResponse(response))
      })
      request.on("timeout", () => request.destroy(idleError()))
      sendBody(request, init.body).catch((error: unknown) => {
        // A server may answer and close before it has read the whole body. Then its answer counts.
        if (answered) return
        reject(error)
        request.destroy()
      })
    })
  }
}

interface Secure {
  readonly request: typeof requestHttp
  readonly agent: HttpAgent
}

async function sendBody(request: ClientRequest, body: FetchBody | undefined): Promise<void> {
  if (body === undefined || typeof body === "string" || body instanceof Uint8Array) {
    request.end(body)
    return
  }
  const source = body instanceof Blob ? body.stream() : body
  await pipeline(Readable.from(source, { objectMode: false }), request)
}

/** Ends a silent connection once the answer has begun, but only while we wait for bytes: our own reader may be slow. */
function watchIdle(request: ClientRequest, response: IncomingMessage): void {
  request.removeAllListeners("timeout")
  request.on("timeout", () => {
    if (response.readableLength === 0) response.destroy(idleError())
  })
}

function idleError(): Error {
  return Object.assign(new Error("The connection was silent for too long"), { code: "ETIMEDOUT" })
}

function toFetchResponse(response: IncomingMessage): FetchResponse {
  return {
    status: response.statusCode ?? 0,
    headers: {
      get: (name) => {
        const value = response.headers[name.toLowerCase()]
        return value === undefined ? null : String(value)
      },
    },
    body: response,
  }
}
