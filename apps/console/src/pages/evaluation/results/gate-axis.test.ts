import { describe, expect, it } from "vitest"
import { gateAxis } from "./gate-axis.ts"

const CONFIG = {
  tasks: {
    answers: {
      metrics: {
        tone: { type: "llm-judge", params: { scores: { tone: { type: "int", minimum: 1, maximum: 5 } } } },
        free: { type: "llm-judge", params: { scores: { free: { type: "int" } } } },
        speed: { type: "latency" },
        "a.b": { type: "bleu" },
      },
    },
  },
} as unknown as Parameters<typeof gateAxis>[0]

describe("the axis of a gate", () => {
  it.each([
    ["answers.tone.tone", [3.2, 3.1, 3.3], 3, { min: 1, max: 5 }],
    ["tone", [3.2, null, null], 3, { min: 1, max: 5 }],
    // A judge that answers outside of its scale.
    ["tone", [-1.5, -1.8, 5.5], 3, { min: -2, max: 6 }],
    ["answers.speed.latency", [152.3, 140, 171], 190, { min: 0, max: 200, unit: "ms" }],
    ["answers.a.b.bleu", [31, 28, 35], 30, { min: 0, max: 100 }],
    ["answers.free.free", [3.2, 3.1, 3.3], 3, { min: 3, max: 3.3 }],
    ["answers.unknown.score", [0.5, 0.4, 0.6], 0.75, { min: 0, max: 1 }],
  ] as const)("%s with %j and a limit of %d", (name, [value, low, high], bound, axis) => {
    const { min, max, unit } = gateAxis(CONFIG, { name, value, low, high }, bound)
    expect(unit).toBe("unit" in axis ? axis.unit : undefined)
    expect(min).toBeCloseTo(axis.min, 9)
    expect(max).toBeCloseTo(axis.max, 9)
  })
})
