import { describe, expect, it } from "vitest"
import { createTransferReporter, type TransferReporterOptions } from "./transfer-reporter.ts"

function open(options: Partial<TransferReporterOptions> = {}) {
  const written = { stdout: "", stderr: "" }
  const stream = (name: keyof typeof written) => ({ write: (text: string) => (written[name] += text) })
  const screen = { isTerminal: { stderr: false }, columns: () => 80, now: () => 0 }
  const reporter = createTransferReporter(
    { ...screen, stdout: stream("stdout"), stderr: stream("stderr") },
    { json: false, dryRun: false, locationOf: (path) => `./here/${path}`, ...options },
  )
  return { reporter, written }
}

describe("the reporter of a transfer", () => {
  it("lists the first 20 problems of a kind and says that more are counted", () => {
    const { reporter, written } = open()
    for (let file = 1; file <= 25; file += 1) reporter.onTrouble("failed", `${file}.csv`, "is gone", [])
    const lines = written.stderr.trimEnd().split("\n")
    expect(lines).toHaveLength(20)
    expect(lines[0]).toBe("failed  1.csv: is gone")
    expect(lines.at(-1)).toBe("failed  20.csv: is gone (more are counted, not listed)")
  })

  it("lists the rows because of which a dry run refuses a file", () => {
    const { reporter, written } = open({ dryRun: true })
    const row = { row_index: 0, line: 2, offset: 9, pointer: "/id", message: "is required" }
    reporter.onTrouble("failed", "a.csv", "invalid rows", [row])
    expect(written.stderr).toBe("refused  ./here/a.csv:2:9 /id is required\n")
  })

  it("prints the actions of a dry run, or keeps them for JSON", () => {
    const [text, json] = [open({ dryRun: true }), open({ dryRun: true, json: true })]
    for (const { reporter } of [text, json]) reporter.onAction("changed", "a\u001B.csv")
    expect(text.written.stdout).toBe("changed  a⟨U+001B⟩.csv\n")
    expect(json.written.stdout).toBe("")
    expect(json.reporter.actions).toEqual([{ action: "changed", path: "a\u001B.csv" }])
  })
})
