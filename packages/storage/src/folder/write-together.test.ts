import { mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sweepCalls } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { writeTogether } from "./write-together.ts"

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "together-"))
})
afterEach(() => rmSync(root, { recursive: true }))

const at = (name: string) => join(root, name)
const FILES = ["certificate.json", "certified.json"]
const read = () => FILES.map((name) => readFileSync(at(name), "utf8"))

describe("files that belong together", () => {
  it("are written, created and removed, also behind links", async () => {
    for (const name of ["real", "gone"]) writeFileSync(at(name), "old")
    symlinkSync(at("real"), at("link"))
    await writeTogether([
      { path: at("link"), text: "new" },
      { path: at("folder/created"), text: "made" },
      { path: at("gone"), text: null },
      { path: at("missing"), text: null },
    ])
    expect(readdirSync(root, { recursive: true }).map(String).toSorted()).toEqual([
      "folder",
      "folder/created",
      "link",
      "real",
    ])
    expect(readFileSync(at("real"), "utf8")).toBe("new")
  })

  it.each([
    ["writeFile", "ENOSPC", "new"],
    ["rename", "EIO", "new"],
    ["rename", "EIO", null],
  ] as const)("all stay as they were if %s fails with %s and the second becomes %s", async (call, code, text) => {
    const prepare = async () => {
      for (const name of FILES) writeFileSync(at(name), "old")
      const files = FILES.map((name, index) => ({ path: at(name), text: index === 1 ? text : "new" }))
      return { read: async () => read(), run: () => writeTogether(files) }
    }
    const check = (error: unknown, before: unknown, after: unknown) => {
      expect(error).toMatchObject({ name: "AssayError" })
      expect([after, readdirSync(root)]).toEqual([before, FILES])
    }
    expect(await sweepCalls({ call, code, prepare, check })).toBeGreaterThan(0)
  })
})
