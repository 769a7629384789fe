import { hasUrlUser } from "@assay/schemas"
import type { RemoteTarget } from "../remote/remote-error.ts"
import { askForJson, noHub, type HubClient, type HubQuestion } from "./client.ts"

export interface HubFetchOptions {
  readonly signal?: AbortSignal | undefined
  /** Called with each whole answer. */
  readonly onPage?: (() => void) | undefined
}

/**
 * The `fetch` that the hub's own client library is given, for one operation. It sends over our transport, with repetition,
 * limits and cancellation, adds the token (the library takes only those that begin with `hf_`), and turns refusals into
 * errors while their headers can still be read. The address of a next page becomes a whole one: the library would take a
 * relative one for the end of the listing.
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
      throw noHub(target, "the pages of its listing lead to an address with a user name or a password")
    if (method !== "POST" && asked.has(href)) throw noHub(target, "the pages of its listing lead in a circle")
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

/** `Link` with the address of the next page alone (RFC 8288), whole; undefined on the last one. */
function nextPage(link: string | undefined, base: string): string | undefined {
  const found = /<([^>]*)>\s*;[^<]*\brel\s*=\s*"?next\b/i.exec(link ?? "")?.[1]
  const url = found === undefined ? null : URL.parse(found, base)
  return url === null ? undefined : `<${url.href}>; rel="next"`
}
