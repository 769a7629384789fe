import { join } from "node:path"
import { openFolderStorage, parseFilePath, type ReadResult, type Storage } from "@assay/storage"
import { openFilesetStorage } from "@assay/transfer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openClient } from "../../open-client.ts"
import { runCommand } from "../../testing/run-command.ts"
import { startServer, type TestServer } from "../../testing/start-server.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../testing/temporary-folder.ts"

let server: TestServer
let folder: TemporaryFolder
const storages: Record<string, Storage> = {}
beforeAll(async () => {
  server = await startServer()
  folder = makeTemporaryFolder()
  folder.write("files/a.txt", "0123456789")
  folder.write("files/sub/b.txt", "b")
  folder.write("files/sub/c.txt", "")
  folder.write("files/sub-d.txt", "d")
  const env = { ASSAY_URL: server.url, XDG_CACHE_HOME: join(folder.path, "cache") }
  await runCommand(["push", "./files", "files"], { cwd: folder.path, env })
  const client = openClient({ env, sleep: async () => undefined, random: () => 0 })
  storages["fileset"] = openFilesetStorage(client, await client.filesets.get("default", "files"))
  storages["folder"] = openFolderStorage(join(folder.path, "files"))
})
afterAll(async () => {
  folder[Symbol.dispose]()
  await server.stop()
})

async function textOf({ bytes }: ReadResult): Promise<string> {
  return Buffer.concat(await Array.fromAsync(bytes)).toString()
}

describe.each(["fileset", "folder"])("the storage of a %s", (kind) => {
  function storage(): Storage {
    const found = storages[kind]
    if (found === undefined) throw new Error(`There is no ${kind}.`)
    return found
  }
  const paths = async (options: { prefix?: string; after?: string } = {}) =>
    (await Array.fromAsync(storage().list(options))).map(({ path }) => path)

  it("lists files by prefix and after a path", async () => {
    expect(await paths()).toEqual(["a.txt", "sub-d.txt", "sub/b.txt", "sub/c.txt"])
    expect(await paths({ prefix: "sub" })).toEqual(["sub/b.txt", "sub/c.txt"])
    expect(await paths({ prefix: "sub/" })).toEqual(["sub/b.txt", "sub/c.txt"])
    expect(await paths({ prefix: "a.txt" })).toEqual(["a.txt"])
    expect(await paths({ after: "sub/b.txt" })).toEqual(["sub/c.txt"])
  })

  it("reads whole files and ranges", async () => {
    const path = parseFilePath("a.txt")
    expect(await textOf(await storage().read(path))).toBe("0123456789")
    const middle = await storage().read(path, { range: { kind: "from", start: 2, end: 4 } })
    expect(middle).toMatchObject({ file: { path: "a.txt", size: 10 }, range: { start: 2, end: 4 } })
    expect(await textOf(middle)).toBe("234")
    expect(await textOf(await storage().read(path, { range: { kind: "from", start: 8, end: 99 } }))).toBe("89")
    expect(await textOf(await storage().read(path, { range: { kind: "suffix", length: 3 } }))).toBe("789")
    const outside = storage().read(path, { range: { kind: "from", start: 10 } })
    await expect(outside).rejects.toMatchObject({ code: "range_not_satisfiable" })
  })

  it("returns the same ETag in stat, list and read", async () => {
    const path = parseFilePath("sub/b.txt")
    const [listed] = await Array.fromAsync(storage().list({ prefix: path }))
    const read = await storage().read(path)
    await textOf(read)
    const { etag, size } = await storage().stat(path)
    expect([listed?.etag, read.file.etag]).toEqual([etag, etag])
    expect([listed?.size, read.file.size]).toEqual([size, size])
  })

  it("fails for missing files, and refuses changes", async () => {
    await expect(storage().stat(parseFilePath("sub"))).rejects.toMatchObject({ code: "not_found" })
    await expect(storage().read(parseFilePath("no"))).rejects.toMatchObject({ code: "not_found" })
    await expect(storage().delete(parseFilePath("a.txt"))).rejects.toMatchObject({ code: "method_not_allowed" })
  })
})
