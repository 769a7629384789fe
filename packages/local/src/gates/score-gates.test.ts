import { describe, expect, it } from "vitest"
import { parseYaml } from "@assay/validation"
import { fileGates } from "./score-gates.ts"

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
  const open = (...gates: string[]) => {
    return { content: { ...content, gates }, document: parseYaml(JSON.stringify({ gates }, null, 1), "eval.yaml") }
  }
  const read = (...gates: string[]) => fileGates(open(...gates)).gates

  it("may leave out the score of a metric with one score", () => {
    expect(read("qa.f >= 0.5", "qa.f.f1_score >= 0.5").map(({ name }) => name)).toEqual(["qa.f", "qa.f.f1_score"])
  })

  it.each([
    [
      "qa.r >= 0.5",
      /^eval\.yaml:4:3: A gate names 'qa\.r', which is not a score of this job\. Its scores are f, r\.\w+,/,
    ],
    ["qa >= 0.5", /'qa', which is not a score/],
    ["qa.f.f1_scor >= 0.5", /Did you mean 'qa\.f\.f1_score'/],
    ["qa.f = 0.5", /^eval\.yaml:4:3: 'qa\.f = 0\.5' compares with '='.* write qa\.f >= 0\.5/],
    [
      "qa.f >= 50",
      /^eval\.yaml:4:3: .* the limit 50 is outside of the scale of 'qa\.f', which is from 0 to 1; write qa\.f >= 0\.5/,
    ],
  ])("are faults of the file with their location: %s", (gate, message) => {
    expect(() => read("qa.f >= 0.5", gate)).toThrow(
      expect.objectContaining({ code: "bad_document", message: expect.stringMatching(message) }),
    )
  })

  it("of the command line that name no score are refused with the shortest names of those that exist", () => {
    const given = [{ name: "foo", limit: { atLeast: 0.5 } }]
    expect(() => fileGates(open(), { given })).toThrow(
      expect.objectContaining({
        code: "bad_usage",
        context: { remedy: "Name one of these scores in the gate, such as 'f'." },
      }),
    )
  })

  it("of the command line are refused if they name several checks of the file", () => {
    const file = { ...open(), sharedNames: new Map([["f", ["f", "f_2"]]]) }
    const given = [{ name: "f", limit: { atLeast: 0.5 } }]
    expect(() => fileGates(file, { given })).toThrow(
      "A gate names 'f', which is the name of 2 checks: give each a `name:` of its own in the file, or write 'answers.f' and 'answers.f_2'.",
    )
    expect(fileGates(file, { given: [{ name: "qa.f", limit: { atLeast: 0.5 } }] }).gates).toHaveLength(1)
  })

  it("that are about these rows do not become early, and are not enough to stop early", () => {
    const onTheseRows = "qa.f >= 0.5 on these rows"
    const f = { task: "qa", metric: "f", score: "f1_score", op: ">=", value: 0.5 }
    expect(fileGates(open("qa.f >= 0.5", onTheseRows), { stopEarly: true }).early).toEqual([
      { ...f, stop: "early" },
      { ...f, on_these_rows: true },
    ])
    expect(() => fileGates(open(onTheseRows), { stopEarly: true })).toThrow("a gate on these rows needs all of them")
  })
})
