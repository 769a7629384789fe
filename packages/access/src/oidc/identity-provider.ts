import type { EndedSessions } from "@assay/registry"
import type { Caller } from "../grant.ts"
import { createExpiries } from "../expiries.ts"
import { createGrantRules, type GrantRule } from "./grant-rules.ts"
import { createPeople, type People } from "./people.ts"
import { callerOfPerson, personOf } from "./person.ts"
import { createProvider, type ProviderOptions } from "./provider.ts"
import { createSignInFlow } from "./sign-in.ts"
import { isJwt, type VerifiedClaims, verifyJwt } from "./verify-jwt.ts"

/** Maximum number of characters of an ID token that a sign-in fetches. 10,000 groups need less. */
const MAX_ID_TOKEN = 524_288

export interface IdentityProviderOptions extends ProviderOptions {
  /** The values of `aud` of tokens for this server. */
  readonly audiences: readonly string[]
  readonly rules: readonly GrantRule[]
  readonly scopes: readonly string[]
  /** The address of this server for browsers, without a slash at the end. */
  readonly publicUrl: string
  /** The path below it to which the provider sends browsers back. */
  readonly callbackPath: string
  readonly key: Uint8Array
  readonly ended: EndedSessions
  readonly now: () => number
  readonly randomBytes: (size: number) => Uint8Array
}

/** The company's identity provider (OpenID Connect). */
export interface IdentityProvider {
  readonly issuer: string
  /** Whether people can sign in with a browser. */
  readonly hasSignIn: boolean
  readonly people: People
  /** Returns whether a bearer token has the form of one of the provider. */
  isToken(token: string): boolean
  /** Returns the sender of an access token or ID token. @throws `unauthorized`, `forbidden`, `unavailable` */
  find(token: string): Promise<Caller>
  /** Begins a sign-in: the address of the provider, and the value of the cookie with which the browser must come back. */
  begin(returnTo: string | undefined): Promise<{ readonly url: string; readonly attempt: string }>
  /** Ends a sign-in. @throws `unauthorized`, `forbidden`, `unavailable` */
  finish(
    attempt: string | undefined,
    query: string,
  ): Promise<{ readonly caller: Caller; /** An address of this server. */ readonly url: string }>
  /** Whether the provider is known to have a page that ends sessions there. */
  hasSignOut(): boolean
  /** Returns the address that ends the session at the provider, undefined if it has none. @throws `unavailable` */
  endSessionUrl(): Promise<string | undefined>
  /** Asks whether the provider answers, at most every 10 seconds. @throws `unavailable` */
  check(): Promise<void>
}

/** Creates the provider. Nothing is asked before it is needed, so that a server starts although its provider is away. */
export function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  const { issuer, clientId, audiences, publicUrl, callbackPath, scopes, key, ended, now, randomBytes } = options
  const provider = createProvider(options)
  const rules = createGrantRules(options.rules)
  const callerOf = (claims: VerifiedClaims) => callerOfPerson(issuer, personOf(claims, rules), rules)
  const expiries = createExpiries(now)
  const ofClient = { audiences: [], clientId, now, expiries, maxLength: MAX_ID_TOKEN }
  const verifyIdToken = (token: string) => verifyJwt(token, provider, ofClient)
  const redirectUri = publicUrl + callbackPath
  const flow = createSignInFlow({ provider, verifyIdToken, redirectUri, scopes, key, ended, now, randomBytes })
  return {
    issuer,
    hasSignIn: clientId !== undefined,
    people: createPeople({ issuer, rules, given: options.rules, now }),
    isToken: isJwt,
    find: async (token) => callerOf(await verifyJwt(token, provider, { audiences, clientId, now, expiries })),
    begin: (returnTo) => flow.begin(returnTo),
    async finish(attempt, query) {
      const { claims, returnTo } = await flow.finish(attempt, query)
      return { caller: callerOf(claims), url: publicUrl + returnTo }
    },
    hasSignOut: () => provider.latest()?.end_session_endpoint !== undefined,
    async endSessionUrl() {
      const { end_session_endpoint: endpoint } = await provider.metadata()
      if (endpoint === undefined) return undefined
      const { buildEndSessionUrl } = await import("openid-client")
      return buildEndSessionUrl(await provider.client(), { post_logout_redirect_uri: `${publicUrl}/` }).href
    },
    check: () => provider.check(),
  }
}
