import { readLimited } from "@assay/http"

/** The part of the Fetch standard that requests to an identity provider use. */
export type ProviderFetch = (url: string, init: RequestInit) => Promise<Response>

const MAX_MS = 10_000
/** Metadata, keys and tokens of a provider are smaller by far. */
const MAX_BYTES = 1_048_576

/** Returns a `fetch` that reads an answer whole, within 10 seconds and 1 MiB, and follows no redirect. */
export function limitFetch(send: ProviderFetch): ProviderFetch {
  return async (url, init) => {
    const limit = AbortSignal.timeout(MAX_MS)
    const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit
    const { status, headers, body } = await send(url, { ...init, redirect: "manual", signal })
    const { bytes, isTruncated } = await readLimited(body, MAX_BYTES)
    if (isTruncated) throw new Error("its answer is longer than 1 MiB")
    return new Response(bytes.length === 0 ? null : new Uint8Array(bytes), { status, headers })
  }
}
