import { AssayError, isAssayError, printable } from "@assay/schemas"
import { networkReason } from "@assay/http"
import type { Configuration, CustomFetch, ServerMetadata } from "openid-client"
import type { JWTVerifyGetKey } from "jose"
import { limitFetch, type ProviderFetch } from "./limited-fetch.ts"
import { createProviderKeys } from "./provider-keys.ts"
import { createRefreshed } from "./refreshed.ts"

const FRESH_MS = 60 * 60_000
const KEEP_MS = 24 * 60 * 60_000
const PAUSE_MS = 10_000

export interface ProviderOptions {
  /** As the provider writes it in its tokens. */
  readonly issuer: string
  /** Undefined: nobody signs in with a browser. */
  readonly clientId: string | undefined
  /** Returns the secret of the client; undefined for a public client. */
  readonly clientSecret: () => Promise<string | undefined>
  readonly fetch: ProviderFetch
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsed: () => number
}

/** An identity provider by its own metadata. Nothing is asked before it is needed. */
export interface Provider {
  readonly issuer: string
  readonly clientId: string | undefined
  /** @throws `unavailable` */
  metadata(): Promise<ServerMetadata>
  /** Reads the metadata again, unless they were read just before. @throws `unavailable` */
  check(): Promise<void>
  /** Returns the metadata if they were read before. */
  latest(): ServerMetadata | undefined
  /** Finds the key of a signature. @throws `unavailable`, and errors of `jose` */
  readonly keys: JWTVerifyGetKey
  /** Returns what requests of the client need. @throws `unavailable`, and what reading the secret throws */
  client(): Promise<Configuration>
}

export function createProvider({ issuer, clientId, clientSecret, fetch: send, elapsed }: ProviderOptions): Provider {
  const fetch = limitFetch(send)
  const isSecure = issuer.startsWith("https:")
  let latest: ServerMetadata | undefined
  const metadata = createRefreshed({
    load: async () => (latest = await discover(issuer, fetch)),
    elapsed,
    freshMs: FRESH_MS,
    keepMs: KEEP_MS,
    pauseMs: PAUSE_MS,
  })
  const read = async () => checked(issuer, () => metadata.get())
  const address = async () => {
    const { jwks_uri: url } = await metadata.get()
    if (url === undefined) throw new Error("its metadata name no address of keys (jwks_uri)")
    checkAddress(url, isSecure)
    return url
  }
  const find = createProviderKeys({ fetch, elapsed, address })
  return {
    issuer,
    clientId,
    metadata: read,
    async check() {
      await checked(issuer, () => metadata.renew())
    },
    latest: () => latest,
    keys: async (header, token) => checked(issuer, async () => find(header, token)),
    async client() {
      const openid = await import("openid-client")
      const server = await read()
      const secret = await clientSecret()
      // The default of the specification is Basic.
      const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
      const takesBasic = methods.includes("client_secret_basic")
      const withSecret = takesBasic ? openid.ClientSecretBasic : openid.ClientSecretPost
      const auth = secret === undefined ? openid.None() : withSecret(secret)
      const configuration = new openid.Configuration(server, clientId ?? "", undefined, auth)
      configuration[openid.customFetch] = fetch as CustomFetch
      configuration.timeout = 10
      if (!isSecure) openid.allowInsecureRequests(configuration)
      return configuration
    },
  }
}

async function discover(issuer: string, fetch: ProviderFetch): Promise<ServerMetadata> {
  const openid = await import("openid-client")
  const isSecure = issuer.startsWith("https:")
  const execute = isSecure ? [] : [openid.allowInsecureRequests]
  const options = { execute, [openid.customFetch]: fetch as CustomFetch }
  const configuration = await openid.discovery(new URL(issuer), "-", undefined, undefined, options)
  const metadata = configuration.serverMetadata()
  // Tokens are compared with the setting, so that a provider for many customers can't speak for another one.
  if (metadata.issuer !== issuer) throw new Error(wrongIssuer(metadata.issuer))
  return metadata
}

function wrongIssuer(issuer: string): string {
  return `its metadata name the issuer '${printable(issuer.slice(0, 300))}'; ASSAY_OIDC_ISSUER must be exactly that of its tokens`
}

/** Keys that come over a connection without TLS could be anybody's. */
function checkAddress(url: string, isSecure: boolean): void {
  const { protocol, hostname } = new URL(url)
  if (protocol === "https:" || (!isSecure && protocol === "http:" && isLoopbackName(hostname))) return
  throw new Error(`its keys are at ${url}, which is not https`)
}

/** Returns whether a host name of a URL is this machine. */
function isLoopbackName(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/** Lets errors of tokens and of the settings pass, and says of all others that the provider is away. */
async function checked<T>(issuer: string, ask: () => Promise<T> | T): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (isAssayError(error) || isTokenError(error)) throw error
    throw providerAway(issuer, error)
  }
}

/** The codes of the errors of `jose`. */
function isTokenError(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_J")
}

/** Returns the error for a provider that does not answer, or not as it must. */
export function providerAway(issuer: string, error: unknown): AssayError {
  return new AssayError(
    "unavailable",
    `The identity provider ${issuer} can't be used: ${reasonOf(error)}. Tokens of this server stay valid.`,
    { cause: error },
  )
}

function reasonOf(error: unknown): string {
  const { cause, code } = error as { cause?: unknown; code?: string }
  const named = (cause as { body?: { issuer?: unknown } } | undefined)?.body?.issuer
  if (code === "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED" && typeof named === "string") return wrongIssuer(named)
  if (cause instanceof Response) return `it returned the status ${cause.status}`
  return printable(networkReason(error).slice(0, 300))
}
