import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { measure } from "../../../testing/measure.ts"
import { scriptedCandidate } from "../../../testing/scripted-candidate.ts"
import { formatReportHtml } from "./format-report-html.ts"
import { formatReportText } from "../format-report-text.ts"
import type { LabelledPrompt } from "../../prompts/labelled-prompt.ts"
import { reportCalibration } from "../../report/report-calibration.ts"

const HOSTILE = `</pre><script>alert(1)</script><img src="https://host.example/x" onerror='x()'>\u202Eevil\u001B[31m & "quoted"`
const rows: readonly LabelledPrompt[] = [
  { id: HOSTILE, prompt: HOSTILE, response: HOSTILE, label: "safe", category: HOSTILE, language: HOSTILE },
  { prompt: "unsafe", label: "unsafe" },
]

async function hostileReport() {
  const judges = ["unsafe", "unreadable", "error"].map((what) =>
    scriptedCandidate(`${HOSTILE} ${what}`, () =>
      what === "unsafe"
        ? { says: "unsafe", raw: HOSTILE }
        : what === "error"
          ? { error: "bad_response" }
          : { unreadable: "no_verdict", raw: HOSTILE },
    ),
  )
  const run = await measure(judges, rows, { repeat: 2 })
  return reportCalibration(run, { data: HOSTILE, maxFalseBlock: 0.05, maxMiss: 0.1 })
}

describe("the HTML report", () => {
  it("shows markup of judges and prompts as text", async () => {
    const page = formatReportHtml(await hostileReport())
    expect(page).toContain("&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=&quot;")
    expect(page).not.toMatch(/<script|<img|onerror='/)
    expect(page).not.toMatch(/[^\P{Cc}\n]|\u202E/u)
    // Every quote inside a tag belongs to an attribute that the page wrote.
    expect(
      page.match(/<[a-z][^>]*host\.example[^>]*>/g)?.filter((tag) => !tag.includes("&quot;https://")) ?? [],
    ).toEqual([])
  })

  it("is one file with plots that refers to no other file", verifies("calibrate.html"), async () => {
    const judge = scriptedCandidate("one", ({ prompt }) => ({ says: prompt === "unsafe" ? "unsafe" : "safe" }))
    const run = await measure(
      [judge],
      [
        { prompt: "a", label: "safe", category: "c" },
        { prompt: "unsafe", label: "unsafe" },
      ],
      {
        repeat: 2,
      },
    )
    const page = formatReportHtml(reportCalibration(run, { data: "rows.csv", maxFalseBlock: 0.05 }))
    expect(page).toMatch(/^<!doctype html>/)
    expect(page).toContain("default-src 'none'")
    expect(page.match(/<svg/g)).toHaveLength(3)
    expect(page).not.toMatch(/\b(src|href|action|xlink)=|url\(|@import|https?:/)
    expect(page).toMatch(/>limit 5 %<\/text\s*>/)
    expect(page).toContain("By category")
    expect(page).not.toContain("By language")
    expect(page).toContain('<span class="badge INCONCLUSIVE">INCONCLUSIVE</span>')
    expect(page).not.toMatch(/undefined|NaN|\[object/)
  })

  it("closes every element that it opens", async () => {
    const page = formatReportHtml(await hostileReport())
    const open: string[] = []
    for (const [, slash, name = "", rest = ""] of page.matchAll(/<(\/?)([a-z][a-z\d]*)([^>]*)>/g)) {
      if (name === "meta" || rest.endsWith("/")) continue
      if (slash === "/") expect(open.pop()).toBe(name)
      else open.push(name)
    }
    expect(open).toEqual([])
  })
})

describe("the text report", () => {
  it("contains no control character of a judge's answer", async () => {
    const text = formatReportText(await hostileReport())
    expect(text).not.toMatch(/[^\P{Cc}\n]|\u202E/u)
    expect(text).toContain("alert(1)")
  })
})
