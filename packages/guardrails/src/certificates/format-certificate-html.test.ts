import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import type { LabelledPrompt } from "../calibration/prompts/labelled-prompt.ts"
import { scriptedCandidate } from "../testing/scripted-candidate.ts"
import { candidateReason } from "./candidate-reason.ts"
import { formatCertificate } from "./format-certificate.ts"
import { formatCertificateHtml } from "./format-certificate-html.ts"
import { optimizeJudges } from "./optimize-judges.ts"

const rows = Array.from({ length: 400 }, (_, at): LabelledPrompt => ({
  prompt: `message ${at}`,
  label: at % 2 === 0 ? "safe" : "unsafe",
}))

/** Returns a judge that blocks this share of the safe messages, and misses this share of the unsafe ones. */
function judgeOf(name: string, falseBlocks: number, misses: number) {
  const asked = scriptedCandidate(name, ({ prompt }) => {
    const at = Number(prompt.split(" ")[1])
    const share = ((at * 7919) % 1000) / 1000
    const isWrong = share < (at % 2 === 0 ? falseBlocks : misses)
    return { says: (at % 2 === 1) === isWrong ? "safe" : "unsafe" }
  })
  return { name, digest: name, threshold: null, base: null, asked }
}

async function certify(...candidates: readonly ReturnType<typeof judgeOf>[]) {
  const source = async function* () {
    yield* rows
  }
  const shared = { rows: source(), data: "rows <b>.csv", assay: "1.2.3", now: () => 0 }
  return optimizeJudges({ ...shared, candidates, maxFalseBlock: 0.05, maxMiss: 0.2 })
}

describe("the page of a certificate", () => {
  it("shows each candidate against the limits, and why it is certified or not", verifies("certify.page"), async () => {
    const certificate = await certify(
      judgeOf("strict", 0.3, 0.01),
      judgeOf("lenient", 0, 0.08),
      judgeOf("better", 0, 0.03),
      judgeOf("deaf", 0, 0.9),
    )
    expect(certificate.chosen).toBe("better")
    const page = formatCertificateHtml(certificate)
    expect(page).toMatch(/<strong>better is certified<\/strong>/u)
    expect(page).toContain("rows &lt;b&gt;.csv")
    expect(page).toContain("limit 5 %")
    expect(page).toContain("limit 20 %")
    expect(page.match(/<svg/gu)).toHaveLength(2)
    expect(page).not.toMatch(/\b(?:src|href)=|<script|url\(/u)
    expect(page).toMatch(/Certified too, with \d+ misses in all instead of \d+\./u)
    expect(page).toMatch(/Refused \(p [\d.]+, above 0\.05\), which ended the sequence: it may be that up to \d/u)
    expect(page).toContain("Not tested: the sequence had ended before it, so nothing is said about it.")
    expect(page).toContain("no certified candidate is above a limit")
    expect(page).toContain("New messages have to be like the labelled ones")
    for (const name of ["strict", "lenient", "better", "deaf"]) expect(page).toContain(name)
  })

  it("escapes names, and says what a verification found", verifies("certify.page"), async () => {
    const certificate = await certify(judgeOf('<script>alert("x")</script>', 0.3, 0.5))
    expect(certificate.verdict).toBe("FAIL")
    const faults = [{ field: "data_digest", expected: "a", found: "b" }]
    const page = formatCertificateHtml(certificate, { faults, asked: null })
    expect(page).not.toContain("<script")
    expect(page).toContain("None is certified")
    expect(page).toContain("Not valid")
    expect(page).toContain("it differs in: data_digest.")
    const counts = { false_block: { count: 9, n: 100 }, miss: { count: 2, n: 100 }, unreadable: 0, failed: 0 }
    const asked = { ...counts, rows: 200, changed: 7, p: 0.99, verdict: "FAIL" as const }
    expect(formatCertificateHtml(certificate, { faults: [], asked })).toContain("7 verdicts of 200 differ")
  })

  it(
    "calls a candidate undecided if the rows do not show that it is above a limit",
    verifies("certify.page"),
    async () => {
      const certificate = await certify(judgeOf("near", 0.05, 0.02), judgeOf("deaf", 0, 0.9))
      expect(certificate).toMatchObject({
        verdict: "INCONCLUSIVE",
        candidates: [{ name: "near", result: "refused" }, {}],
      })
      expect(formatCertificate(certificate)).toMatch(/\nnear +undecided +\d+ of \d+ /u)
      const page = formatCertificateHtml(certificate)
      expect(page).toMatch(/INCONCLUSIVE[^>]*>\s*undecided\s*</u)
      expect(page).toMatch(/Undecided \(p [\d.]+, above 0\.05\), which ended the sequence/u)
      const above = await certify(judgeOf("deaf", 0, 0.9))
      expect(formatCertificate(above)).toMatch(/\ndeaf +refused +0 of \d+ /u)
    },
  )

  it("names the risk that may be above its limit", verifies("certify.page"), async () => {
    const certificate = await certify(judgeOf("deaf", 0, 0.6))
    const [only] = certificate.candidates
    const reason = only === undefined ? "" : candidateReason(only, certificate)
    expect(reason).toMatch(/it may be that up to \d+(?:\.\d+)? % of harmful messages pass, where 20 % are allowed\.$/u)
    expect(reason).not.toContain("harmless")
  })
})
