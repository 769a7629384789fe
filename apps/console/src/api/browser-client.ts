import { createClient, type Client, type Fetch } from "@assay/client"

/**
 * Creates the client of the server that this page came from. A cookie names the caller.
 * @param onUnauthorized called when the server no longer knows the caller
 */
export function createBrowserClient(origin: string, onUnauthorized: () => void): Client {
  // Safari reads the pieces of a body with `getReader` only.
  const browserFetch: Fetch = async (url, init) => {
    const { status, headers, body } = await fetch(url, init as RequestInit)
    // The sign-in page can send a wrong token, which ends no session. A 401 of a model's endpoint is not about our token.
    const isOurs = headers.has("www-authenticate")
    if (status === 401 && isOurs && new URL(url).pathname !== "/session") onUnauthorized()
    return { status, headers, body: body === null ? null : piecesOf(body) }
  }
  return createClient({ url: origin, fetch: browserFetch, retry: { limit: 2, sleep, random: Math.random } })
}

async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader()
  let isDone = false
  try {
    while (!isDone) {
      const piece = await reader.read()
      isDone = piece.done
      if (piece.value !== undefined) yield piece.value
    }
  } finally {
    // The reader may have failed: then there is nothing left to cancel.
    if (!isDone) await reader.cancel().catch(() => undefined)
  }
}

async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener("abort", () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })
}
