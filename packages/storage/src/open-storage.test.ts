import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { StorageConfiguration } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { openLocalStorage } from "./local/open.ts"
import { openStorage, probeStorage } from "./open-storage.ts"
import type { Storage } from "./storage.ts"
import { makeTestFolder } from "./testing/make-test-folder.ts"

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

/** Opens a storage over a folder and records the calls. */
async function recording(revisions: boolean) {
  const folder = await makeTestFolder()
  const local = openLocalStorage({ type: "local", path: folder })
  const asked: unknown[] = []
  const storage: Storage = {
    ...local,
    capabilities: { ...local.capabilities, revisions },
    list: (options) => (asked.push("list"), local.list(options)),
    read: (path, options) => (asked.push([path, options?.range]), local.read(path, options)),
  }
  return { storage, asked, write: (name: string, text: string) => writeFile(join(folder, name), text) }
}

describe("probeStorage", () => {
  it("requests the listing and one byte of the first file of a pinned storage", async () => {
    const { storage, asked, write } = await recording(true)
    await write("b", "second")
    await write("a", "first")
    await probeStorage(storage)
    expect(asked).toEqual(["list", ["a", { kind: "from", start: 0, end: 0 }]])
  })

  it("reads an empty first file completely, because none of its bytes can be requested", async () => {
    const { storage, asked, write } = await recording(true)
    await write("a", "")
    await probeStorage(storage)
    expect(asked).toEqual(["list", ["a", undefined]])
  })

  it("requests only the listing of other storages, and accepts an empty one", async () => {
    const { storage, asked, write } = await recording(false)
    await probeStorage(storage)
    await write("a", "first")
    await probeStorage(storage)
    expect(asked).toEqual(["list", "list"])
    await probeStorage((await recording(true)).storage)
  })

  it("ends when it is aborted", async () => {
    const { storage } = await recording(true)
    await expect(probeStorage(storage, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough")
  })
})
