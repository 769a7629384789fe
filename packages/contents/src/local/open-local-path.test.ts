import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseFilePath } from "@assay/storage"
import { afterAll, describe, expect, it } from "vitest"
import { openLocalRows } from "./open-local-path.ts"

const folder = mkdtempSync(join(tmpdir(), "assay-local-"))
writeFileSync(join(folder, "a.csv"), "id\n1\n")
afterAll(() => rmSync(folder, { recursive: true }))

describe("a path with rows on this machine", () => {
  it("is a folder whose files are named as the user writes them", () => {
    const { path, nameOf } = openLocalRows(folder, "./reviews//")
    expect([path, nameOf("a.csv")]).toEqual([undefined, "./reviews/a.csv"])
  })

  it("is a file, which is found in the storage of its folder", async () => {
    const { storage, path = "", nameOf } = openLocalRows(join(folder, "a.csv"), "./reviews/a.csv")
    expect([path, nameOf(path)]).toEqual(["a.csv", "./reviews/a.csv"])
    expect(await storage.stat(parseFilePath(path))).toMatchObject({ size: 5 })
  })

  it("that does not exist is refused", () => {
    expect(() => openLocalRows(join(folder, "none"), "./none")).toThrow(expect.objectContaining({ code: "not_found" }))
  })
})
