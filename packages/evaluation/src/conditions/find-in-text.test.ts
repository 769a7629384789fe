import { CONDITION_SIGNALS } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { findInText } from "./find-in-text.ts"

const LINES = Object.entries(CONDITION_SIGNALS).flatMap(([code, { lines }]) =>
  lines.map((line) => [code, line] as const),
)

describe("a line of a log", () => {
  it.each(LINES)("tells of %s: %s [condition.text]", (code, line) => {
    expect(findInText(line)).toMatchObject({ code })
  })

  it.each([
    "Evaluating: 100%|##########| 20/20",
    "If the dataset is private or gated, make sure to log in",
    "2026-11-20 08:14:03 INFO loaded 12 tasks",
    "",
  ])("tells of nothing: %s", (line) => {
    expect(findInText(line)).toBeUndefined()
  })

  it("names the page on which access is asked for [brief.condition.gated]", () => {
    const advice = (line: string) => findInText(line)?.advice?.split(" A harness")[0]
    expect(advice("Cannot access gated repo for url https://huggingface.co/api/datasets/acme/qa/tree/main")).toBe(
      "Access is asked for at https://huggingface.co/datasets/acme/qa.",
    )
    expect(advice("Cannot access gated repo for url https://hub.example:8443/acme/chat/resolve/main/x")).toBe(
      "Access is asked for at https://hub.example:8443/acme/chat.",
    )
    expect(advice("Dataset 'acme/qa' is a gated dataset on the Hub.")).toBe(
      "Access is asked for at https://huggingface.co/datasets/acme/qa.",
    )
    expect(advice("Your request to access model acme/chat is awaiting a review from the repo authors.")).toBe(
      "Access is asked for at https://huggingface.co/acme/chat.",
    )
  })

  it("names host and problem of a certificate, the right region, and both numbers of tokens", () => {
    const [overflow = ""] = CONDITION_SIGNALS.context_overflow.lines
    expect(findInText(overflow)?.advice).toBe("5210 tokens were asked for, and 4096 fit.")
    const [tls = ""] = CONDITION_SIGNALS.inference_tls.lines
    expect(findInText(tls)?.advice).toMatch(
      /^What is wrong with the certificate of models\.example:443: self-signed certificate\. .* SSL_CERT_FILE/,
    )
    const [region = ""] = CONDITION_SIGNALS.storage_region.lines
    expect(findInText(region)?.advice).toBe("The bucket is in region 'eu-west-1'.")
  })

  it("is read in time that does not grow with hostile lines", () => {
    const hostile = ["x-amz-trailer ", "access to dataset ", "DatasetNotFoundError", "certificate verify failed: a "]
    for (const part of hostile) {
      const started = performance.now()
      findInText(part.repeat(200_000))
      expect(performance.now() - started).toBeLessThan(500)
    }
  })
})
