import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose"
import { Provider } from "oidc-provider"

export const CLIENT = "assay-console"
export const CLIENT_SECRET = "the-secret-of-the-client-of-this-test"
export const AUDIENCE = "assay-api"

/** A real identity provider on loopback, whose keys the test also has. */
export interface TestProvider extends AsyncDisposable {
  readonly issuer: string
  /** The person who signs in next, with claims. */
  person: { readonly sub: string; readonly [claim: string]: unknown }
  /** Whether it breaks off every connection. */
  isAway: boolean
  /** The paths of the requests so far. */
  readonly requests: string[]
  /** The first public key, in PEM, with which a forger could sign by HMAC. */
  readonly publicKey: CryptoKey
  /** Publishes another key. */
  addKey(kid: string): Promise<void>
  /** Signs a token as the provider does, with the key that the header names, else the first one. A claim that is undefined is left out. */
  sign(claims: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, unknown>>): Promise<string>
}

interface SigningKey {
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
}

async function makeKey(kid: string): Promise<SigningKey> {
  return { kid, ...(await generateKeyPair("RS256", { extractable: true })) }
}

const publicJwk = async ({ kid, publicKey }: SigningKey): Promise<JWK> => ({
  ...(await exportJWK(publicKey)),
  kid,
  alg: "RS256",
  use: "sig",
})

/** @param origin the address of the server whose users sign in */
export async function startIdentityProvider(origin: string): Promise<TestProvider> {
  const first = await makeKey("first")
  const keys = [first]
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {}
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? "")
    if (test.isAway) request.socket.destroy()
    else if (request.url === "/jwks") {
      const send = async () => JSON.stringify({ keys: await Promise.all(keys.map(publicJwk)) })
      void send().then((text) => response.setHeader("content-type", "application/json").end(text))
    } else handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const test: TestProvider = {
    issuer,
    person: { sub: "nobody" },
    isAway: false,
    requests,
    publicKey: first.publicKey,
    async addKey(kid) {
      keys.push(await makeKey(kid))
    },
    async sign(claims, header = {}) {
      const { privateKey } = keys.find(({ kid }) => kid === header["kid"]) ?? first
      const now = Math.floor(Date.now() / 1000)
      const payload = { iss: issuer, aud: AUDIENCE, sub: "someone", iat: now, exp: now + 300, ...claims }
      const given = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined))
      return new SignJWT(given)
        .setProtectedHeader({ alg: "RS256", kid: "first", typ: "at+jwt", ...header })
        .sign(privateKey)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  handle = handlerOf(test, origin, { ...(await exportJWK(first.privateKey)), kid: "first", alg: "RS256", use: "sig" })
  return test
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** Returns the handler of a provider that signs in whoever `test.person` is, without a question. */
function handlerOf(test: TestProvider, origin: string, signingKey: JWK): Handle {
  const provider = new Provider(test.issuer, {
    jwks: { keys: [signingKey] },
    clients: [
      {
        client_id: CLIENT,
        client_secret: CLIENT_SECRET,
        redirect_uris: [`${origin}/session/oidc/callback`],
        post_logout_redirect_uris: [`${origin}/`],
      },
    ],
    conformIdTokenClaims: false,
    claims: { openid: ["sub"], profile: ["name", "groups"], email: ["email", "email_verified"] },
    cookies: { keys: ["a key of this test"] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    ttl: { IdToken: 600, AccessToken: 600, Session: 600, Interaction: 600, Grant: 600 },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...test.person, sub }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: CLIENT, accountId: oidc.session?.accountId ?? "" })
      grant.addOIDCScope("openid profile email")
      await grant.save()
      return grant
    },
  })
  const handle = provider.callback()
  return (request, response) => {
    const isQuestion = request.url?.startsWith("/interaction/") === true
    if (isQuestion) void provider.interactionFinished(request, response, { login: { accountId: test.person.sub } })
    else void handle(request, response)
  }
}
