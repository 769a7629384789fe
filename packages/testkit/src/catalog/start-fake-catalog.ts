import type { ServerResponse } from "node:http"
import { startLoopbackServer, type LoopbackHandler } from "../loopback-server.ts"
import { createCatalogAccess } from "./catalog-access.ts"
import { type CatalogAnswer, refusal, sendCatalogAnswer } from "./catalog-answer.ts"
import { answerApi } from "./catalog-api.ts"
import { createFaults } from "../planned-faults.ts"
import type { CatalogFault, CatalogFaults, CatalogFaultsAtHand } from "./catalog-faults.ts"
import { answerFileHost, createSignedAddresses } from "./catalog-file-host.ts"
import { catalogRequest, type CatalogRequest } from "./catalog-routes.ts"
import { catalogSettings, type FakeCatalogOptions } from "./fake-catalog-options.ts"

export interface FakeCatalog {
  /** The address of the API. The token service is below it, at `/token`. */
  readonly url: string
  /** The host of signed addresses. */
  readonly filesUrl: string
  /** Every request to one of the three, in order. */
  readonly requests: readonly CatalogRequest[]
  readonly faults: CatalogFaults
  /** Number of answers in progress. */
  countOpenAnswers(): number
  /** Revokes every token. */
  revokeTokens(): void
  close(): Promise<void>
}

/**
 * Starts an asset catalog with the protocol of NGC: a token service, the API, and on another port the host of signed addresses,
 * which refuses requests with a key.
 */
export async function startFakeCatalog(options: FakeCatalogOptions): Promise<FakeCatalog> {
  const settings = catalogSettings(options)
  const access = createCatalogAccess(settings)
  const addresses = createSignedAddresses(settings)
  const faults = createFaults<CatalogFault, CatalogRequest>()
  const requests: CatalogRequest[] = []
  let open = 0

  function serve(
    hostOf: (url: string) => CatalogRequest["host"],
    answer: (request: CatalogRequest) => CatalogAnswer,
  ): LoopbackHandler {
    return async (received, response) => {
      const request = catalogRequest(hostOf(received.url), received)
      requests.push(request)
      open += 1
      response.on("close", () => (open -= 1))
      const atHand = faults.take(request)
      if (isSilenced(response, atHand)) return
      await sendCatalogAnswer(faultAnswer(request, atHand) ?? answer(request), request, response, atHand)
    }
  }

  const files = await startLoopbackServer(
    serve(
      () => "files",
      (request) => answerFileHost(settings, addresses, request),
    ),
  )
  const api = { settings, access, addresses, filesUrl: () => files.url }
  const main = await startLoopbackServer(
    serve(
      (url) => (/^\/token(\?|$)/.test(url) ? "token" : "api"),
      (request) => (request.host === "token" ? access.exchange(request) : answerApi(api, request)),
    ),
  )
  return {
    url: main.url,
    filesUrl: files.url,
    requests,
    faults,
    countOpenAnswers: () => open,
    revokeTokens: () => access.revokeTokens(),
    async close() {
      await Promise.all([main.close(), files.close()])
    },
  }
}

/** Returns whether a fault prevents the answer. */
function isSilenced(response: ServerResponse, faults: CatalogFaultsAtHand): boolean {
  const stall = faults("stall")
  if (faults("hang-up") !== undefined) response.destroy()
  return faults("hang-up") !== undefined || (stall !== undefined && stall.after === undefined)
}

function faultAnswer({ headers }: CatalogRequest, faults: CatalogFaultsAtHand): CatalogAnswer | undefined {
  const redirect = faults("redirect")
  if (redirect !== undefined) return { status: 302, headers: { location: redirect.to }, body: new Uint8Array() }
  const other = faults("answer")
  if (other !== undefined) return { status: 200, body: other.body }
  const page = faults("proxy-page")
  if (page !== undefined) {
    const text = `<html><body><h1>${page.status} The gateway is not well</h1></body></html>`
    return { status: page.status, headers: { "content-type": "text/html" }, body: Buffer.from(text) }
  }
  const refuse = faults("refuse")
  if (refuse === undefined) return undefined
  const { status, statusCode, description = "It was told to refuse.", retryAfter, echo = false } = refuse
  const { authorization = "nothing" } = headers
  const said = echo
    ? `${description} You sent: ${authorization}, that is ${authorization.split(" ").at(-1)}`
    : description
  const answer = refusal(status, said, statusCode)
  return { ...answer, ...(retryAfter !== undefined && { headers: { "retry-after": String(retryAfter) } }) }
}
