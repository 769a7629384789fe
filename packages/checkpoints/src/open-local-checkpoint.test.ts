import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { openLocalCheckpoint } from "./open-local-checkpoint.ts"

const folder = mkdtempSync(join(tmpdir(), "assay-local-"))
writeFileSync(join(folder, "model.gguf"), "")
afterAll(() => rmSync(folder, { recursive: true }))

describe("a checkpoint on this machine", () => {
  it("has the name of its folder", () => {
    expect(openLocalCheckpoint(folder).names).toEqual([basename(folder)])
  })

  it("is never a file", () => {
    const code = "path_conflict"
    expect(() => openLocalCheckpoint(join(folder, "model.gguf"))).toThrow(expect.objectContaining({ code }))
  })
})
