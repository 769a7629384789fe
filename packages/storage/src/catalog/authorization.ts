import { readErrorText } from "@assay/http"
import type { RemoteContext } from "../remote/remote-context.ts"
import { remoteError } from "../remote/remote-error.ts"
import { sendWithRetry } from "../remote/send-with-retry.ts"
import { readAnswer } from "./answer.ts"
import type { ApiKey } from "./api-key.ts"
import { catalogTarget, type CatalogAsset } from "./asset.ts"
import { createSharedWork } from "./shared-work.ts"

/** What requests to the API carry as their `Authorization`. */
export interface Authorization {
  get(signal?: AbortSignal): Promise<string>
  /** Another one after `used` was refused; undefined where there is no other to be had. */
  renew(used: string, signal?: AbortSignal): Promise<string | undefined>
  /** What no message may show. */
  secrets(): readonly string[]
}

export interface AuthorizationOptions {
  readonly remote: RemoteContext
  readonly asset: CatalogAsset
  readonly key: ApiKey
  /** The reference of the key, for messages. */
  readonly secret: string
}

const PUBLIC_TOKEN_SERVICE = "https://authn.nvidia.com"
/** A token lasts 15 minutes; it is replaced after 10, or two thirds of the life that its service tells. */
const KEPT_MS = 10 * 60 * 1000
const REFUSALS = new Set([400, 401, 403])

/**
 * A personal key is its own authorization. Any other is exchanged for a token, once for all who wait for it: at the public
 * token service, or for a catalog elsewhere at `/token` below its own address, so that a key is never shown to a host
 * that its owner has not named.
 */
export function createAuthorization(options: AuthorizationOptions): Authorization {
  const { remote, key } = options
  const basic = Buffer.from(`$oauthtoken:${key.value}`).toString("base64")
  let current: { readonly header: string; readonly until: number } | undefined

  const exchange = createSharedWork(async (signal) => {
    const asked = remote.now()
    const { token, seconds } = await fetchToken(options, basic, signal)
    const lasts = Math.min(KEPT_MS, (seconds * 1000 * 2) / 3)
    current = { header: `Bearer ${token}`, until: asked + lasts }
    return current.header
  })

  return {
    async get(signal) {
      if (key.kind === "bearer") return `Bearer ${key.value}`
      return current !== undefined && remote.now() < current.until ? current.header : exchange(signal)
    },
    async renew(used, signal) {
      if (key.kind === "bearer") return undefined
      // Another request may have been refused before, and have brought a new one.
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
  const answer = readAnswer(response.status, await readErrorText(response.body), [key.value, basic])
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

/** Where keys are exchanged, with what the token is to be good for. */
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
