import { createHash } from "node:crypto"
import type { EndedSessions } from "@assay/registry"
import { AssayError, isAssayError, printable } from "@assay/schemas"
import type { VerifiedClaims } from "./verify-jwt.ts"
import { type Provider, providerAway } from "./provider.ts"
import { ATTEMPT_MS, formatAttempt, parseAttempt, returnPath } from "./sign-in-attempts.ts"

export interface SignInOptions {
  readonly provider: Provider
  /** Returns the claims of an ID token. */
  readonly verifyIdToken: (token: string) => Promise<VerifiedClaims>
  /** The address to which the provider sends the browser back. */
  readonly redirectUri: string
  readonly scopes: readonly string[]
  /** Servers that share it continue each other's sign-ins. */
  readonly key: Uint8Array
  readonly ended: EndedSessions
  readonly now: () => number
  readonly randomBytes: (size: number) => Uint8Array
}

/** The authorization code flow with PKCE, on the server. */
export interface SignInFlow {
  /** Returns the address of the provider, and the value of the cookie with which the same browser must come back. */
  begin(returnTo: string | undefined): Promise<{ readonly url: string; readonly attempt: string }>
  /**
   * Ends a sign-in with the query of the address to which the provider sent the browser. Each attempt can be ended once.
   * @throws `unauthorized`, `unavailable`
   */
  finish(
    attempt: string | undefined,
    query: string,
  ): Promise<{ readonly claims: VerifiedClaims; readonly returnTo: string }>
}

export function createSignInFlow(options: SignInOptions): SignInFlow {
  const { provider, verifyIdToken, redirectUri, scopes, key, ended, now, randomBytes } = options
  const secret = () => Buffer.from(randomBytes(32)).toString("base64url")
  return {
    async begin(returnTo) {
      const [{ buildAuthorizationUrl }, client] = await Promise.all([import("openid-client"), provider.client()])
      const [state, nonce, verifier] = [secret(), secret(), secret()]
      const url = buildAuthorizationUrl(client, {
        redirect_uri: redirectUri,
        scope: scopes.join(" "),
        state,
        nonce,
        code_challenge: createHash("sha256").update(verifier).digest("base64url"),
        code_challenge_method: "S256",
      })
      const end = now() + ATTEMPT_MS
      const attempt = formatAttempt({ state, nonce, verifier, returnTo: returnPath(returnTo), end }, key)
      return { url: url.href, attempt }
    },
    async finish(cookie, query) {
      const attempt = cookie === undefined ? undefined : parseAttempt(cookie, key, now())
      if (attempt === undefined) {
        throw failed("it was not begun in this browser at this address, or more than 10 minutes ago")
      }
      const { state, nonce, verifier, returnTo } = attempt
      // Before anything is ended: a page of another site can send the browser here, but does not know the state.
      if (new URLSearchParams(query).get("state") !== state) throw failed("the answer belongs to another one")
      const id = `sign-in-${state}`
      if (await ended.isEnded(id)) throw failed("it was ended before")
      await ended.end(id, attempt.end + ATTEMPT_MS)
      const [{ authorizationCodeGrant }, client] = await Promise.all([import("openid-client"), provider.client()])
      const checks = {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      }
      try {
        const tokens = await authorizationCodeGrant(client, new URL(`${redirectUri}${query}`), checks)
        return { claims: await verifyIdToken(tokens.id_token ?? ""), returnTo }
      } catch (error) {
        throw describe(error, provider.issuer)
      }
    },
  }
}

const MAX_SHOWN = 300
function describe(error: unknown, issuer: string): AssayError {
  if (isAssayError(error)) return error
  const {
    error: code,
    error_description: text,
    code: kind,
    cause,
    message,
  } = error as {
    readonly error?: unknown
    readonly error_description?: unknown
    readonly code?: unknown
    readonly cause?: unknown
    readonly message: string
  }
  if (typeof code === "string") {
    const said = typeof text === "string" ? `${code}: ${text}` : code
    return failed(`the identity provider says '${printable(said.slice(0, MAX_SHOWN))}'`, error)
  }
  // The provider answered; other codes are of the network, and of a provider that is out of order.
  if (typeof kind === "string" && kind.startsWith("OAUTH_") && !isAway(kind, cause))
    return failed(printable(message.slice(0, MAX_SHOWN)), error)
  return providerAway(issuer, error)
}

/** Returns whether the provider did not answer in time, or with a fault of its own. */
function isAway(kind: string, cause: unknown): boolean {
  return kind === "OAUTH_TIMEOUT" || kind === "OAUTH_ABORT" || (cause instanceof Response && cause.status >= 500)
}

function failed(reason: string, cause?: unknown): AssayError {
  return new AssayError("unauthorized", `The sign-in failed: ${reason}. Sign in again.`, { cause })
}
