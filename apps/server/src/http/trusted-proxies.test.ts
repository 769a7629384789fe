import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { ENTITIES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

/** Sends ten wrong tokens from one client, and returns the status of another one from a second client. */
async function failAs(server: TestServer, first: string, then: string): Promise<number> {
  const attempt = (client: string) =>
    server.call("GET", ENTITIES, { headers: { authorization: "Bearer wrong", "x-forwarded-for": client } })
  for (let count = 0; count < 10; count += 1) expect((await attempt(first)).status).toBe(401)
  return (await attempt(then)).status
}

describe("ASSAY_TRUST_PROXY", () => {
  it.each(["127.0.0.1", "loopback", "10.0.0.1,127.0.0.0/8", "1"])(
    "makes the server read the client's address from X-Forwarded-For of %s",
    verifies("auth.trust-proxy"),
    async (proxies) => {
      await using server = await startTestServer({ ASSAY_AUTH: "tokens", ASSAY_TRUST_PROXY: proxies })
      expect(await failAs(server, "203.0.113.1", "203.0.113.2")).toBe(401)
      expect(await failAs(server, "203.0.113.3", "203.0.113.3")).toBe(429)
      // Entries that the client itself sent are further left.
      expect(await failAs(server, "198.51.100.1, 203.0.113.4", "198.51.100.2, 203.0.113.4")).toBe(429)
    },
  )

  it.each([{}, { ASSAY_TRUST_PROXY: "10.0.0.0/8" }, { ASSAY_TRUST_PROXY: "0" }])(
    "makes the server ignore the header of an unlisted peer (%o)",
    verifies("auth.trust-proxy"),
    async (env) => {
      await using server = await startTestServer({ ASSAY_AUTH: "tokens", ...(env as Record<string, string>) })
      expect(await failAs(server, "203.0.113.1", "203.0.113.2")).toBe(429)
    },
  )

  it(
    "failures of an IPv6 client count for its /64, and invalid addresses count as one client",
    verifies("auth.trust-proxy"),
    async () => {
      await using server = await startTestServer({ ASSAY_AUTH: "tokens", ASSAY_TRUST_PROXY: "loopback" })
      expect(await failAs(server, "2001:db8:0:1::1", "2001:0db8:0000:0001:ffff:ffff:ffff:ffff")).toBe(429)
      expect(await failAs(server, "2001:db8:0:2::1", "2001:db8:0:3::1")).toBe(401)
      expect(await failAs(server, "::ffff:203.0.113.1", "203.0.113.1")).toBe(429)
      expect(await failAs(server, "203.0.113.2:50000", "203.0.113.2:50001")).toBe(429)
      expect(await failAs(server, "[2001:db8:0:4::1]:5", "2001:db8:0:4::2")).toBe(429)
      expect(await failAs(server, "_hidden", "x".repeat(5000))).toBe(429)
    },
  )

  it(
    "makes the https origin of a proxy the server's own",
    verifies("auth.cross-site", "auth.trust-proxy"),
    async () => {
      const forwarded = { origin: "https://assay.example.com", "x-forwarded-proto": "https" }
      const headers = { ...forwarded, "x-forwarded-host": "assay.example.com" }
      const statusWith = async (proxies: Record<string, string>) => {
        await using server = await startTestServer(proxies)
        return (await server.call("POST", ENTITIES, { json: { name: "new" }, headers })).status
      }
      expect(await statusWith({ ASSAY_TRUST_PROXY: "loopback" })).toBe(201)
      expect(await statusWith({})).toBe(403)
    },
  )
})
