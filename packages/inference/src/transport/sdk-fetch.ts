import type { Exchange } from "./exchange.ts"
import type { Answer } from "./send-request.ts"
import type { SendToEndpoint } from "./endpoint-requests.ts"

/** The options that the SDK passes on to `fetch`. */
interface ExchangeOptions {
  readonly exchange: Exchange
}

/** Creates the `fetch` of the SDK over the sender of its endpoint, which adds the key. The SDK never sees it. */
export function createSdkFetch(send: SendToEndpoint): typeof fetch {
  const sdkFetch = async (address: string, init: RequestInit & Partial<ExchangeOptions> = {}): Promise<Response> => {
    const { exchange } = init
    if (exchange === undefined) throw new TypeError("The request has no exchange.")
    const { origin, pathname, search } = new URL(address)
    const body = typeof init.body === "string" ? init.body : null
    return sdkResponse(address, await send({ method: "POST", origin, path: pathname + search, body, exchange }))
  }
  return sdkFetch as typeof fetch
}

/** Creates the part of a `Response` that the SDK reads. A real `Response` would copy the stream. */
function sdkResponse(url: string, { status, headers, content }: Answer): Response {
  const response = {
    url,
    status,
    ok: status >= 200 && status < 300,
    headers: {
      get: (name: string) => headers[name.toLowerCase()] ?? null,
      has: (name: string) => Object.hasOwn(headers, name.toLowerCase()),
      entries: () => Object.entries(headers)[Symbol.iterator](),
      [Symbol.iterator]: () => Object.entries(headers)[Symbol.iterator](),
    },
    body: content,
    async text() {
      if (typeof content === "string") return content
      const pieces: Uint8Array[] = []
      for await (const piece of content) pieces.push(piece)
      return Buffer.concat(pieces).toString()
    },
  }
  return response as unknown as Response
}
