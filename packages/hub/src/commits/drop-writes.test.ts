import { parseFilePath } from "@assay/storage"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { dropWrites, type WriteLine } from "./drop-writes.ts"
import { orderPaths } from "./path-order.ts"

const anyPath = fc
  .array(fc.constantFrom("a", "b", "a.", "!", "ab", "é"), { minLength: 1, maxLength: 4 })
  .map((names) => names.join("/"))

describe("orderPaths", () => {
  it("finds the same paths below a folder, and on the way to a path, as a linear search", () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyPath), anyPath, (paths, asked) => {
        const order = orderPaths(paths, (path) => path)
        expect(order.items.slice(...order.below(asked)).toSorted()).toEqual(
          paths.filter((path) => path.startsWith(`${asked}/`)).toSorted(),
        )
        const files = paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`)))
        if (files.includes(asked)) return
        expect(orderPaths(files, (path) => path).onTheWayTo(asked)).toBe(
          files.find((path) => asked.startsWith(`${path}/`)),
        )
      }),
    )
  })
})

describe("dropWrites", () => {
  it("has the same result as processing the lines one by one", () => {
    const anyLine = fc.record({ isWrite: fc.boolean(), path: anyPath })
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 20 }), (lines) => {
        const expected = new Map<string, string>()
        const written: WriteLine[] = []
        const last = new Map<string, WriteLine>()
        const folders = new Map<string, number>()
        for (const [line, { isWrite, path }] of lines.entries()) {
          if (isWrite) {
            const write = { path: parseFilePath(path), sha256: String(line), line }
            written.push(write)
            last.set(path, write)
            expected.set(path, write.sha256)
          } else {
            folders.set(`${path}/`, line)
            for (const known of expected.keys()) if (known.startsWith(`${path}/`)) expected.delete(known)
          }
        }
        const kept = dropWrites(written, last, folders)
        expect(Object.fromEntries(kept.writes)).toEqual(Object.fromEntries(expected))
        for (const [folder, deletedAt] of folders) {
          const isWritten = written.some(({ path, line }) => line < deletedAt && path.startsWith(folder))
          expect(kept.folders.get(folder)).toBe(!isWritten)
        }
      }),
    )
  })

  it("visits each line a few times, however many folders are deleted", () => {
    const count = 2000
    let looks = 0
    const lines = Array.from({ length: count }, (_, line): WriteLine => ({
      get path() {
        looks++
        return parseFilePath(`d${line}/f`)
      },
      sha256: String(line),
      line,
    }))
    const last = new Map(lines.map((line, at) => [`d${at}/f`, line]))
    const folders = new Map(lines.map((_, at) => [`d${at}/`, count + at]))
    expect(dropWrites(lines, last, folders).writes.size).toBe(0)
    // Visiting all lines for each folder would take 4,000,000 steps.
    expect(looks).toBeLessThan(count * 10)
  })
})
