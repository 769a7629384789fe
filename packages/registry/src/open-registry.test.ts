import { spawn } from "node:child_process"
import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { verifies, textOf } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openRegistry } from "./open-registry.ts"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry } from "./testing/test-registry.ts"

describe.each(DATABASE_KINDS)("a registry on %s", (kind) => {
  let test: TestRegistry
  beforeEach(async () => {
    test = await createTestRegistry(kind)
  })
  afterEach(() => test.remove())

  it(
    "is ready if database and default storage accept writes, and the check leaves only the id of the storage",
    verifies("service.health-ready"),
    async () => {
      await test.registry.checkReady()
      expect(await readdir(join(test.folder, "storage"))).toEqual(["assay-storage-id"])
    },
  )

  it("is not ready if the default storage refuses writes", verifies("service.health-ready"), async () => {
    await rm(join(test.folder, "storage"), { recursive: true, force: true })
    await writeFile(join(test.folder, "storage"), "a file in its place")
    await expect(test.registry.checkReady()).rejects.toMatchObject({ name: "AssayError" })
  })

  it("can be closed twice", async () => {
    await test.registry.close()
    await test.registry.close()
  })

  it(
    "still has every acknowledged write after it was killed",
    verifies("files.upload.whole", "files.upload.durable"),
    async () => {
      const child = spawn(process.execPath, ["--input-type=module", "--eval", programThatWrites(test)], {
        stdio: ["ignore", "pipe", "inherit"],
      })
      const answered: string[] = []
      for await (const line of createInterface({ input: child.stdout })) {
        answered.push(line)
        if (answered.length === 40) child.kill("SIGKILL")
      }
      expect(answered.length).toBeGreaterThanOrEqual(40)
      const { filesets, files } = await test.openAnother()
      for (const name of answered) {
        expect(await filesets.get("default", name)).toMatchObject({ name })
        const { bytes, file } = await files.read("default", name, parseFilePath("a.txt"))
        expect([await textOf(bytes), file.sha256?.length]).toEqual([name, 64])
      }
      const query = { page: 1, page_size: 100, sort: "name" } as const
      const { pagination } = await filesets.list("default", query, "all")
      const tables = await test.openTables()
      const rows = await tables.read((queries) => queries.selectFrom("filesets").select("id").execute())
      expect(pagination?.total_results).toBe(rows.length)
    },
  )
})

/** Creates filesets with a file, eight at a time, and prints the name of each one that is done. */
function programThatWrites({ options, folder }: TestRegistry): string {
  const given = {
    database: options.database,
    defaultStorage: { type: "local", path: join(folder, "storage") },
    allowedLocalRoots: [],
  }
  return `
    import { randomBytes, randomUUID } from "node:crypto"
    import { openRegistry } from ${JSON.stringify(new URL("open-registry.ts", import.meta.url))}
    const registry = await openRegistry({
      ...${JSON.stringify(given)},
      encryptionKeys: [{ name: "key", key: new Uint8Array(32) }],
      now: Date.now,
      newId: (prefix) => prefix + "-" + randomUUID(),
      randomBytes,
      transport: () => Promise.reject(new Error("No backend is to be reached.")),
      random: Math.random,
      sleep: () => Promise.resolve(),
    })
    let next = 0
    async function work() {
      for (;;) {
        const name = "f" + next++
        await registry.filesets.create("default", { name })
        await registry.files.write("default", name, "a.txt", (async function* () { yield Buffer.from(name) })())
        console.log(name)
      }
    }
    await Promise.all(Array.from({ length: 8 }, work))`
}

describe("opening a registry", () => {
  it("reports what is wrong with its settings", async () => {
    const test = await createTestRegistry("sqlite")
    const open = (wrong: object) => openRegistry({ ...test.options, ...wrong })
    await expect(open({ encryptionKeys: [] })).rejects.toMatchObject({ code: "bad_settings" })
    await expect(open({ defaultStorage: { type: "hub", repo_id: "a/b" } })).rejects.toMatchObject({
      code: "bad_settings",
    })
    await mkdir(join(test.folder, "folder"))
    await expect(open({ database: { kind: "sqlite", file: join(test.folder, "folder") } })).rejects.toMatchObject({
      code: "bad_settings",
    })
    await test.remove()
  })

  it("logs what it could not clean up, and continues", async () => {
    const test = await createTestRegistry("sqlite")
    await test.registry.close()
    await mkdir(join(test.folder, "storage"), { recursive: true })
    await writeFile(join(test.folder, "storage/.trash"), "no folder")
    const again = await test.openAnother()
    await expect.poll(() => test.warnings).toEqual(["Could not empty the trash of removed filesets"])
    expect((await again.workspaces.get("default")).name).toBe("default")
    await test.remove()
  })
})
