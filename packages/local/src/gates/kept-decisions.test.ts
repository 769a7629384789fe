import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { keptDecisions } from "./kept-decisions.ts"

it("decisions about results follow their folders when both are moved, and end with other results", async () => {
  const root = await mkdtemp(join(tmpdir(), "assay-decisions-"))
  try {
    const folder = join(root, "a", "after")
    const against = { results: join(root, "a", "before"), job: "eval-1", margin: 0.02, allow_changed: false }
    await keptDecisions.keep(folder, { gates: ["qa.m.s>= 0.8"], against })
    expect(JSON.parse(await readFile(join(folder, "results", "decisions.json"), "utf8"))).toMatchObject({
      against: { results: "./../before" },
    })
    await rename(join(root, "a"), join(root, "b"))
    const moved = join(root, "b", "after")
    expect(await keptDecisions.read(moved)).toEqual({
      gates: ["qa.m.s>= 0.8"],
      against: { ...against, results: join(root, "b", "before") },
    })
    await writeFile(join(moved, "results", "decisions.json"), '{"against":1}')
    await expect(keptDecisions.read(moved)).rejects.toMatchObject({ code: "bad_document" })
    await keptDecisions.keep(moved, {})
    expect(await keptDecisions.read(moved)).toEqual({})
  } finally {
    await rm(root, { recursive: true })
  }
})
