import { STORAGE_TYPES, type StorageConfiguration } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { openStorage } from "./open-storage.ts"
import { isBuiltStorageType } from "./storage-capabilities.ts"
import { codeOf } from "./testing/ask.ts"

describe("openStorage", () => {
  it("fills the defaults in [brief.storage.read-chunk-size, brief.storage.local.write-buffer-size]", async () => {
    const { storage, configuration } = await openStorage({ type: "local", path: "/data" })
    expect(storage.type).toBe("local")
    expect(configuration).toEqual({
      type: "local",
      path: "/data",
      read_chunk_size: 1_048_576,
      write_buffer_size: 16_777_216,
    })
  })

  it("keeps what is given", async () => {
    const given: StorageConfiguration = { type: "local", path: "/data", read_chunk_size: 5, write_buffer_size: 7 }
    expect((await openStorage(given)).configuration).toEqual(given)
  })

  it("says which types are built when another is asked for", async () => {
    const hub: StorageConfiguration = { type: "hub", repo_id: "a/b" }
    expect(await codeOf(openStorage(hub))).toBe("storage_not_built")
    await expect(openStorage(hub)).rejects.toThrow("type 'hub' can't be opened by this version; use one of: local.")
    expect(STORAGE_TYPES.filter(isBuiltStorageType)).toEqual(["local"])
  })
})
