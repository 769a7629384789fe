import { describe, expect, it } from "vitest"
import { compileTemplate } from "./compile-template.ts"
import { templateErrorOf } from "./testing/template-error-of.ts"
import type { TemplateValues } from "./template.ts"

const render = (source: string, values: TemplateValues = {}) => compileTemplate(source).render(values)
const evaluate = (source: string, values: TemplateValues = {}) => compileTemplate(source).evaluate(values)

const row = { question: "Why?", answer: "So.", meta: { lang: "en", tags: ["a", "b"] }, n: 3, empty: null }

describe("a template of a prompt", () => {
  it("is rendered with values", () => {
    const source =
      "Check {{ item.question }}\n{% for tag in item.meta.tags %}- {{ tag }}\n{% endfor %}{{ n }}, {{ item.empty }}"
    expect(render(source, { item: row, n: 1.5 })).toBe("Check Why?\n- a\n- b\n1.5, ")
  })

  it("keeps its white space, except one line feed at the end", () => {
    expect(render("a\n  {% if true %}\n  b\n  {% endif %}\nc\n\n")).toBe("a\n  \n  b\n  \nc\n")
    expect(render("a\n  {%- if true %}\n  b\n  {%- endif %}\nc")).toBe("a\n  b\nc")
    expect(render("{{ x }}\n", { x: "line\n" })).toBe("line\n")
  })

  it("may consist of text only, or be empty", () => {
    expect(render("just { text } # %")).toBe("just { text } # %")
    expect(render("")).toBe("")
    expect(evaluate("{# nothing #}")).toBe("")
  })

  it.each([
    ["a\n{{ x | uper }}", "has the filter 'uper', which Jinja does not know; did you mean 'upper'? (line 2)"],
    [
      "{% if x is defind %}a{% endif %}",
      "has the test 'defind', which Jinja does not know; did you mean 'defined'? (line 1)",
    ],
    ["{{ x | zzzzz(1) | upper }}", "has the filter 'zzzzz', which Jinja does not know (line 1)"],
    ["{{ x | map('upper') | join(y | nofilter) }}", "has the filter 'nofilter', which Jinja does not know (line 1)"],
    ["{{ x | round(2) }}", "has the filter 'round'; Jinja in Python has it, the engine here does not (line 1)"],
  ])("that names an unknown filter or test is refused when it is compiled: %j", (source, message) => {
    expect(templateErrorOf(() => compileTemplate(source)).message).toBe(`The template ${message}.`)
  })

  it("may have filters and tests of Jinja, and those of the engine alone", () => {
    expect(compileTemplate("{{ n | bool }}{% if n is odd %}{{ x | wordcount }}{% endif %}").names).toEqual(["n", "x"])
  })

  it("has syntax errors with the line and the reason", () => {
    const error = templateErrorOf(() => compileTemplate("one\n{{ two", { name: "self_check_input" }))
    expect(error.message).toBe(
      "The template 'self_check_input' can't be parsed: '{{' is not closed with '}}' (line 2).",
    )
    expect(error.context).toEqual({ template: "self_check_input", line: 2 })
    expect(templateErrorOf(() => compileTemplate("{% raw %}{% endraw %}")).message).toBe(
      "The template can't be parsed: Unknown statement type: raw; Jinja in Python has it, the engine here does not (line 1).",
    )
  })

  it("reads only names of its values, which may hide functions but not keywords", () => {
    const columns = { range: "r", namespace: "n", true: "no", none: "no", loop: "l", constructor: "c" }
    expect(render("{{ range }}{{ namespace }}{{ true }}{{ none }}{{ loop }}{{ constructor }}", columns)).toBe(
      "rntruelc",
    )
    expect(render("{% if true %}{{ range ~ namespace ~ loop }}{% endif %}", columns)).toBe("rnl")
  })
})

describe("a template that is one expression", () => {
  it.each([
    ["{{ item.n }}", 3],
    ["{{ item.n + 0.5 }}", 3.5],
    ["{{ item.n > 2 }}", true],
    ["{{ item.meta }}", row.meta],
    ["{{ item.meta.tags }}\n", row.meta.tags],
    ["{{ item.meta.tags | length }}", 2],
    ["{{ item.empty }}", null],
    ["{{ none }}", null],
    ["{{ 'a' if false }}", null],
    ["{# why #}{{ item['question'] }}", "Why?"],
    ["{{ {'a': [1, item.n]} }}", { a: [1, 3] }],
    ["{{ item.meta | tojson }}", '{"lang": "en", "tags": ["a", "b"]}'],
  ])("%s keeps its type", (source, expected) => {
    expect(evaluate(source, { item: row })).toEqual(expected)
  })

  it.each([
    [" {{ item.n }}", " 3"],
    ["{{ item.n }}{{ item.n }}", "33"],
    ["{% if true %}{{ item.n }}{% endif %}", "3"],
    ["{{ item.n }}.", "3."],
  ])("does not include %s, which gives a text", (source, expected) => {
    expect(evaluate(source, { item: row })).toBe(expected)
  })
})

describe("what a template reads", () => {
  it("is listed with lines before anything is rendered", () => {
    const source = [
      "{{ user_input }} {{ item.question }} {{ item['a column'] }}",
      "{% for m in item.messages %}{{ m.content }}{{ loop.index }}{% endfor %}{{ item.messages[0].content }}",
      "{% if item.context is defined %}{{ item.context.text }}{% endif %}{{ note | default('') }}",
      "{% set total = item.a.b | int(places) %}{{ total }}{{ item.text.strip() }}{{ range(item.n) }}{{ true }}",
    ].join("\n")
    const { names, paths, reads } = compileTemplate(source)
    expect(names).toEqual(["user_input", "item", "places"])
    expect(paths).toEqual(["item.question", "item.a column", "item.messages", "item.a.b", "item.text", "item.n"])
    expect(reads.find(({ path }) => path.join(".") === "item.a.b")).toEqual({
      path: ["item", "a", "b"],
      line: 4,
      isOptional: false,
    })
    expect(reads.filter(({ isOptional }) => isOptional).map(({ path }) => path.join("."))).toEqual([
      "item.context",
      "item.context.text",
      "note",
    ])
  })
})
