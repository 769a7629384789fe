import { describe, expect, it, onTestFinished } from "vitest"
import type { CatalogFault } from "./catalog-faults.ts"
import type { FakeCatalogAsset, FakeCatalogOptions } from "./fake-catalog-options.ts"
import { startFakeCatalog } from "./start-fake-catalog.ts"

const KEY = "fakefakefakefakefakefakefakefake"
const BASIC = { authorization: `Basic ${btoa(`$oauthtoken:${KEY}`)}` }
const BEARER = { authorization: "Bearer nvapi-fake-key" }
const FILE = Buffer.from("0123456789")
const SCOPES = "service=ngc&scope=group/ngc:acme&scope=group/ngc:acme/vision"

async function start(asset: Partial<FakeCatalogAsset> = {}, options: Partial<FakeCatalogOptions> = {}) {
  const versions = ["0", "1", "2"].map((id) => ({ id, files: { "a/b c.bin": FILE, "d.json": Buffer.from("{}") } }))
  const model = { org: "acme", team: "vision", name: "net", kind: "model", versions, ...asset } as const
  const catalog = await startFakeCatalog({ assets: [model], ...options })
  onTestFinished(() => catalog.close())
  const base = `${catalog.url}/v2/org/acme/team/vision/${model.kind}s/net`
  const get = (address: string, headers: Record<string, string> = BEARER) =>
    fetch(address, { headers, redirect: "manual" })
  const json = async (address: string) => (await (await get(address)).json()) as Record<string, unknown>
  const signed = async () => (await get(`${base}/versions/1/files/a/b%20c.bin`)).headers.get("location") ?? ""
  return { catalog, base, get, json, signed }
}

describe("the token service of the fake catalog", () => {
  it("exchanges a key, which is not a bearer token, for a token of the named service and scope", async () => {
    const { catalog, get, base } = await start()
    const answer = await get(`${catalog.url}/token?${SCOPES}`, BASIC)
    const { token, expires_in: seconds } = (await answer.json()) as Record<string, string | number>
    expect(seconds).toBe(900)
    expect((await get(base, { authorization: `Bearer ${token}` })).status).toBe(200)
  })

  it.each([
    ["another service", "service=x&scope=group/ngc:acme", BASIC, 400],
    ["no scope", "service=ngc", BASIC, 400],
    ["a scope that is none", "service=ngc&scope=acme", BASIC, 400],
    ["an unknown key", SCOPES, { authorization: `Basic ${btoa("$oauthtoken:other")}` }, 401],
    ["a personal key", SCOPES, { authorization: `Basic ${btoa("$oauthtoken:nvapi-fake-key")}` }, 401],
    ["another user", SCOPES, { authorization: `Basic ${btoa(`me:${KEY}`)}` }, 401],
    ["no key", SCOPES, {}, 401],
  ])("refuses %s", async (_title, query, headers, status) => {
    const { catalog, get } = await start()
    expect((await get(`${catalog.url}/token?${query}`, headers)).status).toBe(status)
  })

  it("refuses the scope of an organization that the key may not read", async () => {
    const { catalog, get } = await start({}, { keys: [{ value: KEY, orgs: ["acme/vision"] }] })
    expect((await get(`${catalog.url}/token?service=ngc&scope=group/ngc:acme/vision`, BASIC)).status).toBe(200)
    expect((await get(`${catalog.url}/token?${SCOPES}`, BASIC)).status).toBe(403)
  })
})

describe("the API of the fake catalog", () => {
  it.each([
    ["model", "model"],
    ["resource", "recipe"],
  ] as const)("calls a %s a %s, and pages versions and files", async (kind, word) => {
    const { base, json } = await start({ kind }, { pageSize: 2 })
    expect(await json(base)).toMatchObject({ [word]: { latestVersionIdStr: "2", canGuestDownload: false } })
    expect(await json(`${base}/versions?page-size=1000`)).toMatchObject({
      [`${word}Versions`]: [{ versionId: "2", status: "UPLOAD_COMPLETE" }, { versionId: "1" }],
      paginationInfo: { index: 0, size: 2, totalPages: 2, totalResults: 3 },
    })
    expect(await json(`${base}/versions?page-size=1000&page-number=1`)).toMatchObject({
      [`${word}Versions`]: [{ versionId: "0" }],
    })
    expect(await json(`${base}/versions/0/files`)).toMatchObject({
      [`${word}Files`]: [
        { path: "d.json", sizeInBytes: 2 },
        { path: "a/b c.bin", sizeInBytes: 10 },
      ],
    })
  })

  it.each([
    ["/versions/9", BEARER, 404],
    ["x", BEARER, 404],
    ["/versions/1/other", BEARER, 404],
    ["/versions/1/files/missing", BEARER, 404],
    ["", { authorization: "Bearer nvapi-other" }, 401],
    ["", {}, 401],
  ])("answers %j with %j: %i", async (rest, headers, status) => {
    const { base, get } = await start()
    const answer = await get(base + rest, headers)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toHaveProperty(
      "requestStatus.statusCode",
      status === 404 ? "NOT_FOUND" : "UNAUTHORIZED",
    )
  })

  it("serves public assets without a key at the short address", async () => {
    for (const [guest, status] of [
      [true, 200],
      [false, 401],
    ] as const) {
      const { catalog, get } = await start({ guest })
      expect((await get(`${catalog.url}/v2/models/acme/vision/net/versions/1/files`, {})).status).toBe(status)
    }
  })

  it("returns addresses for all files or for one, in parallel lists", async () => {
    const { base, json } = await start()
    const { urls, filepath } = await json(`${base}/1/files`)
    expect(filepath).toEqual(["a/b c.bin", "d.json"])
    expect(urls).toHaveLength(2)
    expect(await json(`${base}/1/files?path=d.json`)).toMatchObject({ filepath: ["d.json"] })
  })

  it("refuses downloads until the licence is accepted, but lists the files", async () => {
    const { base, get } = await start({ needsLicence: true })
    const statuses = ["/versions/1/files", "/versions/1/files/d.json", "/1/files"].map((rest) => get(base + rest))
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([200, 412, 412])
  })

  it("returns the bytes without a redirect if it is configured so", async () => {
    const { base, get } = await start({ singleFile: "direct" })
    const answer = await get(`${base}/versions/1/files/d.json`)
    expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
      200,
      "application/json",
      "{}",
    ])
  })
})

describe("the file host of the fake catalog", () => {
  it.each([
    [undefined, 200, "0123456789", null],
    ["bytes=2-3", 206, "23", "bytes 2-3/10"],
    ["bytes=8-99", 206, "89", "bytes 8-9/10"],
    ["bytes=-3", 206, "789", "bytes 7-9/10"],
    ["bytes=10-", 416, "", "bytes */10"],
  ])("answers the range %s with %i", async (range, status, text, contentRange) => {
    const { get, signed } = await start()
    const answer = await get(await signed(), range === undefined ? {} : { range })
    expect(answer.status).toBe(status)
    expect(answer.headers.get("content-range")).toBe(contentRange)
    expect(await answer.text()).toBe(text)
  })

  it("refuses requests with a key, changed addresses, and expired addresses", async () => {
    let time = 0
    const { catalog, get, signed } = await start({}, { now: () => time, addressSeconds: 60 })
    const address = await signed()
    expect((await get(address, BEARER)).status).toBe(403)
    expect(catalog.requests.at(-1)).toMatchObject({ host: "files", headers: BEARER })
    expect((await get(`${address}x`, {})).status).toBe(403)
    time += 60_000
    expect(await (await get(address, {})).text()).toContain("Request has expired")
  })

  it.each<[CatalogFault, string]>([
    [{ kind: "end-early", after: 4 }, "0123"],
    [{ kind: "run-on", extra: 1 }, "0123456789\0"],
    [{ kind: "wrong-byte", at: 0 }, `\ufffd123456789`],
  ])("has the planned fault %j", async (fault, text) => {
    const { catalog, get, signed } = await start()
    const address = await signed()
    catalog.faults.add({ times: 1, fault })
    expect(await (await get(address, {})).text()).toBe(text)
    expect(await (await get(address, {})).text()).toBe("0123456789")
  })

  it("closes the connection or stops sending after the planned number of bytes", async () => {
    const { catalog, get, signed } = await start()
    const address = await signed()
    catalog.faults.add({ times: 1, fault: { kind: "cut", after: 4 } })
    await expect((await get(address, {})).text()).rejects.toThrow("terminated")
    catalog.faults.add({ fault: { kind: "hang-up" } })
    await expect(get(address, {})).rejects.toThrow("fetch failed")
    catalog.faults.clear()
    catalog.faults.add({ fault: { kind: "stall", after: 4 } })
    const answer = await get(address, {})
    expect(catalog.countOpenAnswers()).toBe(1)
    await answer.body?.cancel()
    await expect.poll(() => catalog.countOpenAnswers()).toBe(0)
  })
})
