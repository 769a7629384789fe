import { verifies } from "@assay/testkit/verifies"
import { describe, expect, it } from "vitest"
import { parseGate } from "./score-gates.ts"

describe("parseGate", () => {
  it.each([
    ["a.b.c>=0.8", { name: "a.b.c", limit: { atLeast: 0.8 } }],
    [" my task.metric.score <= 1e-3 ", { name: "my task.metric.score", limit: { atMost: 0.001 } }],
    ["a.b.c corrected by people >= 0.8", { name: "a.b.c", limit: { atLeast: 0.8 }, isCorrected: true }],
    ["a.b.c >= -.5", { name: "a.b.c", limit: { atLeast: -0.5 } }],
  ])("reads %j", verifies("cli.eval.gates"), (text, gate) => expect(parseGate(text)).toEqual(gate))

  it.each(["", "a.b.c", ">=1", "a.b.c>=", "a.b.c>=high", "a.b.c=0.8", "a.b.c>0.8"])(
    "refuses %j and shows the right form",
    (text) =>
      expect(() => parseGate(text)).toThrow(
        expect.objectContaining({ code: "bad_usage", message: expect.stringContaining("task.metric.score>=0.8") }),
      ),
  )
})
