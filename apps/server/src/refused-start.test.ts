import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { expect, it, onTestFinished } from "vitest"
import { FILES, startTestServer } from "./testing/start-test-server.ts"

it(
  "A server whose database and storage have different ids does not start, and starts again when they agree",
  verifies("operating.one-id", "operating.lost-database"),
  async () => {
    const home = await mkdtemp(join(tmpdir(), "assay-refused-"))
    onTestFinished(() => rm(home, { recursive: true }))
    const rows = `${FILES}/default/filesets/rows`
    {
      await using server = await startTestServer({}, home)
      await server.call("POST", `${FILES}/default/filesets`, { json: { name: "rows" } })
      await server.call("PUT", `${rows}/-/a.txt`, { body: "alpha" })
    }
    const idFile = join(home, "data/storage/assay-storage-id")
    const id = await readFile(idFile, "utf8")
    await writeFile(idFile, `${"0".repeat(8)}-0000-4000-8000-${"0".repeat(12)}\n`)
    const refused = (message: string) => ({ code: "bad_settings", message: expect.stringContaining(message) })
    await expect(startTestServer({}, home)).rejects.toMatchObject(refused("belongs to another database"))
    await rm(idFile)
    await expect(startTestServer({}, home)).rejects.toMatchObject(refused("has no file 'assay-storage-id'"))
    await writeFile(idFile, id)
    const database = join(home, "data/registry.db")
    const bytes = await readFile(database)
    await rm(database)
    await expect(startTestServer({}, home)).rejects.toMatchObject(refused("is lost, or it is another one"))
    // A refused start creates no database and keeps no lock.
    await expect(readFile(database)).rejects.toMatchObject({ code: "ENOENT" })
    await writeFile(database, bytes)
    await using server = await startTestServer({}, home)
    expect((await server.call("GET", `${rows}/-/a.txt`)).text).toBe("alpha")
  },
)
