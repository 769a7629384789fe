import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { parseYaml } from "@assay/validation"
import { type AssayError, isAssayError } from "@assay/schemas"
import { readReleasePolicy } from "./read-release-policy.ts"

const read = (text: string) => readReleasePolicy(parseYaml(text, "policy.yaml"))

function faultsOf(text: string): readonly string[] {
  try {
    read(text)
  } catch (error) {
    if (!isAssayError(error, "bad_document")) throw error
    const { issues, message }: AssayError = error
    const all = issues.length > 0 ? issues.map(({ loc, msg }) => `${loc.join()}: ${msg}`) : [message]
    return all.map((one) => one.slice(0, 85))
  }
  return []
}

describe("a release policy", () => {
  it("has limits as text or objects, and comparisons with older results", verifies("release.policy"), () => {
    const text = `version: 1
evaluations:
  support:
    results: ./new
    against: ./old
    tier: critical
    gates:
      - answers.equals >= 0.8
      - { task: qa, metric: equals, op: "<=", value: 0.1, on_these_rows: true }
      - { metric: equals, margin: 0.02, low_baseline: { below: 0.3, relative_margin: 0.1 } }
  style: { results: ./style, run: ./style.yaml, against: ./old-style, tier: advisory }
`
    const { alpha, evaluations } = read(text)
    expect(alpha).toBe(0.05)
    expect(evaluations[0]?.gates).toMatchObject([
      { kind: "limit", name: "answers.equals", op: ">=", value: 0.8, location: "policy.yaml:8:9" },
      { kind: "limit", name: "qa.equals", op: "<=", value: 0.1, isOnTheseRows: true },
      { kind: "comparison", name: "equals", margin: 0.02, lowBaseline: { below: 0.3, relativeMargin: 0.1 } },
    ])
    expect(evaluations[1]?.gates).toMatchObject([{ kind: "comparison", name: undefined }])
    expect(evaluations.map(({ run }) => run)).toEqual([undefined, "./style.yaml"])
  })

  it("names the place of every fault, and what was probably meant", verifies("release.policy"), () => {
    const text = `version: 1
alpa: 0.1
evaluations:
  a:
    results: ./a
    tier: critcal
    gate: [equals >= 0.8]
  b:
    results: ./b
    tier: critical
    gates:
      - equals > 0.8
      - { metrc: equals }
      - { metric: equals, op: ">=" }
      - { metric: equals, margin: 0.1 }
      - { metric: equals, op: ">=", value: 1, margin: 0.1 }
  c: { results: ./c, tier: advisory }
`
    expect(faultsOf(text)).toEqual([
      "policy.yaml:2:1: 'alpa': there is no such key here; did you mean 'alpha'? The keys he",
      "policy.yaml:6:5: 'evaluations.a.tier': 'critcal' is not a tier; did you mean 'critica",
      "policy.yaml:7:5: 'evaluations.a.gate': there is no such key here; did you mean 'gates",
      "policy.yaml:12:9: 'evaluations.b.gates.0': 'equals > 0.8' compares with '>', and a ga",
      "policy.yaml:13:11: 'evaluations.b.gates.1.metrc': there is no such key here; did you ",
      `policy.yaml:14:9: 'evaluations.b.gates.2': give both "op" and "value".`,
      "policy.yaml:15:9: 'evaluations.b.gates.3': compares with older results, and the evalu",
      `policy.yaml:16:47: 'evaluations.b.gates.4.margin': is only possible without "op" and `,
      "policy.yaml:17:3: 'evaluations.c': has neither 'gates' nor 'against', so that nothing",
    ])
  })

  it("of another version is told which one is read", verifies("release.policy"), () => {
    const text = "version: 2\nevaluations: {a: {results: x, tier: critical, gates: [b >= 1]}}\n"
    expect(faultsOf(text)).toEqual([
      "policy.yaml:1:1: 'version': expected 1, not 2. The version of the form of this file, ",
    ])
  })

  it.each([
    ["a list", "- a\n"],
    ["no evaluations", "version: 1\n"],
    ["no evaluation", "evaluations: {}\n"],
    ["an alpha of 0", "alpha: 0\nevaluations: {a: {results: x, tier: critical, gates: [b >= 1]}}\n"],
    ["another version", "version: 2\nevaluations: {a: {results: x, tier: critical, gates: [b >= 1]}}\n"],
    ["evaluations that are a text", "evaluations: x\n"],
    ["an evaluation that is null", "evaluations: {a: null}\n"],
  ])("with %s is refused", verifies("release.policy"), (_what, text) => {
    expect(faultsOf(text)[0]).toMatch(/^policy\.yaml:\d+:\d+: /)
  })
})
