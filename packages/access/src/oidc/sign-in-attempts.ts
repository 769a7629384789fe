import { createHmac, timingSafeEqual } from "node:crypto"

/** A sign-in that a browser has begun at the identity provider. */
export interface SignInAttempt {
  readonly state: string
  readonly nonce: string
  /** The secret of PKCE, whose hash the provider got. */
  readonly verifier: string
  /** The path of the page that is shown afterwards. */
  readonly returnTo: string
  /** Milliseconds since 1970. */
  readonly end: number
}

/** How long a person may take at the provider. */
export const ATTEMPT_MS = 10 * 60_000

const FORM = /^([\w-]+)\.([\w-]{43})$/u

/** Writes an attempt as the value of a cookie, which only the holder of the key can write. */
export function formatAttempt(attempt: SignInAttempt, key: Uint8Array): string {
  const payload = Buffer.from(JSON.stringify(attempt)).toString("base64url")
  return `${payload}.${codeOf(payload, key).toString("base64url")}`
}

/** Reads the value of a cookie. Returns undefined if it was not written with the key, or is too old. */
export function parseAttempt(value: string, key: Uint8Array, now: number): SignInAttempt | undefined {
  const [, payload, code] = FORM.exec(value) ?? []
  if (payload === undefined || code === undefined) return undefined
  if (!timingSafeEqual(Buffer.from(code, "base64url"), codeOf(payload, key))) return undefined
  const attempt = JSON.parse(Buffer.from(payload, "base64url").toString()) as SignInAttempt
  return attempt.end > now ? attempt : undefined
}

function codeOf(payload: string, key: Uint8Array): Buffer {
  return createHmac("sha256", key).update(`sign-in.v1.${payload}`).digest()
}

const HERE = "http://here.invalid"
const MAX_PATH = 2000

/** Returns the path of a page of this server, `/` for anything else: an address could lead to another site that looks like this one. */
export function returnPath(given: string | undefined): string {
  if (given === undefined || given.length > MAX_PATH || !given.startsWith("/")) return "/"
  const url = URL.parse(given, HERE)
  if (url === null || url.origin !== HERE || /^\/(?:\/|session(?:\/|$))/u.test(url.pathname)) return "/"
  return url.pathname + url.search + url.hash
}
