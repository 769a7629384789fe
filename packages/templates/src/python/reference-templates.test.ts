import { readFileSync } from "node:fs"
import { parseExactJson } from "@assay/json"
import { describe, expect, it } from "vitest"
import { parseChatTemplate } from "./parse-chat-template.ts"
import { renderChatTemplate } from "./render-chat-template.ts"

/**
 * The first line has the values. Each other line has a template and the text that Jinja 3.1.6 makes of it, set up as in
 * transformers. The text is null if Jinja refuses the template.
 */
const [first, ...rest] = readFileSync(new URL("../testing/reference-templates.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => parseExactJson(line).value)
const { values } = first as { readonly values: Readonly<Record<string, unknown>> }
const references = rest as readonly { readonly template: string; readonly text: string | null }[]
const DATE = { year: 2024, month: 7, day: 26, hour: 0, minute: 0, second: 0 }

function render(source: string, given = values): string | null {
  const { template } = parseChatTemplate(source)
  return template === null ? null : renderChatTemplate(template, given, DATE).text
}

describe("a chat template", () => {
  it("is rendered or refused as by Jinja in Python, for all reference templates", () => {
    expect(references.length).toBeGreaterThan(600)
    const different = references
      .map(({ template, text }) => ({ template, text, ours: render(template) }))
      .filter(({ text, ours }) => text !== ours)
    expect(different).toEqual([])
  })

  it.each([
    ["{% set ns = namespace(a='ab') %}{% for i in range(60) %}{% set ns.a = ns.a ~ ns.a %}{% endfor %}", "1000000"],
    ["{% set ns = namespace(a=[1]) %}{% for i in range(60) %}{% set ns.a = ns.a + ns.a %}{% endfor %}", "1000000"],
    ["{{ 'a' * 10000000 }}", "1000000"],
    ["{{ [1] * 10000000 }}", "1000000"],
    ["{{ 'a'.center(10000000) }}", "1000000"],
    ["{{ '%10000000d' % 1 }}", "1000000"],
    ["{{ ('a' * 100000).replace('', 'b' * 100) }}", "1000000"],
    ["{{ 'a' | indent(10000000, true) }}", "1000000"],
    ["{{ 9 ** 999999 }}", "too large"],
    ["{% set ns = namespace(a=9) %}{% for i in range(60) %}{% set ns.a = ns.a * ns.a %}{% endfor %}", "too large"],
    ["{{ range(10000000000) | list }}", "range() of more than"],
    ["{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "too deep"],
  ])("is stopped before it makes a value that is too large: %s", (source, reason) => {
    const { template } = parseChatTemplate(source)
    expect(template === null ? null : renderChatTemplate(template, values, DATE).fault?.text).toContain(reason)
  })

  it("is refused if it is nested too deeply", () => {
    expect(parseChatTemplate(`{{ ${"(".repeat(100_000)}1${")".repeat(100_000)} }}`).fault?.text).toContain(
      "nested too deeply",
    )
    let deep: unknown = 1
    for (let i = 0; i < 100_000; i++) deep = [deep]
    expect(render("{{ deep }}", { deep })).toBeNull()
  })

  it("has faults with the line of the statement that fails", () => {
    const faultOf = (source: string) => {
      const { template, fault } = parseChatTemplate(source)
      return fault ?? (template === null ? null : renderChatTemplate(template, values, DATE).fault)
    }
    expect(faultOf("a\n{% for x in l %}\n{{ x.y.z }}{% endfor %}")?.line).toBe(3)
    expect(faultOf("a\r\n{{ raise_exception('no') }}")).toEqual({
      line: 2,
      text: "raises an exception: no",
      isGap: false,
    })
    expect(faultOf("a\n\n{{ b c }}")?.line).toBe(3)
    expect(faultOf("a\n{{ b")?.text).toBe("can't be parsed: '{{' is not closed with '}}'")
    expect(faultOf("a\n{% if b %}\nc")?.text).toBe("can't be parsed: 'if' is not closed with 'endif'")
  })
})
