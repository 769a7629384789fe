import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { parseYaml } from "@assay/schemas/validation"
import { fileGates, parseGate } from "./score-gates.ts"

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

describe("the gates of a file", () => {
  const content = {
    target: { type: "rows" as const, rows: [{ output: "x", ref: "x" }] },
    config: {
      type: "custom" as const,
      tasks: {
        qa: {
          type: "data",
          metrics: {
            f: { type: "f1", params: { ground_truth: "{{ item.ref }}" } },
            r: { type: "rouge", params: { ground_truth: "{{ item.ref }}" } },
          },
        },
      },
    },
  }
  const read = (...gates: string[]) =>
    fileGates({ content: { ...content, gates }, document: parseYaml(JSON.stringify({ gates }, null, 1), "eval.yaml") })

  it("may leave out the score of a metric with one score", () => {
    expect(read("qa.f >= 0.5", "qa.f.f1_score >= 0.5").map(({ name }) => name)).toEqual(["qa.f", "qa.f.f1_score"])
  })

  it.each([
    ["qa.r >= 0.5", /^eval\.yaml:4:3: A gate names 'qa\.r', which is not a score of this job/],
    ["qa >= 0.5", /'qa', which is not a score/],
    ["qa.f.f1_scor >= 0.5", /Did you mean 'qa\.f\.f1_score'/],
    ["qa.f = 0.5", /^eval\.yaml:4:3: 'qa\.f = 0\.5' is not a gate/],
  ])("are faults of the file with their location: %s", (gate, message) => {
    expect(() => read("qa.f >= 0.5", gate)).toThrow(
      expect.objectContaining({ code: "bad_document", message: expect.stringMatching(message) }),
    )
  })
})
