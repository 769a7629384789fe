import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { createProgressReporter } from "./evaluations/progress-reporter.ts"
import { createProgressLine } from "./progress-line.ts"
import { createTransferReporter } from "./transfers/transfer-reporter.ts"

/** A terminal that obeys it copies `boo` to the clipboard. */
const OSC_52 = "\u001B]52;c;Ym9v\u0007"
const SHOWN = "⟨U+001B⟩]52;c;Ym9v⟨U+0007⟩"

describe("text on a screen", () => {
  function open() {
    const written: string[] = []
    let time = 0
    const stderr = { write: (text: string) => written.push(text) }
    const screen = { stderr, stdout: stderr, isTerminal: { stderr: true }, columns: () => 80, now: () => (time += 200) }
    return { screen, written }
  }

  it("shows escape sequences instead of obeying them", verifies("cli.output.controls"), () => {
    const { screen, written } = open()
    createProgressLine(screen, (text: string) => text).show(OSC_52)
    createProgressReporter(screen, {}).say(OSC_52)
    const transfer = createTransferReporter(screen, { json: false, dryRun: true, locationOf: (path) => path })
    const row = { row_index: 0, line: 1, offset: 0, pointer: OSC_52, message: OSC_52 }
    transfer.onAction("new", OSC_52)
    transfer.onTrouble("failed", OSC_52, OSC_52, [])
    transfer.onTrouble("failed", OSC_52, "rows", [row])
    expect(written).toEqual([
      `\r\u001B[K${SHOWN}`,
      `${SHOWN}\n`,
      `new      ${SHOWN}\n`,
      `refused  ${SHOWN}: ${SHOWN}\n`,
      `refused  ${SHOWN}:1:0 ${SHOWN} ${SHOWN}\n`,
    ])
  })

  it("is written only through screen.ts and the progress line", verifies("cli.output.controls"), () => {
    const root = fileURLToPath(new URL("..", import.meta.url))
    const sources = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
      (path) => path.endsWith(".ts") && !path.endsWith(".test.ts"),
    )
    expect(sources.length).toBeGreaterThan(25)
    const direct = sources.filter((path) => /\.write\(/.test(readFileSync(join(root, path), "utf8")))
    expect(direct.toSorted()).toEqual([join("terminal", "progress-line.ts"), join("terminal", "screen.ts")])
  })
})
