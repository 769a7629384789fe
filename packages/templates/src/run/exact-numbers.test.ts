import { exactNumber, parseExactJson } from "@assay/json"
import { describe, expect, it } from "vitest"
import { compileTemplate } from "../compile-template.ts"

const { value } = parseExactJson(
  '{"id":12345678901234567890,"one":1.0,"other":1.00,"none":0.0,"list":[1.50,{"a":2e0}],"whole":1}',
)
const item = value as Readonly<Record<string, unknown>>
const render = (source: string) => compileTemplate(source).render({ item })

describe("numbers of rows in a template", () => {
  it.each([
    ["{{ item.id }}", "12345678901234567890"],
    ["n={{ item.one }}", "n=1.0"],
    ["{{ item.list[0] }}", "1.50"],
    ["{{ item.id | string }}", "12345678901234567890"],
    ["{{ 'n' ~ item.id }}", "n12345678901234567890"],
    ["{{ item.list | tojson }}", '[1.50, {"a": 2e0}]'],
    [
      "{{ item | tojson }}",
      '{"id": 12345678901234567890, "one": 1.0, "other": 1.0, "none": 0.0, "list": [1.50, {"a": 2e0}], "whole": 1}',
    ],
    ["{{ item.one == item.other }} {{ item.one == item.whole }} {{ item.one == 1 }}", "true true true"],
    ["{{ item.one + 1 }} {{ item.one < 2 }} {{ item.list[0] * 2 }}", "2.0 true 3.0"],
    ["{% if item.none %}yes{% else %}no{% endif %}", "no"],
    ["{{ item.list[0] | int }} {{ item.list[0] | abs }}", "1 1.5"],
    ["{{ item.one is number }} {{ item.id is number }}", "true true"],
    ["{% for x in item.list[:1] %}<{{ x }}>{% endfor %}", "<1.50>"],
  ])("%s is %s", (source, text) => {
    expect(render(source)).toBe(text)
  })

  it("keep their type if the template is one expression", () => {
    const evaluate = (source: string) => compileTemplate(source).evaluate({ item })
    expect(evaluate("{{ item.one }}")).toBe(item["one"])
    expect(JSON.stringify(evaluate("{{ item.list }}"))).toBe('[1.50,{"a":2e0}]')
    expect(evaluate("{{ item.one + 1 }}")).toBe(2)
    expect(JSON.stringify(compileTemplate("{{ x }}").evaluate({ x: [exactNumber("1e5")] }))).toBe("[1e5]")
  })
})
