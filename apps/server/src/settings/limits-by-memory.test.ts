import { totalmem } from "node:os"
import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { harnessLimitsOf, maxOutgoingBytes } from "./limits-by-memory.ts"
import { loadSettings } from "./load-settings.ts"

const settingsOf = (env: Record<string, string>) => loadSettings({ env, cwd: import.meta.dirname }).settings

it("Limits that the operator does not set depend on the memory", verifies("harness.limits", "limits.outgoing"), () => {
  const settings = settingsOf({})
  const { memory = 0, cpu, ...rest } = harnessLimitsOf(settings)
  expect(rest).toEqual({ disk: 34_359_738_368, processes: 4096 })
  expect(cpu).toBeUndefined()
  expect(memory).toBeGreaterThan(0)
  expect(memory).toBeLessThanOrEqual(totalmem() / 2)
  expect(maxOutgoingBytes(settings)).toBeGreaterThanOrEqual(268_435_456)
  expect(maxOutgoingBytes(settings)).toBeLessThanOrEqual(Math.max(268_435_456, totalmem() / 4))
})

it(
  "Limits that the operator sets replace the defaults one by one",
  verifies("harness.limits", "limits.outgoing"),
  () => {
    const settings = settingsOf({
      ASSAY_HARNESS_LIMITS: '{"memory":1073741824,"cpu":60}',
      ASSAY_MAX_OUTGOING_BYTES: "2000000",
    })
    expect(harnessLimitsOf(settings)).toEqual({ memory: 1_073_741_824, cpu: 60, disk: 34_359_738_368, processes: 4096 })
    expect(maxOutgoingBytes(settings)).toBe(2_000_000)
    expect(() => settingsOf({ ASSAY_HARNESS_LIMITS: '{"memori":1}' })).toThrow("ASSAY_HARNESS_LIMITS")
  },
)
