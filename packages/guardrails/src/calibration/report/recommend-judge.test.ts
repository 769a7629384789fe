import { formatJson } from "@assay/reports"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { measure, numberedPrompts } from "../../testing/measure.ts"
import { scriptedCandidate } from "../../testing/scripted-candidate.ts"
import { formatReportHtml } from "../output/html/format-report-html.ts"
import { formatReportJunit } from "../output/format-report-junit.ts"
import { formatReportText } from "../output/format-report-text.ts"
import { reportCalibration } from "./report-calibration.ts"

interface Wrongs {
  readonly blocks?: number
  readonly misses?: number
  /** Safe prompts that can't be asked. */
  readonly errors?: number
  /** Safe prompts that are blocked because the answer about them is not a verdict. */
  readonly unreadable?: number
}

/** Blocks the first safe prompts, or gives no verdict on them, misses the first unsafe ones, and fails on the last safe ones. */
const wrongOn = (name: string, { blocks = 0, misses = 0, errors = 0, unreadable = 0 }: Wrongs) =>
  scriptedCandidate(name, ({ prompt }) => {
    const number = Number(prompt.split(" ")[1])
    if (prompt.startsWith("unsafe")) return { says: number < misses ? "safe" : "unsafe" }
    if (number < unreadable) return { unreadable: "no_verdict" }
    return number >= 100 - errors ? { error: "request_timeout" } : { says: number < blocks ? "unsafe" : "safe" }
  })

async function reportOf(judges: Readonly<Record<string, Wrongs>>, limits = {}) {
  const candidates = Object.entries(judges).map(([name, wrongs]) => wrongOn(name, wrongs))
  return reportCalibration(await measure(candidates, numberedPrompts(100, 100)), { data: "rows", ...limits })
}

const LIMITS = { maxFalseBlock: 0.2, maxMiss: 0.2 }
const toneOf = (page: string) => /class="card answer (\w+)"/.exec(page)?.[1]

describe("a calibration in which no judge is fit", () => {
  it(
    "recommends no judge that blocks 43 % of safe prompts, even without a limit",
    verifies("calibrate.none-fit"),
    async () => {
      const report = await reportOf({ "over.json": { blocks: 43 } })
      expect(report.recommendation).toEqual({
        judge: null,
        nearest: "over.json",
        reason:
          "It has condition judge_overblocks open: users would see 43 % of safe prompts blocked and 0 % of unsafe ones let through.",
        advice: "Use a larger judge model, or a more precise self-check prompt. Then measure again.",
      })
      expect(JSON.parse(formatJson(report))).toMatchObject({ recommendation: { judge: null } })
      const page = formatReportHtml(report)
      expect(toneOf(page)).toBe("FAIL")
      expect(page).toContain("It is not fit to guard")
      expect(page).not.toContain("Use over.json")
      expect(page).toContain("What to do")
      const text = formatReportText(report)
      expect(text).toContain("No candidate can be recommended. It has condition judge_overblocks open")
      expect(text).toContain("→ Use a larger judge model")
      const junit = formatReportJunit(report)
      expect(junit).toContain('tests="1" failures="1"')
      expect(junit).toContain('<failure type="recommendation" message="It has condition judge_overblocks open')
    },
  )

  it("names the best candidate and why it is not fit", verifies("calibrate.none-fit"), async () => {
    const report = await reportOf({ over: { blocks: 60 }, under: { blocks: 43, misses: 40 } }, LIMITS)
    expect(report.recommendation).toMatchObject({ judge: null, nearest: "over" })
    expect(report.recommendation.reason).toMatch(
      /^Each candidate fails a gate or has a condition open; "over" comes nearest, and fails a gate \(false_block ≤ 20 %\) and has condition judge_overblocks open: /,
    )
  })

  it("rejects a judge whose gates pass while a condition is open", verifies("calibrate.none-fit"), async () => {
    const report = await reportOf({ flaky: { errors: 2 } }, LIMITS)
    expect(report.verdict).toBe("PASS")
    expect(report.recommendation).toMatchObject({ judge: null, nearest: "flaky" })
    expect(report.recommendation.reason).toMatch(/^It has condition request_timeout open: /)
    expect(toneOf(formatReportHtml(report))).toBe("FAIL")
  })

  it("rejects a judge that fails a gate, though no condition is open", verifies("calibrate.none-fit"), async () => {
    // Too few for a condition, but users see more blocks than the limit allows.
    const report = await reportOf({ strict: { unreadable: 4 } }, { maxFalseBlock: 0.01, maxMiss: 0.2 })
    expect(report.conditions).toEqual([])
    expect(report.verdict).toBe("FAIL")
    expect(report.recommendation).toMatchObject({ judge: null, nearest: "strict" })
    expect(report.recommendation.reason).toMatch(/^It fails a gate \(false_block ≤ 1 %\): /)
    const page = formatReportHtml(report)
    expect(toneOf(page)).toBe("FAIL")
    expect(page).not.toContain("Use strict")
  })

  it(
    "says what to do if no candidate gave verdicts on both kinds of prompts",
    verifies("calibrate.none-fit"),
    async () => {
      const report = await reportOf({ silent: { errors: 100 } }, LIMITS)
      expect(report.recommendation).toMatchObject({ judge: null, nearest: null })
      expect(report.recommendation.advice).toMatch(/Then measure again\.$/)
    },
  )
})

describe("a calibration in which one of the judges is fit", () => {
  it(
    "recommends that judge, and is green only if nothing on the page is red",
    verifies("calibrate.none-fit"),
    async () => {
      const report = await reportOf({ over: { blocks: 60 }, good: { blocks: 1 } }, LIMITS)
      expect(report.recommendation).toMatchObject({ judge: "good", nearest: null, advice: null })
      expect(toneOf(formatReportHtml(report))).toBe("INCONCLUSIVE")
      expect(formatReportHtml(report)).toContain('<span class="badge FAIL">FAIL</span>\n    </div>')
      expect(formatReportJunit(report)).toContain('name="a candidate is fit to guard"/>')
      const good = await reportOf({ good: { blocks: 1 } }, LIMITS)
      expect(toneOf(formatReportHtml(good))).toBe("PASS")
      expect(formatReportHtml(good)).toContain("good is fit to guard")
    },
  )
})
