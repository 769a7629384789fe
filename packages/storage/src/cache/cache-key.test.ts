import type { StorageConfiguration } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { parseFilePath } from "../file-path.ts"
import { cacheKey, cachePath, keyAtPath, cachePinOf } from "./cache-key.ts"

const SHA = "0123456789abcdef0123456789abcdef01234567"
const HUB = { type: "hub", repo_id: "acme/net", repo_type: "model", endpoint: "https://hub", revision: SHA } as const
const CATALOG = {
  type: "catalog",
  host: "https://catalog",
  org: "acme",
  team: "vision",
  target: "net",
  target_type: "model",
  version: "1.0",
  api_key_secret: "key",
} as const
const OBJSTORE = { type: "objstore", bucket: "data", prefix: "a", endpoint_url: "https://store", region: "r" } as const

function keyOf(storage: StorageConfiguration, path = "file", etag: string | null = '"1"'): string | undefined {
  const pin = cachePinOf(storage)
  return pin && cacheKey(pin, parseFilePath(path), etag)
}

describe("cacheKey", () => {
  it("differs for everything that may mean other bytes", () => {
    const storages: readonly StorageConfiguration[] = [
      HUB,
      { ...HUB, repo_id: "acme/other" },
      { ...HUB, repo_type: "dataset" },
      { ...HUB, endpoint: "https://other" },
      { ...HUB, revision: SHA.replace("0", "1") },
      CATALOG,
      { ...CATALOG, host: "https://other" },
      { ...CATALOG, org: "acme/vision", team: "" },
      { ...CATALOG, team: "other" },
      { ...CATALOG, target: "other" },
      { ...CATALOG, target_type: "resource" },
      { ...CATALOG, version: "1.1" },
      OBJSTORE,
      { ...OBJSTORE, bucket: "other" },
      { ...OBJSTORE, prefix: "b" },
      { ...OBJSTORE, region: "other" },
      { ...OBJSTORE, endpoint_url: "https://other" },
    ]
    const keys = [...storages.map((storage) => keyOf(storage)), keyOf(HUB, "other"), keyOf(OBJSTORE, "file", '"2"')]
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys).not.toContain(undefined)
  })

  it("is equal for the same bytes, whoever reads them and how", () => {
    expect(keyOf({ ...HUB, token_secret: "mine", read_chunk_size: 1, original_revision: "main" })).toBe(keyOf(HUB))
    expect(keyOf({ ...CATALOG, api_key_secret: "other", original_version: "latest" })).toBe(keyOf(CATALOG))
    expect(keyOf({ ...OBJSTORE, access_key_id_secret: "a", secret_access_key_secret: "b" })).toBe(keyOf(OBJSTORE))
    expect(keyOf(HUB, "file", null)).toBe(keyOf(HUB))
  })

  it("is undefined if nothing identifies the content", () => {
    expect(keyOf({ type: "local", path: "/data" })).toBeUndefined()
    expect(keyOf({ ...HUB, revision: "main" })).toBeUndefined()
    const { version: _version, ...latest } = CATALOG
    expect(keyOf(latest)).toBeUndefined()
    expect(keyOf(OBJSTORE, "file", null)).toBeUndefined()
    expect(keyOf(OBJSTORE, "file", 'W/"1"')).toBeUndefined()
  })

  it("is part of a path that leads back to it", () => {
    const key = keyOf(HUB) ?? ""
    expect(cachePath(key)).toBe(`cache/${key.slice(0, 2)}/${key}`)
    expect(keyAtPath(cachePath(key))).toBe(key)
    expect(keyAtPath(`cache/${key}`)).toBeUndefined()
    expect(keyAtPath("cache/no/note.txt")).toBeUndefined()
  })
})
