import type { CatalogStorageConfiguration } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { assetPath, catalogAsset, versionPath } from "./asset.ts"

const BASE = { type: "catalog", org: "acme", team: "vision", target: "net", api_key_secret: "key" } as const

describe("catalogAsset", () => {
  it(
    "is a resource of the public catalog by default",
    verifies("brief.storage.catalog.service", "brief.storage.catalog.target-type"),
    () => {
      const asset = catalogAsset(BASE)
      expect(asset).toMatchObject({ origin: "https://api.ngc.nvidia.com", base: "", isPublic: true })
      expect(assetPath(asset)).toBe("/v2/org/acme/team/vision/resources/net")
    },
  )

  it("encodes names in paths", () => {
    const asset = catalogAsset({
      ...BASE,
      team: "",
      target: "nét+1",
      target_type: "model",
      host: "http://127.0.0.1:1/base//",
    })
    expect(versionPath(asset, "1&2")).toBe("/base/v2/org/acme/models/n%C3%A9t%2B1/versions/1%262")
  })

  it.each<[Partial<CatalogStorageConfiguration>, string]>([
    [
      { target: "acme/vision/net" },
      "target 'acme/vision/net' is not a name; org, team, target and version each stand in their own field.",
    ],
    [{ target: "net:1" }, "target 'net:1' is not a name"],
    [{ org: ".." }, "org '..' is not a name"],
    [{ team: "a b" }, "team 'a b' is not a name"],
    [{ version: "1?x" }, "version '1?x' is not a name"],
    [{ host: "api.ngc.nvidia.com" }, "host 'api.ngc.nvidia.com' is not an address; write it like"],
    [{ host: "ftp://127.0.0.1" }, "host 'ftp://127.0.0.1' is not an address"],
    [{ host: "https://user:secret@catalog.example.com" }, "is not an address"],
  ])("refuses %j", (config, message) => {
    expect(() => catalogAsset({ ...BASE, ...config })).toThrow(message)
  })
})
