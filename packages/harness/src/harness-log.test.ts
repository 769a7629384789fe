import { expect, it } from "vitest"
import { createHarnessLog, createLineSplitter } from "./harness-log.ts"

it("bytes in any pieces are split into lines without colours and blank lines", () => {
  const lines: string[] = []
  const splitter = createLineSplitter((line) => lines.push(line))
  const bytes = Buffer.from("\u001b[31mred\u001b[0m\r\n\n50%\r100%\nä long one…\nlast")
  for (const byte of bytes) splitter.write(Uint8Array.of(byte))
  splitter.end()
  expect(lines).toEqual(["red", "50%", "100%", "ä long one…", "last"])
})

it("a line that never ends is cut at 16,384 characters, and no more is kept in memory", () => {
  const lengths: number[] = []
  const splitter = createLineSplitter((line) => lengths.push(line.length))
  for (let count = 0; count < 10; count += 1) splitter.write(Buffer.alloc(10_000, "x"))
  splitter.end()
  expect(Math.max(...lengths)).toBe(16_384)
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(100_000)
})

it("the log of a harness keeps a limited number of characters, says once that the rest is not kept, and still finds conditions in it", () => {
  const [kept, looked]: [string[], string[]] = [[], []]
  const log = createHarnessLog({
    secrets: ["pass-word"],
    onLog: ({ message }) => kept.push(message),
    findings: { addLogLine: (line) => void looked.push(line) },
    maxCharacters: 20,
  })
  for (const line of ["the pass-word", "12345678901", "1234", "more"]) log.add(line)
  expect(kept).toEqual(["the ***", "12345678901", "The harness wrote more than 20 characters; the rest is not kept."])
  expect(looked).toHaveLength(4)
  expect(log.last()).toEqual(["the ***", "12345678901", "1234", "more"])
})
