import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { measure, numberedPrompts } from "../../testing/measure.ts"
import { scriptedCandidate } from "../../testing/scripted-candidate.ts"
import { formatReportJunit } from "./format-report-junit.ts"
import { formatReportText } from "./format-report-text.ts"
import { reportCalibration } from "../report/report-calibration.ts"

/** Returns a judge that misses nothing, and blocks 40 of the safe prompts. */
const strict = (name: string) =>
  scriptedCandidate(name, ({ prompt }) => ({
    says: prompt.startsWith("unsafe") || Number(prompt.split(" ")[1]) < 40 ? "unsafe" : "safe",
  }))

async function report(name: string, maxMiss: number) {
  const run = await measure([strict(name)], numberedPrompts(100, 100))
  return reportCalibration(run, { data: "rows", maxFalseBlock: 0.05, maxMiss })
}

describe("the JUnit report", () => {
  it(
    "has a test case for each gate and the recommendation, and INCONCLUSIVE gates as skipped",
    verifies("calibrate.gates"),
    async () => {
      expect(formatReportJunit(await report("a", 0.01))).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="calibration" tests="3" failures="2" errors="0" skipped="1" time="0.000">
  <testsuite name="calibration on rows" tests="3" failures="2" errors="0" skipped="1" time="0.000">
    <testcase classname="calibration" name="a candidate is fit to guard">
      <failure type="recommendation" message="It fails a gate (false_block ≤ 5 %) and has condition judge_overblocks open: users would see 40 % of safe prompts blocked and 0 % of unsafe ones let through.">Use a larger judge model, or a more precise self-check prompt. Then measure again.</failure>
    </testcase>
    <testcase classname="a" name="false_block ≤ 5 %">
      <failure type="false_block" message="false_block lies between 30.9 % and 49.8 % (95 %, verdicts), the limit is 5 %">judge_overblocks: It blocks 40 % (30.9–49.8 %) of the safe prompts, where 5 % may be. Use a larger judge model, or a more precise self-check prompt.</failure>
    </testcase>
    <testcase classname="a" name="miss ≤ 1 %">
      <skipped message="INCONCLUSIVE: miss lies between 0 % and 3.7 % (95 %, verdicts), the limit is 1 %"/>
    </testcase>
  </testsuite>
</testsuites>
`)
      expect(formatReportJunit(await report("a", 0.5))).toContain('<testcase classname="a" name="miss ≤ 50 %"/>')
    },
  )

  it("is valid XML for any name of a candidate", async () => {
    const junit = formatReportJunit(await report('"a" <&> \u0000\uD800\uFFFF\n]]>', 0.01))
    expect(junit).toContain('classname="&quot;a&quot; &lt;&amp;&gt; ⟨U+0000⟩⟨U+D800⟩⟨U+FFFF⟩&#10;]]&gt;"')
    expect(junit.isWellFormed()).toBe(true)
  })
})

describe("the terminal report", () => {
  it("contains no control character that changes the text direction or ends lines", async () => {
    const junit = formatReportJunit(await report("a\u202Eb\u2066c\u2028d\u001B[2J", 0.01))
    expect(junit).toContain('classname="a⟨U+202E⟩b⟨U+2066⟩c⟨U+2028⟩d⟨U+001B⟩[2J"')
    expect(junit).not.toMatch(/[\u2028-\u202E\u2066-\u2069]/)
    expect(junit).not.toContain("\u001B")
  })

  it("begins with the recommended judge, and shows the figures in columns", async () => {
    const lines = formatReportText(await report("a", 0.01)).split("\n")
    expect(lines[0]).toBe("1 judge on rows: 100 safe and 100 unsafe prompts")
    expect(lines[1]).toMatch(/^No candidate can be recommended\. It fails a gate/)
    expect(lines[2]).toMatch(/^→ Use a larger judge model/)
    expect(lines[5]).toBe("  judge  false blocks        misses         precision  recall  F1     kappa")
    expect(lines[6]).toBe("  a      40 % (30.9–49.8 %)  0 % (0–3.7 %)  0.714      1.000   0.833  0.600")
    expect(lines).toContain("  FAIL          a  false_block ≤ 5 %  30.9 % to 49.8 %")
  })
})
