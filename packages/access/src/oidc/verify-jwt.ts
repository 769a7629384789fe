import type { JWTPayload, JWTVerifyOptions } from "jose"
import { AssayError, formatTimestamp, isAssayError, printable } from "@assay/schemas"
import type { Expiries } from "../expiries.ts"
import type { Claims } from "./grant-rules.ts"
import type { Provider } from "./provider.ts"

/** Maximum number of characters of a token that a request brings. More does not fit into its headers. */
const MAX_LENGTH = 16_384
/** Clocks of servers may differ by this. */
const TOLERANCE_SECONDS = 30
const MAX_SHOWN = 200

/** Signatures with a private key that the provider alone has. `none` and those with a shared key (HS256…) are left out. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"]

/** Access tokens (RFC 9068) and ID tokens. A logout token is signed by the same keys, and is neither. */
const TYPE = /^(?:application\/)?(?:at\+)?jwt$/i
const FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/u

export interface JwtRules {
  /** The values of `aud` of tokens for this server. Any client may have asked for them. */
  readonly audiences: readonly string[]
  /** The id of a client whose ID tokens are accepted. Other clients can't have asked for them. */
  readonly clientId: string | undefined
  readonly now: () => number
  /** The tokens that have expired. */
  readonly expiries: Expiries
  /** Maximum number of characters. */
  readonly maxLength?: number
}

/** The claims of a token, with those that every token has. */
export interface VerifiedClaims extends Claims {
  readonly sub: string
  /** Seconds since 1970. */
  readonly exp: number
}

/** Returns whether a bearer token has the form of a JWT, which no token of this server has. */
export function isJwt(token: string): boolean {
  return FORM.test(token)
}

/**
 * Checks the signature, the issuer, the audience, the times and the kind of a token.
 * @throws `unauthorized` with the reason; `unavailable` if the provider is away and its keys are not known
 */
export async function verifyJwt(token: string, provider: Provider, rules: JwtRules): Promise<VerifiedClaims> {
  const { audiences, clientId, now, expiries, maxLength = MAX_LENGTH } = rules
  if (token.length > maxLength) throw refused(`it has ${token.length} characters, and at most ${maxLength} are read`)
  const { jwtVerify, decodeJwt, errors } = await import("jose")
  const audience = [...audiences, ...(clientId === undefined ? [] : [clientId])]
  const options: JWTVerifyOptions = {
    algorithms: ALGORITHMS,
    issuer: provider.issuer,
    audience,
    requiredClaims: ["sub", "exp"],
    clockTolerance: TOLERANCE_SECONDS,
    currentDate: new Date(now()),
  }
  try {
    // Before the keys are looked up, so that tokens of others never make them be loaded again.
    if (decodeJwt(token).iss !== provider.issuer) throw refused(`its issuer is not ${provider.issuer}`)
    const { payload, protectedHeader } = await jwtVerify(token, provider.keys, options)
    const { exp = 0 } = payload
    if (expiries.hasExpired(token, endOf(exp))) throw refused(expiredAt(exp))
    checkKind(payload, protectedHeader.typ)
    checkAsker(payload, rules)
    return { ...payload, sub: checkSubject(payload.sub), exp }
  } catch (error) {
    if (isAssayError(error)) throw error
    if (!(error instanceof errors.JOSEError)) throw error
    if (error instanceof errors.JWTExpired) expiries.hasExpired(token, endOf(Number(error.payload.exp)))
    throw refused(reasonOf(error, audience), error)
  }
}

function checkKind({ events }: JWTPayload, typ: string | undefined): void {
  if ((typ === undefined || TYPE.test(typ)) && events === undefined) return
  throw refused("it is neither an access token nor an ID token")
}

/** Refuses an ID token that another client asked for: its user never chose to use this server. */
function checkAsker({ aud, azp }: JWTPayload, { audiences, clientId }: JwtRules): void {
  const named = Array.isArray(aud) ? aud : [aud]
  if (named.some((one) => one !== undefined && audiences.includes(one))) return
  if (azp === undefined || azp === clientId) return
  throw refused("another client asked for it (azp)")
}

const MAX_SUBJECT = 255

function checkSubject(sub: unknown): string {
  if (typeof sub === "string" && sub !== "" && sub.length <= MAX_SUBJECT) return sub
  throw refused(`its subject (sub) is not a text of 1 to ${MAX_SUBJECT} characters`)
}

interface JoseFailure extends Error {
  readonly code: string
  readonly claim?: string
  readonly payload?: JWTPayload
}

function reasonOf(error: JoseFailure, audience: readonly string[]): string {
  const { code, claim, payload: { aud, exp } = {} } = error
  if (code === "ERR_JWT_EXPIRED") return expiredAt(Number(exp))
  if (code === "ERR_JWS_SIGNATURE_VERIFICATION_FAILED") return "its signature is wrong"
  if (code === "ERR_JWKS_NO_MATCHING_KEY") return "the provider has no key with which it could be signed"
  if (claim === "aud") {
    const shown = printable(JSON.stringify(aud ?? null).slice(0, MAX_SHOWN))
    return `it is for ${shown}, and this server takes tokens for ${audience.join(" or ")}`
  }
  return printable(error.message.slice(0, MAX_SHOWN))
}

/** Returns from when on a token is refused, in milliseconds since 1970. */
function endOf(exp: number): number {
  return (exp + TOLERANCE_SECONDS) * 1000
}

function expiredAt(exp: number): string {
  return `it expired at ${formatTimestamp(exp * 1000)}; get a new one`
}

function refused(reason: string, cause?: unknown): AssayError {
  return new AssayError("unauthorized", `The token of the identity provider is not valid: ${reason}.`, { cause })
}
