import type { FlattenedJWSInput, JSONWebKeySet, JWSHeaderParameters, JWTVerifyGetKey } from "jose"
import { isObject } from "@assay/json"
import type { ProviderFetch } from "./limited-fetch.ts"
import { createRefreshed } from "./refreshed.ts"

const FRESH_MS = 10 * 60_000
/** A provider that is away for longer has to answer before its tokens are accepted again. */
const KEEP_MS = 24 * 60 * 60_000
/** A token with an unknown key makes the keys be loaded again, so senders of such tokens could otherwise flood the provider. */
const PAUSE_MS = 10_000
const MAX_KEYS = 200
const OK = 200

export interface KeysOptions {
  readonly fetch: ProviderFetch
  readonly elapsed: () => number
  /** Returns the address of the keys. */
  readonly address: () => Promise<string>
}

/**
 * Returns the function that finds the key of a signature among the public keys of a provider. The keys are kept for 10 minutes, and for a day
 * while the provider is away. A key that is not among them makes them be loaded again, at most every 10 seconds.
 */
export function createProviderKeys({ fetch, elapsed, address }: KeysOptions): JWTVerifyGetKey {
  const load = async () => {
    const { createLocalJWKSet } = await import("jose")
    return createLocalJWKSet(await loadKeys(fetch, await address()))
  }
  const keys = createRefreshed({ load, elapsed, freshMs: FRESH_MS, keepMs: KEEP_MS, pauseMs: PAUSE_MS })
  return async (header: JWSHeaderParameters, token: FlattenedJWSInput) => {
    const { errors } = await import("jose")
    try {
      return await (
        await keys.get()
      )(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
    }
    return (await keys.renew())(header, token)
  }
}

async function loadKeys(fetch: ProviderFetch, url: string): Promise<JSONWebKeySet> {
  const response = await fetch(url, { headers: { accept: "application/json" } })
  if (response.status !== OK) throw new Error(`its keys at ${url} have the status ${response.status}`)
  const value: unknown = await response.json()
  const keys = isObject(value) ? value["keys"] : undefined
  if (!Array.isArray(keys) || keys.length > MAX_KEYS)
    throw new Error(`${url} is not a list of at most ${MAX_KEYS} keys`)
  return { keys: keys.filter(isObject) as unknown as JSONWebKeySet["keys"] }
}
