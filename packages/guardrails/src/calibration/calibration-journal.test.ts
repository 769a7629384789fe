import { spawnSync } from "node:child_process"
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { measure, numberedPrompts } from "../testing/measure.ts"
import { scriptedCandidate } from "../testing/scripted-candidate.ts"
import { openFileJournal } from "./calibration-journal.ts"
import { reportCalibration } from "./report/report-calibration.ts"

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "journal-"))
  path = join(folder, "answers.jsonl")
})
afterEach(() => rmSync(folder, { recursive: true }))

const rows = numberedPrompts(30, 30)
const candidate = (digest = "one") =>
  scriptedCandidate(
    "a",
    ({ prompt }) => ({
      says: prompt === "safe 3" || prompt.startsWith("unsafe") ? "unsafe" : "safe",
      raw: `ünsafe 😀 ${prompt}`,
    }),
    { digest },
  )

async function runWith(judge: ReturnType<typeof candidate>, options: Parameters<typeof measure>[2] = {}) {
  const journal = await openFileJournal(path)
  try {
    return await measure([judge], rows, { journal, parallelism: 4, ...options })
  } finally {
    await journal.close()
  }
}

describe("a journal in a file", () => {
  it("refuses a pipe without waiting for it", verifies("files.open.regular-only"), async () => {
    expect(spawnSync("mkfifo", [path]).status).toBe(0)
    await expect(openFileJournal(path)).rejects.toMatchObject({
      code: "local_file_failed",
      message: expect.stringContaining("not a regular file"),
    })
  })

  it("lets an interrupted calibration continue without asking again", verifies("calibrate.resumable"), async () => {
    const stop = new AbortController()
    const onProgress = ({ asked }: { asked: number }) => {
      if (asked === 20) stop.abort(new Error("interrupted"))
    }
    const before = candidate()
    await expect(runWith(before, { signal: stop.signal, onProgress })).rejects.toThrow("interrupted")
    const kept = readFileSync(path, "utf8").trim().split("\n").length
    const after = candidate()
    const resumed = await runWith(after)
    expect(kept).toBeGreaterThanOrEqual(20)
    expect(resumed).toMatchObject({ reused: kept, asked: 60 - kept })
    expect(after.asked).toHaveLength(60 - kept)

    const whole = await measure([candidate()], rows)
    const [a, b] = [resumed, whole].map((run) => reportCalibration(run, { data: "rows" }))
    expect(a?.judges).toEqual(b?.judges)
    expect(a?.judges[0]?.blocked_safe[0]?.raw).toBe("ünsafe 😀 safe 3")
  })

  it("does not reuse answers of a candidate whose configuration has changed", async () => {
    await runWith(candidate("one"))
    const same = candidate("one")
    const other = candidate("two")
    await runWith(same)
    await runWith(other)
    expect([same.asked.length, other.asked.length]).toEqual([0, 60])
  })

  it("drops a last line that was cut, skips a damaged line, and stays usable", async () => {
    await runWith(candidate())
    const lines = readFileSync(path, "utf8").split("\n")
    writeFileSync(path, [lines[0], lines[1]?.slice(0, 60), ...lines.slice(2)].join("\n"))
    appendFileSync(path, '{"key":"torn')
    const again = candidate()
    await runWith(again)
    expect(again.asked).toHaveLength(1)
    const third = candidate()
    await runWith(third)
    expect(third.asked).toEqual([])
  })

  it("does not keep failed requests, so that they are asked again", async () => {
    let fails = true
    const flaky = scriptedCandidate("a", ({ prompt }) =>
      fails && prompt === "safe 0" ? { error: "request_timeout" } : { says: "safe" },
    )
    await runWith(flaky)
    fails = false
    const { asked, judges } = await runWith(flaky)
    expect(asked).toBe(1)
    expect([...(judges[0]?.errors ?? [])]).toEqual([])
  })

  it("names the file that can't be used", async () => {
    await expect(openFileJournal(folder)).rejects.toMatchObject({ code: "local_file_failed" })
    await expect(openFileJournal(folder)).rejects.toThrow(folder)
  })
})
