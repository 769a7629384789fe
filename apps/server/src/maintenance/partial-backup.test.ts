// For the type of `inject`.
/// <reference types="@assay/testkit/postgres-setup" />
import { randomBytes } from "node:crypto"
import { createReadStream, existsSync } from "node:fs"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openFileOutput, restoreBackup } from "@assay/backup"
import { createDatabase, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { loadSettings } from "../settings/load-settings.ts"
import { FILES, startTestServer } from "../testing/start-test-server.ts"
import { writeBackup } from "./write-backup.ts"

let home: string
let env: Record<string, string>
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "assay-partial-"))
  env = {
    DATABASE_URL: await createDatabase(inject("postgresUrl")),
    ASSAY_SHARED_LOCAL: "1",
    ASSAY_DEFAULT_STORAGE: JSON.stringify({ type: "local", path: join(home, "storage") }),
    ASSAY_DATA_DIR: join(home, "data"),
  }
})
afterAll(() => rm(home, { recursive: true }))

describe("a backup of a server on a shared database", () => {
  it(
    "contains the files and says that the database has to be backed up with its own tools",
    verifies("operating.backup.online"),
    async () => {
      await using server = await startTestServer(env, home)
      await server.call("POST", `${FILES}/default/filesets`, { json: { name: "rows" } })
      await server.call("PUT", `${FILES}/default/filesets/rows/-/a.txt`, { body: "alpha" })
      const { settings } = loadSettings({ env, cwd: home })
      const context = { settings, cwd: home, now: Date.now, randomBytes }
      const signal = new AbortController().signal
      const file = join(home, "a.tar.gz")
      const report = await writeBackup(context, { output: openFileOutput(file), withKeys: true, signal })
      expect(report).toMatchObject({
        missing: [expect.stringContaining("pg_dump")],
        damage: [],
        manifest: { database: false, keys: true, filesets: 1 },
      })
      expect(existsSync(join(home, "storage/.backup"))).toBe(false)
      const dataFolder = join(home, "restored")
      await restoreBackup(createReadStream(file), { dataFolder, force: false, now: Date.now, signal })
      expect(await readFile(join(dataFolder, "storage/filesets/default/rows/a.txt"), "utf8")).toBe("alpha")
      expect(existsSync(join(dataFolder, "registry.db"))).toBe(false)
    },
  )
})
