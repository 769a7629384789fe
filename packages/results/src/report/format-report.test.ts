import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { createTextSink, journalOf, sampleResults, type SampleOptions } from "../testing/sample-results.ts"
import { rowOf } from "../testing/tiny-result.ts"
import { writeResults } from "../write-results.ts"

const HOSTILE = `</pre><script>alert(1)</script><img src="https://host.example/x" onerror='x()'>\u202Eevil\u001B[31m & "quoted"`

async function page(options: SampleOptions = {}): Promise<string> {
  const sink = createTextSink()
  await writeResults(sampleResults(options), sink)
  return sink.files.get("results/report.html") ?? ""
}

describe("the report of a job", () => {
  it("is one file with plots that loads and runs nothing", verifies("results.html"), async () => {
    const report = await page()
    expect(report).toMatch(/^<!doctype html>/)
    expect(report).toContain("default-src 'none'")
    expect(report).not.toMatch(/<script|<img|\b(src|action|xlink)=|href="[^#]|url\(|@import/)
    // Four intervals and two histograms; the rubric has its own bars.
    expect(report.match(/<svg/g)).toHaveLength(6)
    expect(report).not.toMatch(/undefined|NaN|\[object/)
  })

  it("shows how the job ended, scores with intervals and counts, conditions, and the worst rows", async () => {
    const report = (await page({ gates: [{ name: "qa.correct.string-check", limit: { atLeast: 0.5 } }] }))
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ")
    for (const text of [
      "All gates pass, look at the conditions",
      "0.541 to 0.773",
      "56 scored · 4 unreadable · 1 errored",
      "partial",
      "Judge output can&#39;t be read judge_output_unreadable 4 times",
      "Remedy Use a larger judge, or response_format in the params",
      "row 60 request_timeout",
      "row 0 correct · string-check 0",
      "The answer to question 0 is 0.",
      "judge could not be read: no JSON object",
      "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      "v24.0.0",
    ]) {
      expect(report).toContain(text)
    }
    expect(report).toMatch(/speed latency_ms 593\.5 ms partial 200 [\d.]+ to [\d.]+ ms/u)
  })

  it("says that a gate is about these rows, and gives it no interval", verifies("gates.these-rows"), async () => {
    const sink = createTextSink()
    const gates = [{ name: "qa.correct.string-check", limit: { atLeast: 0.5 }, isOnTheseRows: true }]
    await writeResults(sampleResults({ gates }), sink)
    const report = (sink.files.get("results/report.html") ?? "").replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")
    expect(report).toContain("≥ 0.5 on these rows 0.667 – FAIL")
    expect(report).toContain(
      "qa.correct.string-check &gt;= 0.5 on these rows fails: 1 of 61 rows has no score. A gate on these rows",
    )
    expect(report).not.toContain("The whole interval has to keep the limit")
    expect(sink.files.get("results/junit.xml")).toContain(
      "is compared without an interval, the limit is &gt;= 0.5 on these rows; 1 of 61 rows has no score.",
    )
  })

  it("is not green while a condition is open", verifies("results.not-green"), async () => {
    const gates = [{ name: "qa.correct.string-check", limit: { atLeast: 0.5 } }] as const
    // Without gates, COMPLETED does not look like PASS.
    for (const [options, tone] of [
      [{}, "PLAIN"],
      [{ gates }, "PASS"],
    ] as const) {
      expect(await page(options)).toContain('class="card answer INCONCLUSIVE"')
      const sink = createTextSink()
      await writeResults({ ...sampleResults(options), conditions: [] }, sink)
      expect(sink.files.get("results/report.html")).toContain(`class="card answer ${tone}"`)
    }
  })

  it("shows markup of rows and models as text", async () => {
    const report = await page({ words: HOSTILE })
    expect(report).toContain("&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=&quot;")
    expect(report).not.toMatch(/<script|<img|onerror='/)
    expect(report).not.toMatch(/[^\P{Cc}\n]|\u202E/u)
    const open: string[] = []
    for (const [, slash, name = "", rest = ""] of report.matchAll(/<(\/?)([a-z][a-z\d]*)([^>]*)>/g)) {
      if (name === "meta" || rest.endsWith("/")) continue
      if (slash === "/") expect(open.pop()).toBe(name)
      else open.push(name)
    }
    expect(open).toEqual([])
  })

  it("cuts long answers of models and judges", async () => {
    const long = "y".repeat(5000)
    const scores = { judge: { helpful: "NaN" as const } }
    const unreadable = { judge: { reason: "no JSON object", raw: long } }
    const journal = journalOf([rowOf(0, scores, { item: { prompt: long }, unreadable })])
    const sink = createTextSink()
    await writeResults({ ...sampleResults(), journal }, sink)
    const report = sink.files.get("results/report.html") ?? ""
    expect(report.match(/y{500,}…/g)).toHaveLength(2)
    expect(report).not.toContain("y".repeat(1200))
  })
})
