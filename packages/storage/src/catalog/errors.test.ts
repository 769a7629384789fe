import type { CatalogStorageConfiguration, ErrorCode } from "@assay/schemas"
import {
  type CatalogFault,
  type FakeCatalogAsset,
  type FakeCatalogKey,
  startFakeCatalog,
  verifies,
} from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { parseFilePath } from "../file-path.ts"
import { probeStorage } from "../open-storage.ts"
import { codeOf, readAll } from "../testing/ask.ts"
import { EXCHANGED_KEY, openTestCatalog } from "../testing/open-test-catalog.ts"
import { sampleBytes } from "../testing/sample-bytes.ts"
import { catalogAsset, catalogTarget } from "./asset.ts"
import { catalogError } from "./errors.ts"

const VERSIONS = Array.from({ length: 12 }, (_, at) => ({ id: `1.${at}`, files: { "a.bin": sampleBytes(10) } }))

async function start(asset: Partial<FakeCatalogAsset> = {}, keys?: readonly FakeCatalogKey[]) {
  const model = { org: "acme", team: "vision", name: "net", kind: "model", versions: VERSIONS, ...asset } as const
  const catalog = await startFakeCatalog({ assets: [model], pageSize: 5, ...(keys !== undefined && { keys }) })
  onTestFinished(() => catalog.close())
  const open = (config: Partial<CatalogStorageConfiguration> = {}, key = "nvapi-fake-key") =>
    openTestCatalog({ host: catalog.url, config, key })
  return { catalog, open }
}

const PINNED = { version: "1.11", original_version: "latest" }
const ofApi = ({ host }: { readonly host: string }) => host === "api"

describe("an error of the catalog", () => {
  it("says that the asset is missing, where, and what to check", async () => {
    const { catalog, open } = await start()
    const opening = open({ target: "nets" })
    await expect(opening).rejects.toThrow(
      `Could not open (catalog storage, model 'acme/vision/nets' at ${catalog.url}): team 'vision' of org 'acme' has no such model that the key in secret 'catalog-key' may see; check org, team, target, and target_type (resource or model).`,
    )
    expect(await codeOf(opening)).toBe("upstream_missing")
    expect(await codeOf(open({ target_type: "resource" }))).toBe("upstream_missing")
    await expect(open({ target: "nets", version: "1.0" })).rejects.toThrow("has no such model")
  })

  it("says that the version is missing, and which versions exist", async () => {
    const { open } = await start()
    const opening = open({ version: "9" })
    await expect(opening).rejects.toThrow(
      "there is no version '9' (it has '1.11', '1.10', '1.9', '1.8', '1.7'); name an existing one.",
    )
    expect(await codeOf(opening)).toBe("upstream_missing")
    const { storage } = await open({ version: "9", original_version: "9" })
    expect(await codeOf(readAll(storage, "a.bin"))).toBe("upstream_missing")
    expect(await codeOf(Array.fromAsync(storage.list()))).toBe("upstream_missing")
  })

  it("says that a file is missing in the version", async () => {
    const { open } = await start()
    const { storage } = await open(PINNED)
    expect(await codeOf(storage.stat(parseFilePath("b.bin")))).toBe("not_found")
  })

  it("says at the first read that a licence is not accepted, and where to accept it", async () => {
    const { catalog, open } = await start({ needsLicence: true })
    const { storage } = await open()
    await expect(probeStorage(storage)).rejects.toThrow(
      `Could not read 'a.bin' (catalog storage, model 'acme/vision/net:1.11' at ${catalog.url}): its licence is not accepted (412: PRECONDITION_FAILED The license agreement must be accepted.); accept it with the account of the key at its page in the catalog.`,
    )
    expect(await codeOf(probeStorage(storage))).toBe("upstream_gated")
  })

  it.each([
    [{}, "catalog.ngc.nvidia.com/orgs/acme/teams/vision/models/net."],
    [{ team: "", target_type: "resource" }, "catalog.ngc.nvidia.com/orgs/acme/resources/net."],
  ] as const)("names the page of the public catalog for %j", (config, page) => {
    const base = {
      type: "catalog",
      org: "acme",
      team: "vision",
      target: "net",
      target_type: "model",
      api_key_secret: "k",
    }
    const asset = catalogAsset({ ...base, ...config } as CatalogStorageConfiguration)
    const error = catalogError({ status: 412, words: "" }, catalogTarget(asset, "read"), { asset, secret: "k" })
    expect(error.message).toContain(page)
  })

  it("says that the key has no access, and to what", async () => {
    const { open } = await start({}, [
      { value: "nvapi-fake-key", orgs: ["other"] },
      { value: EXCHANGED_KEY, orgs: [] },
    ])
    const opening = open()
    await expect(opening).rejects.toThrow(
      "the key in secret 'catalog-key' may not read there (403: FORBIDDEN Access to the org or team is denied.); use a key with access to team 'vision' of org 'acme', or correct org and team.",
    )
    expect(await codeOf(opening)).toBe("upstream_refused")
    await expect(open({}, EXCHANGED_KEY)).rejects.toThrow(
      "refuses the key in secret 'catalog-key' for acme, acme/vision",
    )
  })

  it("says that the key is not valid", async () => {
    const { open } = await start()
    await expect(open({}, "nvapi-of-yesterday")).rejects.toThrow(
      "the catalog refuses the key in secret 'catalog-key' (401",
    )
  })

  it.each<[string, CatalogFault, ErrorCode, string]>([
    [
      "an unknown name",
      { kind: "refuse", status: 200, statusCode: "NOT_FOUND" },
      "upstream_missing",
      "has no such model",
    ],
    [
      "missing permission",
      { kind: "refuse", status: 200, statusCode: "FORBIDDEN" },
      "upstream_refused",
      "may not read there",
    ],
    [
      "a bad request",
      { kind: "refuse", status: 200, statusCode: "INVALID_REQUEST_DATA" },
      "upstream_misconfigured",
      "(400: INVALID_REQUEST_DATA It was told to refuse.)",
    ],
    [
      "a failure",
      { kind: "refuse", status: 200, statusCode: "INTERNAL_ERROR" },
      "upstream_failed",
      "INTERNAL_ERROR It was told",
    ],
  ])("is recognized behind HTTP 200: %s", async (_title, fault, code, message) => {
    const { catalog, open } = await start()
    catalog.faults.add({ when: ofApi, fault })
    const opening = open()
    await expect(opening).rejects.toThrow(message)
    expect(await codeOf(opening)).toBe(code)
  })

  it.each<[string, CatalogFault, string]>([
    ["too many requests", { kind: "refuse", status: 429, retryAfter: 2 }, "the catalog asks for fewer requests (429"],
    [
      "failures",
      { kind: "refuse", status: 503 },
      "the catalog gave an unexpected response (503: SERVICE_UNAVAILABLE It was told to refuse.)",
    ],
    ["a proxy's page", { kind: "proxy-page", status: 200 }, "it did not return JSON"],
    ["a proxy's error page", { kind: "proxy-page", status: 504 }, "the catalog gave an unexpected response (504)"],
    [
      "a redirect",
      { kind: "redirect", to: "http://127.0.0.1:1/login" },
      "the catalog gave an unexpected response (302)",
    ],
    ["a response that breaks off", { kind: "cut", after: 5 }, "the answer broke off (the connection broke off"],
    ["no response", { kind: "hang-up" }, "No answer came from"],
  ])("is raised for %s", async (_title, fault, message) => {
    const { catalog, open } = await start()
    catalog.faults.add({ when: ofApi, fault })
    const opening = open()
    await expect(opening).rejects.toThrow(message)
    expect(await codeOf(opening)).toBe("upstream_failed")
  })

  it("obeys the requested wait, and repeats a request whose response broke off", async () => {
    const { catalog, open } = await start()
    catalog.faults.add({ when: ofApi, times: 1, fault: { kind: "refuse", status: 429, retryAfter: 9 } })
    catalog.faults.add({
      when: ({ url }) => url.endsWith("/versions/1.11"),
      times: 2,
      fault: { kind: "cut", after: 5 },
    })
    const { configuration, remote } = await open()
    expect(configuration).toMatchObject({ version: "1.11" })
    expect(remote.waits).toEqual([9000, 50, 100])
  })

  it("never contains a key or a token that the catalog repeats", async () => {
    const { catalog, open } = await start()
    catalog.faults.add({ when: ofApi, fault: { kind: "refuse", status: 400, echo: true } })
    for (const key of ["nvapi-fake-key", EXCHANGED_KEY]) {
      const error = await open({}, key).catch((caught: unknown) => caught)
      const shown = [error, error instanceof Error ? error.cause : ""].map(String).join()
      const sent = catalog.requests.at(-1)?.headers.authorization?.replace("Bearer ", "")
      expect(sent).toBeDefined()
      expect(shown).toContain("You sent: Bearer ***, that is ***")
      expect(shown).not.toContain(sent)
    }
  })

  it("says that files can't be written or deleted", verifies("files.upload.read-only"), async () => {
    const { open } = await start()
    const { storage } = await open(PINNED)
    await expect(storage.delete(parseFilePath("a.bin"))).rejects.toThrow("the catalog is read-only here")
  })
})
