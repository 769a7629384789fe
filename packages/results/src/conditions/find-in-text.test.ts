import { CONDITION_SIGNALS } from "@assay/schemas"
import { runBounded, verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { findInText } from "./find-in-text.ts"

const LINES = Object.entries(CONDITION_SIGNALS).flatMap(([code, { lines }]) =>
  lines.map((line) => [code, line] as const),
)

describe("a line of a log", () => {
  it.each(LINES)("shows %s: %s", verifies("condition.text"), (code, line) => {
    expect(findInText(line)).toMatchObject({ code })
  })

  it.each([
    "Evaluating: 100%|##########| 20/20",
    "If the dataset is private or gated, make sure to log in",
    "2026-11-20 08:14:03 INFO loaded 12 tasks",
    "",
  ])("shows no condition: %s", (line) => {
    expect(findInText(line)).toBeUndefined()
  })

  it("has advice with the page to ask for access", verifies("brief.condition.gated"), () => {
    const advice = (line: string) => findInText(line)?.advice?.split(" A harness")[0]
    expect(advice("Cannot access gated repo for url https://huggingface.co/api/datasets/acme/qa/tree/main")).toBe(
      "Ask for access at https://huggingface.co/datasets/acme/qa.",
    )
    expect(advice("Cannot access gated repo for url https://hub.example:8443/acme/chat/resolve/main/x")).toBe(
      "Ask for access at https://hub.example:8443/acme/chat.",
    )
    expect(advice("Dataset 'acme/qa' is a gated dataset on the Hub.")).toBe(
      "Ask for access at https://huggingface.co/datasets/acme/qa.",
    )
    expect(advice("Your request to access model acme/chat is awaiting a review from the repo authors.")).toBe(
      "Ask for access at https://huggingface.co/acme/chat.",
    )
  })

  it("has advice with the host and the problem of a certificate, the right region, or both numbers of tokens", () => {
    const [overflow = ""] = CONDITION_SIGNALS.context_overflow.lines
    expect(findInText(overflow)?.advice).toBe("5210 tokens were requested, and 4096 fit.")
    const [tls = ""] = CONDITION_SIGNALS.inference_tls.lines
    expect(findInText(tls)?.advice).toMatch(
      /^The certificate of models\.example:443 is wrong: self-signed certificate\. .* SSL_CERT_FILE/,
    )
    const [region = ""] = CONDITION_SIGNALS.storage_region.lines
    expect(findInText(region)?.advice).toBe("The bucket is in region 'eu-west-1'.")
  })

  it("is read up to 16,384 characters, and a hostile line costs no more time", () => {
    const [line = ""] = CONDITION_SIGNALS.context_overflow.lines
    const before = (length: number) => `${"x".repeat(length - 1)} ${line}`
    expect(findInText(before(16_384 - line.length))?.code).toBe("context_overflow")
    expect(findInText(before(16_384))).toBeUndefined()
    const hostile = ["x-amz-trailer ", "access to dataset ", "DatasetNotFoundError", "certificate verify failed: a "]
    for (const part of hostile) runBounded(() => findInText(part.repeat(200_000)))
  })
})
