import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

/** Appends rows until there is no room, then flushes, and prints the result of each call. */
const OVERFILL = `
  const { openFileJournal } = await import(process.argv[1])
  const journal = await openFileJournal(process.argv[2], { keepsFacts: true })
  const row = (index) => ({ task: "qa", row_index: index, repeat: 0, attempt: 1, item: { text: "x".repeat(900) }, sample: null, scores: {}, error: null })
  const codes = new Set()
  let safe = -1
  for (let index = 0; index < 300; index++) {
    try {
      journal.append(row(index))
      if (index % 10 === 9) await journal.flush().then(() => (safe = index))
    } catch (error) { codes.add(error.code) }
  }
  const counted = (await Array.fromAsync(journal.readFacts([]))).flat().length
  const codeOfClose = await journal.close().then(() => "closed", (error) => error.code)
  console.log(JSON.stringify({ codes: [...codes], codeOfClose, safe, counted }))
`

it("a journal on a full disk fails with disk_full and contains every flushed row whole", () => {
  const folder = mkdtempSync(join(tmpdir(), "journal-"))
  try {
    const path = join(folder, "rows.jsonl")
    const source = fileURLToPath(new URL("open-file-journal.ts", import.meta.url))
    const script = [process.execPath, "--input-type=module", "--eval", OVERFILL, source, path]
    // The unit is 512 bytes in some shells and 1,024 bytes in others.
    const { stdout } = spawnSync("sh", ["-c", 'ulimit -f 200 && exec "$@"', "sh", ...script], { encoding: "utf8" })
    const { codes, codeOfClose, safe, counted } = JSON.parse(stdout) as Record<"safe" | "counted", number> & {
      readonly codes: readonly string[]
      readonly codeOfClose: string
    }
    expect([codes, codeOfClose]).toEqual([["disk_full"], "disk_full"])
    const text = readFileSync(path, "utf8")
    expect(text.endsWith("}\n")).toBe(true)
    const kept = text
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { row_index: number }).row_index)
    expect(safe).toBeGreaterThan(50)
    // Rows that were appended and not written are not counted.
    expect(counted).toBe(kept.length)
    expect(kept.slice(0, safe + 1)).toEqual([...Array(safe + 1).keys()])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
