import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { openMetrics } from "../../testing/score-rows.ts"
import { codeIn, programText } from "./program-text.ts"

describe("the code of an answer", () => {
  it.each([
    ["  return a\n", "  return a\n"],
    ["Sure:\n```python\ndef f():\n  pass\n```\nand\n```\nx\n```", "def f():\n  pass"],
    ["~~~py\na\n```\nb\n~~~", "a\n```\nb"],
    ["````\na\n```\nb\n````", "a\n```\nb"],
    ["```python\ncut", "cut"],
    ["``` not closed on its line", "``` not closed on its line"],
  ])("of %j is %j", verifies("metric.code-execution"), (answer, code) => {
    expect(codeIn(answer)).toBe(code)
  })

  it("is followed by its tests and the call of check", () => {
    const parts = { prompt: "def f():\n", code: "  return 1", tests: "def check(g): assert g() == 1" }
    expect(programText({ ...parts, entryPoint: "f" })).toBe(
      "def f():\n  return 1\ndef check(g): assert g() == 1\ncheck(f)\n",
    )
    expect(programText({ ...parts, entryPoint: undefined })).not.toContain("check(f)")
  })
})

describe("code-execution", () => {
  const params = { tests: "{{ tests }}" }

  it("is refused without a sandbox before a row is asked", verifies("metric.code-execution"), async () => {
    const opened = openMetrics([], { code: { type: "code-execution", params } })
    await expect(opened).rejects.toMatchObject({ code: "code_not_allowed" })
  })

  it.each([0, 301, "soon", null, true])("refuses a timeout of %j", async (timeout) => {
    const metric = { type: "code-execution", params: { ...params, timeout } }
    const refused = timeout === null ? /run only in a sandbox/ : /timeout.*seconds from 1 to 300/
    await expect(openMetrics([], { code: metric })).rejects.toThrow(refused)
  })
})
