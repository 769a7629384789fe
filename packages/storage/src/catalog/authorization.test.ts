import { type FakeCatalogOptions, startFakeCatalog, verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { parseFilePath } from "../file-path.ts"
import { codeOf, readAll } from "../testing/ask.ts"
import { EXCHANGED_KEY, openTestCatalog } from "../testing/open-test-catalog.ts"
import { sampleBytes } from "../testing/sample-bytes.ts"
import { catalogAsset } from "./asset.ts"
import { createAuthorization, parseApiKey, tokenAddress } from "./authorization.ts"

const FILES = Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`${at}.bin`, sampleBytes(100, at + 1)]))
const PATHS = Object.keys(FILES)
const MINUTE = 60_000
const CONFIG = { type: "catalog", org: "acme", team: "", target: "net", api_key_secret: "key" } as const

async function start({
  key = EXCHANGED_KEY,
  ...options
}: Partial<FakeCatalogOptions> & { readonly key?: string } = {}) {
  const model = {
    org: "acme",
    team: "vision",
    name: "net",
    kind: "model",
    versions: [{ id: "1", files: FILES }],
  } as const
  const catalog = await startFakeCatalog({ assets: [model], ...options })
  onTestFinished(() => catalog.close())
  const config = { version: "1", original_version: "1" }
  const opened = await openTestCatalog({ host: catalog.url, key, config })
  const count = (host: string) => catalog.requests.filter((request) => request.host === host).length
  return { catalog, count, ...opened }
}

describe("the authorization of catalog requests", () => {
  it("sends a personal key directly and requests no token", verifies("brief.storage.catalog.api-key"), async () => {
    const { catalog, count, storage } = await start({ key: "nvapi-fake-key" })
    await readAll(storage, "0.bin")
    expect(catalog.requests[0]?.headers.authorization).toBe("Bearer nvapi-fake-key")
    expect(count("token")).toBe(0)
  })

  it(
    "exchanges any other key for a token of the organization and its team",
    verifies("brief.storage.catalog.api-key"),
    async () => {
      const { catalog, storage } = await start()
      await readAll(storage, "0.bin")
      const [token, api] = catalog.requests
      expect(token?.url).toBe("/token?service=ngc&scope=group/ngc:acme&scope=group/ngc:acme/vision")
      expect(token?.headers.authorization).toBe(`Basic ${btoa(`$oauthtoken:${EXCHANGED_KEY}`)}`)
      expect(api?.headers.authorization).toMatch(/^Bearer fake-token-/)
    },
  )

  it("requests one token for sixteen concurrent reads", async () => {
    const { count, storage } = await start()
    await Promise.all(PATHS.map((path) => readAll(storage, path)))
    expect(count("token")).toBe(1)
    expect(count("api")).toBe(16)
  })

  it("renews a token after ten minutes, however long it is valid", async () => {
    const { count, storage, remote } = await start({ tokenSeconds: 3600, now: () => remote.now() })
    await readAll(storage, "0.bin")
    remote.pass(9 * MINUTE)
    await readAll(storage, "1.bin")
    expect(count("token")).toBe(1)
    remote.pass(MINUTE)
    await Promise.all(PATHS.slice(2).map((path) => readAll(storage, path)))
    expect(count("token")).toBe(2)
  })

  it("renews a token with a shorter lifetime earlier", async () => {
    const { count, storage, remote } = await start({ tokenSeconds: 60, now: () => remote.now() })
    await readAll(storage, "0.bin")
    remote.pass(39_000)
    await readAll(storage, "1.bin")
    expect(count("token")).toBe(1)
    remote.pass(1_000)
    await readAll(storage, "2.bin")
    expect(count("token")).toBe(2)
  })

  it("renews a refused token once for all concurrent requests", async () => {
    const { catalog, count, storage } = await start()
    await readAll(storage, "0.bin")
    catalog.revokeTokens()
    await Promise.all(PATHS.slice(1).map((path) => readAll(storage, path)))
    expect(count("token")).toBe(2)
    catalog.faults.add({ when: ({ host }) => host === "api", fault: { kind: "refuse", status: 401 } })
    expect(await codeOf(Array.fromAsync(storage.list()))).toBe("upstream_refused")
    expect(count("token")).toBe(3)
  })

  it("uses the new token for a request that is refused late", async () => {
    const { catalog, count, remote } = await start()
    const key = { kind: "exchanged", value: EXCHANGED_KEY } as const
    const asset = catalogAsset({ ...CONFIG, host: catalog.url })
    const authorization = createAuthorization({ remote, asset, key, secret: "key" })
    const used = await authorization.get()
    const other = await authorization.renew(used)
    expect(other).not.toBe(used)
    expect(await authorization.renew(used)).toBe(other)
    expect(count("token")).toBe(2)
  })

  it("keeps requesting a token for the others if one caller leaves", async () => {
    const { count, storage } = await start()
    const leaving = new AbortController()
    const left = readAll(storage, "0.bin", { signal: leaving.signal })
    const others = PATHS.slice(1).map((path) => readAll(storage, path))
    leaving.abort(new Error("I am off"))
    await expect(left).rejects.toThrow("I am off")
    expect(await Promise.all(others)).toHaveLength(15)
    expect(count("token")).toBe(1)
  })

  it("aborts the request for a token when no caller waits for it", async () => {
    const { catalog, storage } = await start()
    catalog.faults.add({ when: ({ host }) => host === "token", fault: { kind: "stall" } })
    const leaving = new AbortController()
    const left = storage.stat(parseFilePath("0.bin"), { signal: leaving.signal })
    await expect.poll(() => catalog.countOpenAnswers()).toBe(1)
    leaving.abort(new Error("I am off"))
    await expect(left).rejects.toThrow("I am off")
    await expect.poll(() => catalog.countOpenAnswers()).toBe(0)
  })

  it("reports that the token service refuses the key, without showing any part of it", async () => {
    const { catalog, storage } = await start({ keys: [] })
    catalog.faults.add({ when: ({ host }) => host === "token", fault: { kind: "refuse", status: 401, echo: true } })
    const reading = storage.stat(parseFilePath("0.bin"))
    await expect(reading).rejects.toThrow(
      `the token service at ${catalog.url} refuses the key in secret 'catalog-key' for acme, acme/vision (401:`,
    )
    expect(await codeOf(reading)).toBe("upstream_refused")
    const shown = JSON.stringify(await reading.catch((error: unknown) => String(error)))
    expect(shown).not.toContain(EXCHANGED_KEY)
    expect(shown).not.toContain(btoa(`$oauthtoken:${EXCHANGED_KEY}`))
  })

  it.each([
    ["a proxy's page", { kind: "proxy-page", status: 200 }],
    ["failures", { kind: "refuse", status: 503 }],
    ["a response without a token", { kind: "refuse", status: 200, statusCode: "SUCCESS" }],
  ] as const)("reports that the token service gave no token, but %s", async (_title, fault) => {
    const { catalog, storage } = await start()
    catalog.faults.add({ when: ({ host }) => host === "token", fault })
    await expect(storage.stat(parseFilePath("0.bin"))).rejects.toThrow(
      `the token service at ${catalog.url} gave no token`,
    )
  })
})

describe("the address of the token service", () => {
  it("is the public one for the public catalog", () => {
    const asset = catalogAsset(CONFIG)
    expect(tokenAddress(asset).origin).toContain("authn.nvidia.com")
    expect(tokenAddress(asset).path).toBe("/token?service=ngc&scope=group/ngc:acme")
  })

  it("is /token below the address of any other catalog", () => {
    const asset = catalogAsset({ ...CONFIG, org: "a+b", host: "https://catalog.example.com:8443/ngc/" })
    expect(tokenAddress(asset)).toEqual({
      origin: "https://catalog.example.com:8443",
      path: "/ngc/token?service=ngc&scope=group/ngc:a%2Bb",
    })
  })
})

const TARGET = { storage: "catalog", location: "model 'a/b'", operation: "open" } as const

describe("parseApiKey", () => {
  it.each([
    ["nvapi-AbC_1-2", "bearer"],
    ["TmljZTogYW4gb2xkZXIga2V5LCBpbiBiYXNlNjQgYXMgYWxsIG9mIHRoZW0gYXJlCg==", "exchanged"],
  ])("detects the kind of %s", (value, kind) => {
    expect(parseApiKey(value, "key", TARGET)).toEqual({ kind, value })
  })

  it.each([
    ["", "is empty"],
    [" \n", "is empty"],
    ["hf_abcdefgh", "is a token of Hugging Face"],
    ["AKIAIOSFODNN7EXAMPLE", "is an access key id of AWS"],
    ["ghp_abcdefgh", "is a token of GitHub"],
    ["glpat-abcdefgh", "is a token of GitLab"],
    ["sk-abcdefgh", "is a key of a model API"],
    ["eyJhbGciOi.eyJzdWIi.c2ln", "is a token that expires within minutes"],
    ["Bearer nvapi-abcdefgh", "is a whole header"],
    ["-----BEGIN PRIVATE KEY-----\nabcdefgh", "is a certificate or a private key"],
    ["nvapi-abc\nnvapi-def", "has more than one line"],
    ["nvapi-abcdefgh\n", "has more than one line"],
    [" nvapi-abcdefgh", "has a space in it"],
    ["nvapi-ab\u0000cdefgh", "has characters that no key has"],
    ["nvapi-ábcdefgh", "has characters that no key has"],
  ])("refuses %j without showing it, and names the valid kinds", (value, fault) => {
    const parse = () => parseApiKey(value, "ws/key", TARGET)
    expect(parse).toThrow(
      `the value of secret 'ws/key' ${fault}; set the secret to a personal or service key, which begins with 'nvapi-'`,
    )
    expect(parse).not.toThrow("bcdefgh")
  })
})
