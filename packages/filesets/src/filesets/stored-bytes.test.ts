import { AssayError } from "@assay/schemas"
import { verifies, bytesOf } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createBucketRegistry } from "../testing/bucket-registry.ts"
import { createTestRegistry, type TestRegistry } from "../testing/test-registry.ts"
import { DATABASE_KINDS } from "@assay/database/testing"

async function usageOf({ registry: { filesets } }: TestRegistry, name: string) {
  const fileset = await filesets.get("default", name)
  return (await filesets.usage([fileset])).get(fileset.id)
}
const write = ({ registry }: TestRegistry, fileset: string, path: string, text: string) =>
  registry.files.write("default", fileset, parseFilePath(path), bytesOf(text))

describe.each(DATABASE_KINDS)("the number of files and bytes of a fileset on %s", (kind) => {
  let test: TestRegistry
  beforeAll(async () => {
    test = await createTestRegistry(kind)
  })
  afterAll(() => test.remove())

  it("follows every change of its files on the default storage", verifies("filesets.usage"), async () => {
    const { filesets, files } = test.registry
    await filesets.create("default", { name: "rows" })
    expect(await usageOf(test, "rows")).toEqual({ files: 0, bytes: 0 })
    await Promise.all([write(test, "rows", "a", "123"), write(test, "rows", "b/c", "12345")])
    expect(await usageOf(test, "rows")).toEqual({ files: 2, bytes: 8 })
    await write(test, "rows", "a", "1")
    expect(await usageOf(test, "rows")).toEqual({ files: 2, bytes: 6 })
    await files.remove("default", "rows", parseFilePath("b/c"))
    expect(await usageOf(test, "rows")).toEqual({ files: 1, bytes: 1 })
    await filesets.remove("default", "rows")
    await filesets.create("default", { name: "rows" })
    expect(await usageOf(test, "rows")).toEqual({ files: 0, bytes: 0 })
  })

  it("counts the results that readers see, not those that are being written", async () => {
    const { stageResults } = test.registry
    const tables = await test.openTables()
    const fileset = { workspace: "default", name: "results", description: "", custom_fields: {} }
    let before = { files: 0, bytes: 0 }
    for (const text of ["first results", "2nd"]) {
      const staged = await stageResults({
        fileset,
        folder: `attempt-${text.length}`,
        whileHeld: (work) => tables.write(work),
        lost: () => new AssayError("runner_lost", "Another runner has the job."),
      })
      await staged.write(parseFilePath("results.json"), bytesOf(text), {})
      expect(await usageOf(test, "results")).toEqual(before)
      await tables.write((queries) => staged.publish(queries))
      before = { files: 1, bytes: text.length }
      expect(await usageOf(test, "results")).toEqual(before)
    }
  })
})

it("The number of files on an object store is that of the last complete listing, until a file changes", async () => {
  const test = await createBucketRegistry("sqlite")
  try {
    const { filesets, files } = test.registry
    await filesets.create("default", { name: "far" })
    await write(test, "far", "a", "123")
    expect(await usageOf(test, "far")).toBeUndefined()
    await files.list("default", "far", { path: "a" })
    expect(await usageOf(test, "far")).toBeUndefined()
    await files.list("default", "far", {})
    expect(await usageOf(test, "far")).toEqual({ files: 1, bytes: 3 })
    await files.remove("default", "far", parseFilePath("a"))
    expect(await usageOf(test, "far")).toBeUndefined()
  } finally {
    await test.remove()
  }
})
