import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import type { FilePath } from "@assay/storage"
import { expect, it } from "vitest"
import { createPieceCutter, PIECE_SIZES } from "./cut-pieces.ts"

const MIB = 2 ** 20
const PAGES = 60

/** Yields paths that are slices of pages of a listing, as an object store sends them. */
function* slicedPaths(): Generator<FilePath, void, undefined> {
  for (let page = 0; page < PAGES; page += 1) {
    const folder = `folder-${String(page).padStart(4, "0")}`
    const names = Array.from({ length: 10 }, (_, index) => `${folder}/with-a-long-name/${index}`)
    const text = `<Key>${names.join("</Key><Key>")}</Key>`.padEnd(MIB, "-")
    let at = 0
    for (const { length } of names) {
      const start = text.indexOf("<Key>", at) + "<Key>".length
      at = start + length
      yield text.slice(start, at) as FilePath
    }
  }
}

it("a list of pieces does not keep the pages of a listing in memory", () => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  const cutter = createPieceCutter({ ...PIECE_SIZES, maxFiles: 15 })
  collect()
  const before = process.memoryUsage().heapUsed
  for (const path of slicedPaths()) cutter.add({ path, size: 1, version: "1", sha256: null })
  cutter.end()
  collect()
  expect(cutter.pieces.length).toBe(40)
  expect(cutter.pieces.some(({ ended }) => ended.length > 0)).toBe(true)
  expect((process.memoryUsage().heapUsed - before) / MIB).toBeLessThan(10)
})
