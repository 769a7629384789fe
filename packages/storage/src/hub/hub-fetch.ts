import { hasUrlUser } from "@assay/schemas"
import type { RemoteTarget } from "../remote/remote-error.ts"
import { askForJson, notAHubError, type HubClient, type HubQuestion } from "./client.ts"

export interface HubFetchOptions {
  readonly signal?: AbortSignal | undefined
  /** Called after each complete response. */
  readonly onPage?: (() => void) | undefined
}

/**
 * Creates the `fetch` that the hub's client library uses for one operation. It sends through our transport with
 * retries, limits and cancellation. It adds the token, because the library accepts only tokens that begin with `hf_`.
 * It converts refusals to errors while their headers are available. The address of the next page is made absolute,
 * because the library treats a relative one as the end of the listing.
 */
export function createHubFetch(
  client: HubClient,
  target: RemoteTarget,
  { signal, onPage }: HubFetchOptions,
): typeof fetch {
  const asked = new Set<string>()
  return async (input, { method, body } = {}) => {
    const { origin, pathname, search, href } = new URL(input instanceof Request ? input.url : input)
    if (hasUrlUser(href))
      throw notAHubError(target, "the pages of its listing lead to an address with a user name or a password")
    if (method !== "POST" && asked.has(href)) throw notAHubError(target, "the pages of its listing form a circle")
    asked.add(href)
    const question: HubQuestion = { origin, path: pathname + search }
    const posted: HubQuestion | undefined =
      method === "POST" && typeof body === "string"
        ? { ...question, method, body: Buffer.from(body), headers: { "content-type": "application/json" } }
        : undefined
    const answer = await askForJson(client, posted ?? question, target, signal)
    onPage?.()
    const next = nextPage(answer.headers["link"], answer.url)
    const headers = { "content-type": "application/json", ...(next === undefined ? {} : { link: next }) }
    return new Response(answer.text, { headers })
  }
}

/**
 * Returns a `Link` header (RFC 8288) with only the absolute address of the next page, or undefined on the last page.
 */
function nextPage(link: string | undefined, base: string): string | undefined {
  const found = /<([^>]*)>\s*;[^<]*\brel\s*=\s*"?next\b/i.exec(link ?? "")?.[1]
  const url = found === undefined ? null : URL.parse(found, base)
  return url === null ? undefined : `<${url.href}>; rel="next"`
}
