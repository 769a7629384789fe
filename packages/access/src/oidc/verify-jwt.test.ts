import { verifies } from "@assay/testkit"
import { exportJWK, generateKeyPair, SignJWT, createLocalJWKSet } from "jose"
import { expect, it } from "vitest"
import { createExpiries } from "../expiries.ts"
import type { Provider } from "./provider.ts"
import { verifyJwt } from "./verify-jwt.ts"

const START = 1_700_000_000
const issuer = "https://login.example"

it("A token that has expired stays so if the clock is set back", verifies("oidc.verified"), async () => {
  const { publicKey, privateKey } = await generateKeyPair("ES256")
  const keys = createLocalJWKSet({ keys: [await exportJWK(publicKey)] })
  const sign = (jti: string) =>
    new SignJWT({ jti })
      .setProtectedHeader({ alg: "ES256" })
      .setIssuer(issuer)
      .setAudience("api")
      .setSubject("ann")
      .setExpirationTime(START + 60)
      .sign(privateKey)
  const [token, unseen] = [await sign("1"), await sign("2")]
  let seconds = START
  const now = () => seconds * 1000
  const rules = { audiences: ["api"], clientId: undefined, now, expiries: createExpiries(now) }
  const verify = (one: string) => verifyJwt(one, { issuer, keys } as unknown as Provider, rules)
  expect((await verify(token)).sub).toBe("ann")
  // Clocks of servers may differ by 30 s.
  seconds = START + 89
  expect((await verify(token)).sub).toBe("ann")
  for (const at of [START + 90, START + 89, START]) {
    seconds = at
    await expect(verify(token)).rejects.toThrow("it expired at 2023-11-14T22:14:20.000Z; get a new one")
  }
  expect((await verify(unseen)).sub).toBe("ann")
})
