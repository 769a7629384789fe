import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { numberedPrompts } from "../testing/measure.ts"
import { scriptedCandidate } from "../testing/scripted-candidate.ts"
import { calibrate } from "./calibrate.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-calibrate-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

async function* rows() {
  yield* numberedPrompts(3, 2)
}

const run = (
  candidate = scriptedCandidate("a", ({ prompt }) => ({ says: prompt.startsWith("safe") ? "safe" : "unsafe" })),
) =>
  calibrate({
    candidates: [candidate],
    rows: rows(),
    data: "five prompts",
    folder,
    junit: join(folder, "junit.xml"),
    writeFile: async (path, text) => writeFileSync(path, text),
    now: () => 0,
  })

describe("a calibration on this machine", () => {
  it("writes its reports and returns their paths", async () => {
    const { report, files } = await run()
    expect(report).toMatchObject({ data: "five prompts", asked: 5, reused: 0 })
    expect(files).toEqual(["report.json", "report.html", "junit.xml"].map((name) => join(folder, name)))
    expect(JSON.parse(readFileSync(files[0] ?? "", "utf8"))).toEqual(report)
  })

  it("takes its answers from the journal when it runs again", verifies("calibrate.resumable"), async () => {
    await run()
    const again = scriptedCandidate("a", () => ({ says: "safe" }))
    expect((await run(again)).report).toMatchObject({ asked: 0, reused: 5 })
    expect(again.asked).toEqual([])
  })
})
