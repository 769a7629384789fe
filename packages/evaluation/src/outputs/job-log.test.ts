import { verifies } from "@assay/testkit/verifies"
import { expect, it } from "vitest"
import { jobLog } from "./job-log.ts"

it("The log of a job shows control characters of messages as escapes", verifies("results.logs.controls"), async () => {
  const message = "the model said \u001B]52;c;Ym9v\u0007\u009B2J\u202E\r\nnext\rline"
  const event = {
    kind: "log",
    data: { level: "warn", message },
    seq: 1,
    created_at: "2026-11-22T10:00:00.000Z",
  } as const
  const jobs = {
    get: () => Promise.reject(new Error("The job is not asked for.")),
    listEvents: async (_id: string, after: number) => (after === 0 ? [event] : []),
  }
  const { signal } = new AbortController()
  let text = ""
  for await (const lines of jobLog(jobs, "job", { tail: undefined, isFollowed: false, signal })) text += lines
  expect(text).toBe(
    "2026-11-22T10:00:00.000Z WARN  the model said \\u{1b}]52;c;Ym9v\\u{7}\\u{9b}2J\\u{202e}\n    next\\u{d}line\n",
  )
})
