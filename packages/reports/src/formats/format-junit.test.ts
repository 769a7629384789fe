import { describe, expect, it } from "vitest"
import { formatJunit } from "./format-junit.ts"

describe("JUnit XML", () => {
  it("counts failures, errors and skipped tests in each suite and in total", () => {
    const report = formatJunit({
      name: "all",
      suites: [
        {
          name: "one",
          cases: [
            { className: "a", name: "passes" },
            { className: "a", name: "prints", details: "1 & 2" },
            { className: "a", name: "fails", outcome: { kind: "failure", type: "gate", message: "too low" } },
          ],
        },
        {
          name: "two",
          cases: [
            { className: "b", name: "breaks", outcome: { kind: "error", message: "no key" }, details: "" },
            { className: "b", name: "waits", outcome: { kind: "skipped", message: "too few" }, details: "more rows" },
          ],
        },
      ],
    })
    expect(report).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="all" tests="5" failures="1" errors="1" skipped="1">
  <testsuite name="one" tests="3" failures="1" errors="0" skipped="0">
    <testcase classname="a" name="passes"/>
    <testcase classname="a" name="prints">
      <system-out>1 &amp; 2</system-out>
    </testcase>
    <testcase classname="a" name="fails">
      <failure type="gate" message="too low"/>
    </testcase>
  </testsuite>
  <testsuite name="two" tests="2" failures="0" errors="1" skipped="1">
    <testcase classname="b" name="breaks">
      <error message="no key"></error>
    </testcase>
    <testcase classname="b" name="waits">
      <skipped message="too few">more rows</skipped>
    </testcase>
  </testsuite>
</testsuites>
`)
  })

  it("escapes names, and shows controls and the characters that XML can't represent as ⟨U+FFFF⟩", () => {
    const cases = [{ className: '"a" <&>', name: "\u0000\uD800\uFFFF\n]]>\u202E" }]
    const report = formatJunit({ name: "<all>", suites: [{ name: "s", cases }] })
    expect(report).toContain(
      'classname="&quot;a&quot; &lt;&amp;&gt;" name="⟨U+0000⟩⟨U+D800⟩⟨U+FFFF⟩&#10;]]&gt;⟨U+202E⟩"',
    )
    expect(report.isWellFormed()).toBe(true)
  })
})
