import { readErrorText } from "@assay/http"
import type { RemoteContext } from "../remote/remote-context.ts"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import { sendWithRetry } from "../remote/send-with-retry.ts"
import { readApiResponse } from "./api-response.ts"
import { catalogTarget, type CatalogAsset } from "./asset.ts"
import { createSharedWork } from "./shared-work.ts"

/**
 * A key of the catalog. `bearer`: sent as it is. `exchanged`: sent only to the token service, which returns a token.
 */
export interface ApiKey {
  readonly kind: "bearer" | "exchanged"
  readonly value: string
}

const KINDS =
  "a personal or service key, which begins with 'nvapi-', or an older API key, which is exchanged for a token"

/** Prefixes of keys for other services. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/^hf_/, "is a token of Hugging Face"],
  [/^(AKIA|ASIA)[0-9A-Z]{12,}$/, "is an access key id of AWS"],
  [/^(ghp_|gho_|github_pat_)/, "is a token of GitHub"],
  [/^glpat-/, "is a token of GitLab"],
  [/^sk-/, "is a key of a model API"],
  [/^eyJ[\w-]*\.[\w-]*\./, "is a token that expires within minutes"],
  [/^(Bearer|Basic|ApiKey)\b/i, "is a whole header"],
  [/^-----BEGIN/, "is a certificate or a private key"],
]

/**
 * Parses the key in a secret.
 * @throws `upstream_refused` for a value that can't be a key of the catalog. The value is never shown
 */
export function parseApiKey(value: string, secret: string, target: RemoteTarget): ApiKey {
  const fault = faultOf(value)
  if (fault === undefined) return { kind: value.startsWith("nvapi-") ? "bearer" : "exchanged", value }
  const what = `the value of secret '${secret}' ${fault}; set the secret to ${KINDS}.`
  throw remoteError("upstream_refused", target, what)
}

function faultOf(value: string): string | undefined {
  if (value.trim() === "") return "is empty"
  const other = OTHERS.find(([pattern]) => pattern.test(value.trim()))
  if (other !== undefined) return other[1]
  if (/[\r\n]/.test(value)) return "has more than one line"
  if (/\s/.test(value)) return "has a space in it"
  return /^[\x21-\x7e]+$/.test(value) ? undefined : "has characters that no key has"
}

/** The `Authorization` header of requests to the API. */
interface Authorization {
  get(signal?: AbortSignal): Promise<string>
  /** Returns another one after `used` was refused, or undefined if there is no other. */
  renew(used: string, signal?: AbortSignal): Promise<string | undefined>
  /** Returns the values that messages must not contain. */
  secrets(): readonly string[]
}

interface AuthorizationOptions {
  readonly remote: RemoteContext
  readonly asset: CatalogAsset
  readonly key: ApiKey
  /** The reference of the key, for messages. */
  readonly secret: string
}

const PUBLIC_TOKEN_SERVICE = "https://authn.nvidia.com"
/**
 * A token is valid for 15 minutes. It is replaced after 10 minutes, or after two thirds of the lifetime that the
 * service states.
 */
const KEPT_MS = 10 * 60 * 1000
const REFUSALS = new Set([400, 401, 403])

/**
 * Creates the authorization. A personal key is used directly. Any other key is exchanged for a token, once for all
 * waiting requests: at the public token service, or for a private catalog at `/token` below its own address. So a key
 * is never sent to a host that its owner has not named.
 */
export function createAuthorization(options: AuthorizationOptions): Authorization {
  const { remote, key } = options
  const { elapsed = remote.now } = remote
  const basic = Buffer.from(`$oauthtoken:${key.value}`).toString("base64")
  let current: { readonly header: string; readonly until: number } | undefined

  const exchange = createSharedWork(async (signal) => {
    const asked = elapsed()
    const { token, seconds } = await fetchToken(options, basic, signal)
    const lasts = Math.min(KEPT_MS, (seconds * 1000 * 2) / 3)
    current = { header: `Bearer ${token}`, until: asked + lasts }
    return current.header
  })

  return {
    async get(signal) {
      if (key.kind === "bearer") return `Bearer ${key.value}`
      return current !== undefined && elapsed() < current.until ? current.header : exchange(signal)
    },
    async renew(used, signal) {
      if (key.kind === "bearer") return undefined
      // Another request may have been refused earlier and have renewed the token.
      if (current !== undefined && current.header !== used) return current.header
      current = undefined
      return exchange(signal)
    },
    secrets: () => [key.value, basic, ...(current === undefined ? [] : [current.header.slice("Bearer ".length)])],
  }
}

async function fetchToken(
  { remote, asset, key, secret }: AuthorizationOptions,
  basic: string,
  signal: AbortSignal,
): Promise<{ readonly token: string; readonly seconds: number }> {
  const { origin, path } = tokenAddress(asset)
  const headers = { accept: "application/json", authorization: `Basic ${basic}` }
  const response = await sendWithRetry(remote, () => ({ method: "GET", origin, path, headers }), { signal })
  const answer = readApiResponse(response.status, await readErrorText(response.body), [key.value, basic])
  const { token, expires_in: seconds } = answer.body
  if (answer.status === 200 && typeof token === "string" && /^[\x21-\x7e]+$/.test(token)) {
    return { token, seconds: typeof seconds === "number" && seconds > 0 ? seconds : Infinity }
  }
  const target = catalogTarget(asset, "open")
  const said = answer.words === "" ? String(response.status) : `${response.status}: ${answer.words}`
  if (REFUSALS.has(answer.status)) {
    const groups = [asset.org, ...(asset.team === undefined ? [] : [`${asset.org}/${asset.team}`])].join(", ")
    const what = `the token service at ${origin} refuses the key in secret '${secret}' for ${groups} (${said}); set the secret to a key that is valid there.`
    throw remoteError("upstream_refused", target, what)
  }
  const what = `the token service at ${origin} gave no token (${said}); try again later, or use a personal key, which needs none.`
  throw remoteError("upstream_failed", target, what)
}

/** Returns the address at which keys are exchanged, including the scopes of the token. */
export function tokenAddress({ isPublic, origin, base, org, team }: CatalogAsset): {
  readonly origin: string
  readonly path: string
} {
  const groups = [[org], ...(team === undefined ? [] : [[org, team]])]
  const scopes = groups.map((names) => `&scope=group/ngc:${names.map(encodeURIComponent).join("/")}`)
  return {
    origin: isPublic ? PUBLIC_TOKEN_SERVICE : origin,
    path: `${isPublic ? "" : base}/token?service=ngc${scopes.join("")}`,
  }
}
