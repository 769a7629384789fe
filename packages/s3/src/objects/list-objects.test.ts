import { compareCodePoints, type FilePath, type StoredFile } from "@assay/storage"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { listObjects, type ObjectQuery, type WalkFiles } from "./list-objects.ts"

const fileOf = (path: string): StoredFile => ({
  path: path as FilePath,
  size: 1,
  etag: null,
  sha256: null,
  updatedAt: null,
})

/** Reads files as a storage does, and counts those that it yields. */
function walkOf(paths: readonly string[], counted = { files: 0 }): WalkFiles {
  const sorted = paths.toSorted(compareCodePoints)
  return async function* walk({ prefix = "", after = "" }) {
    for (const path of sorted) {
      const isBelow = prefix === "" || path.startsWith(prefix)
      if (!isBelow || compareCodePoints(path, after) <= 0) continue
      counted.files += 1
      yield fileOf(path)
    }
  }
}

/** Returns what S3 lists, by its description: files and groups in one order. */
function expected(paths: readonly string[], { prefix, delimiter, after }: ObjectQuery): readonly string[] {
  const found = new Set<string>()
  for (const path of paths.toSorted(compareCodePoints)) {
    const at = delimiter === "" ? -1 : path.indexOf(delimiter, prefix.length)
    const entry = at < 0 ? path : path.slice(0, at + delimiter.length)
    if (path.startsWith(prefix) && compareCodePoints(path, after) > 0 && entry !== after) found.add(entry)
  }
  return [...found]
}

const name = fc.string({
  unit: fc.constantFrom("a", "b", "-", "/", "\uffee", "\u{1f600}", "\u{10ffff}"),
  minLength: 1,
  maxLength: 6,
})
const isPath = (text: string) => text.split("/").every((segment) => segment !== "")
const paths = fc.uniqueArray(name.filter(isPath), { maxLength: 30 })

describe("a listing of objects", () => {
  it("has the files and groups of any prefix, delimiter, start and page size, each once and in order", async () => {
    const query = fc.record({
      prefix: fc.oneof(fc.constant(""), name),
      delimiter: fc.constantFrom("", "/", "a", "-b"),
      after: fc.oneof(fc.constant(""), name),
      limit: fc.integer({ min: 1, max: 5 }),
    })
    await fc.assert(
      fc.asyncProperty(paths, query, async (all, asked) => {
        const found: string[] = []
        let after: string | undefined = asked.after
        while (after !== undefined) {
          const page = await listObjects(walkOf(all), { ...asked, after })
          const entries = [...page.files.map(({ path }) => path), ...page.groups].toSorted(compareCodePoints)
          expect(entries.length).toBeLessThanOrEqual(asked.limit)
          found.push(...entries)
          after = page.next
        }
        const folder = asked.prefix.slice(0, asked.prefix.lastIndexOf("/"))
        expect(found).toEqual(folder === "" && asked.prefix.startsWith("/") ? [] : expected(all, asked))
      }),
      { numRuns: 1000 },
    )
  })

  it("reads little of a large group", async () => {
    const all = Array.from({ length: 5 }, (_, folder) =>
      Array.from({ length: 5000 }, (__, at) => `${folder}/${at}`),
    ).flat()
    const counted = { files: 0 }
    const page = await listObjects(walkOf(all, counted), { prefix: "", delimiter: "/", after: "", limit: 1000 })
    expect(page.groups).toEqual(["0/", "1/", "2/", "3/", "4/"])
    expect(counted.files).toBeLessThan(3000)
  })

  it("of a prefix that no path can have is empty", async () => {
    for (const prefix of ["../", "a//b", "/", "a/../"]) {
      const page = await listObjects(walkOf(["a/b"]), { prefix, delimiter: "", after: "", limit: 10 })
      expect(page).toEqual({ files: [], groups: [], next: undefined })
    }
  })
})
