import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { createProgressLine } from "./progress-line.ts"

describe("a progress line", () => {
  function draw(isTerminal: boolean): string[] {
    const written: string[] = []
    let time = 0
    const stderr = { write: (text: string) => written.push(text) }
    const screen = { stderr, isTerminal: { stderr: isTerminal }, columns: () => 20, now: () => (time += 60) }
    const line = createProgressLine(screen, (files: number) => `${files} of 100 files  1.0 MiB of 2.0 MiB`)
    for (let at = 0; at < 4; at += 1) line.show(50)
    line.clear()
    return written
  }

  it("is drawn at intervals on a terminal, fits its width, and is removed", verifies("cli.progress"), () => {
    expect(draw(true)).toEqual(["\r\u001B[K50 of 100 files…", "\r\u001B[K50 of 100 files…", "\r\u001B[K"])
  })

  it("prints nothing without a terminal", verifies("cli.progress"), () => expect(draw(false)).toEqual([]))
})
