import type { AuditRecord } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { formatTime } from "../text/format-time.ts"
import { formatTable, type Column } from "./format-table.ts"
import { formatAudit } from "./format-listings.ts"
import { paint } from "./tone.ts"

interface Job {
  readonly id: string
  readonly status: string
  readonly workspace: string
  readonly config: string
  readonly created: string
}

const NOW = Date.parse("2026-11-20T12:00:00Z")
const JOB: Job = {
  id: "eval-3QJmnh8Y1kGqvS4cQKFJ2b",
  status: "COMPLETED",
  workspace: "a-workspace-with-a-long-name",
  config: "questions-about-capitals-of-europe-with-few-shot-examples-v17",
  created: "2026-11-20T09:30:00.123Z",
}
const COLUMNS: readonly Column<Job>[] = [
  { heading: "JOB", value: ({ id }) => id },
  { heading: "STATUS", cut: "nothing", value: ({ status }) => status },
  { heading: "WORKSPACE", drop: 1, cut: "middle", value: ({ workspace }) => workspace },
  { heading: "CONFIG", cut: "middle", value: ({ config }) => config },
  { heading: "CREATED", cut: "nothing", value: ({ created }) => formatTime(created, NOW) },
]
const lines = (width: number) =>
  paint(formatTable([JOB], COLUMNS, { width }), false)
    .trimEnd()
    .split("\n")

describe("a table of 80 columns", () => {
  it(
    "leaves columns out before names lose their middle, and keeps statuses whole",
    verifies("cli.terminal.names"),
    () => {
      const [heading = "", row = ""] = lines(80)
      expect(row.length).toBeLessThanOrEqual(80)
      expect(heading).not.toContain("WORKSPACE")
      expect(row).toMatch(/^eval-3QJmnh8Y1kGqvS4cQKFJ2b  COMPLETED  questions-a\S*…\S*amples-v17  2 h ago$/)
    },
  )

  it("shows everything if there is room", () => {
    expect(lines(200)[1]).toMatch(/COMPLETED  a-workspace-with-a-long-name  questions\S+v17  2 h ago$/)
  })
})

it("A list of the audit shows whole actions in 80 columns", verifies("cli.terminal.names"), () => {
  const record = {
    created_at: "2026-11-20T09:30:00Z",
    token_name: "a-person-with-a-long-name@company.example",
    door: "api",
    address: "2001:db8::1",
    action: "deleteGuardrailConfig",
    status: 200,
    count: 1,
    workspace: "a-workspace-with-a-long-name",
    name: "strict",
  } as AuditRecord
  const [, row = ""] = paint(formatAudit([record], { width: 80, now: NOW }), false).split("\n")
  expect(row).toMatch(/^2 h ago  a-person\S*…\S*example  deleteGuardrailConfig  200 +1  strict$/)
  expect(row.length).toBeLessThanOrEqual(80)
})

it.each([
  ["2026-11-20T11:59:30Z", "just now"],
  ["2026-11-20T12:00:30Z", "just now"],
  ["2026-11-20T11:47:00Z", "13 min ago"],
  ["2026-11-19T12:30:00Z", "23 h ago"],
  ["2026-11-01T12:00:00Z", "19 d ago"],
  ["2026-09-01T12:00:00Z", "2026-09-01"],
  ["2027-01-01T12:00:00Z", "2027-01-01"],
  ["yesterday", "yesterday"],
])("the time %s is shown as %s", (time, shown) => {
  expect(formatTime(time, NOW)).toBe(shown)
  expect(formatTime(time, undefined)).toBe(time)
})
