import { spawnSync } from "node:child_process"
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { platform } from "node:process"
import type { EvaluationRow } from "@assay/schemas"
import * as fc from "fast-check"
import { verifies, watchSyncs } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openFileJournal } from "./open-file-journal.ts"

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "journal-"))
  path = join(folder, "new", "rows.jsonl")
})
afterEach(() => rmSync(folder, { recursive: true }))

const row = (index: number, text = "ünsafe 😀"): EvaluationRow => ({
  task: "qa",
  row_index: index,
  repeat: 0,
  attempt: 1,
  item: { text },
  sample: null,
  scores: {},
  error: null,
})

async function readAll(): Promise<readonly EvaluationRow[]> {
  const journal = await openFileJournal(path)
  const rows = (await Array.fromAsync(journal.read())).flat()
  await journal.close()
  return rows
}

describe("a journal in a file", () => {
  it(
    "refuses a named pipe at once instead of waiting for its other end",
    verifies("files.open.regular-only"),
    async () => {
      mkdirSync(dirname(path))
      expect(spawnSync("mkfifo", [path]).status).toBe(0)
      await expect(openFileJournal(path)).rejects.toMatchObject({
        code: "local_file_failed",
        message: expect.stringContaining("not a regular file"),
      })
    },
  )

  it("returns the rows that were appended, in order", async () => {
    const journal = await openFileJournal(path)
    const rows = Array.from({ length: 3000 }, (_, index) => row(index, "x".repeat(index)))
    for (const one of rows.slice(0, 2000)) journal.append(one)
    expect((await Array.fromAsync(journal.read())).flat()).toEqual(rows.slice(0, 2000))
    for (const one of rows.slice(2000)) journal.append(one)
    await journal.close()
    expect(await readAll()).toEqual(rows)
  })

  it("streams the bytes of its file, which only its owner can read", async () => {
    const journal = await openFileJournal(path)
    journal.append(row(0))
    journal.append(row(1))
    const bytes = Buffer.concat(await Array.fromAsync(journal.bytes()))
    await journal.close()
    expect(bytes.equals(readFileSync(path))).toBe(true)
    expect(bytes.toString().trimEnd().split("\n")).toHaveLength(2)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it("writes its lines to the file within moments without a flush", async () => {
    const journal = await openFileJournal(path)
    journal.append(row(0))
    await expect.poll(() => readFileSync(path, "utf8")).toContain("😀")
    await journal.close()
  })

  it("skips a broken line, and a last line that was cut off by a crash", async () => {
    const journal = await openFileJournal(path)
    for (let index = 0; index < 4; index++) journal.append(row(index))
    await journal.close()
    const lines = readFileSync(path, "utf8").split("\n")
    writeFileSync(path, [lines[0], lines[1]?.slice(0, 60), "[1]", ...lines.slice(2)].join("\n"))
    appendFileSync(path, lines[0] ?? "")
    const again = await openFileJournal(path)
    again.append(row(7))
    await again.close()
    expect((await readAll()).map(({ row_index }) => row_index)).toEqual([0, 2, 3, 7])
  })

  it("that was cut at any byte keeps every line before the cut and accepts new ones", async () => {
    const journal = await openFileJournal(path)
    for (let index = 0; index < 20; index++) journal.append(row(index, "é".repeat(index * 9)))
    await journal.close()
    const whole = readFileSync(path)
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), async (cut) => {
        writeFileSync(path, whole)
        truncateSync(path, cut)
        const left = whole.subarray(0, cut).filter((byte) => byte === 10).length
        const again = await openFileJournal(path, { sync: false })
        again.append(row(99))
        await again.close()
        const found = (await readAll()).map(({ row_index }) => row_index)
        expect(found).toEqual([...Array.from({ length: left }, (_, index) => index), 99])
      }),
      { numRuns: 40 },
    )
  })

  it.runIf(platform === "linux")("waits until the disk has the names of its file and of a new folder", async () => {
    const syncs = await watchSyncs()
    await (await openFileJournal(path)).close()
    expect(syncs.paths()).toEqual(expect.arrayContaining([folder, dirname(path)]))
  })

  it("names the file that can't be used", async () => {
    await expect(openFileJournal(folder)).rejects.toMatchObject({ code: "local_file_failed" })
    await expect(openFileJournal(folder)).rejects.toThrow(folder)
  })
})
