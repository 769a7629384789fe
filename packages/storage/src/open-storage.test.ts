import type { StorageConfiguration } from "@assay/schemas"
import { verifies } from "@assay/testkit/verifies"
import { describe, expect, it } from "vitest"
import { openStorage } from "./open-storage.ts"

describe("openStorage", () => {
  it(
    "fills in the defaults",
    verifies("brief.storage.read-chunk-size", "brief.storage.local.write-buffer-size"),
    async () => {
      const { storage, configuration } = await openStorage({ type: "local", path: "/data" })
      expect(storage.type).toBe("local")
      expect(configuration).toEqual({
        type: "local",
        path: "/data",
        read_chunk_size: 1_048_576,
        write_buffer_size: 16_777_216,
      })
    },
  )

  it("keeps the given values", async () => {
    const given: StorageConfiguration = { type: "local", path: "/data", read_chunk_size: 5, write_buffer_size: 7 }
    expect((await openStorage(given)).configuration).toEqual(given)
  })

  it.each<StorageConfiguration>([
    { type: "hub", repo_id: "a/b" },
    { type: "catalog", org: "a", team: "", target: "b", api_key_secret: "key" },
    { type: "objstore", bucket: "b" },
  ])("opens $type only if remote is given", async (config) => {
    await expect(openStorage(config)).rejects.toMatchObject({ code: "storage_not_allowed" })
  })
})
