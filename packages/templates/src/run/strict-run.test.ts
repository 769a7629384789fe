import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { compileTemplate } from "../compile-template.ts"
import { templateErrorOf } from "../testing/template-error-of.ts"
import type { TemplateValues } from "../template.ts"

const render = (source: string, values: TemplateValues = {}) => compileTemplate(source).render(values)

const row = { question: "Why?", answer: "So.", meta: { lang: "en", tags: ["a", "b"] }, n: 3, empty: null }

describe("a missing value", () => {
  it.each([
    [
      "{{ usr_input }}",
      "reads `usr_input`, which is not there (did you mean `user_input`?); there is: user_input, item",
    ],
    ["{{ zebra }}", "reads `zebra`, which is not there; there is: user_input, item"],
    [
      "{{ item.qestion }}",
      "reads `item.qestion`, which is not there (did you mean `question`?); `item` has: question, answer, meta, n, empty",
    ],
    [
      "{{ item.meta.long }}",
      "reads `item.meta.long`, which is not there (did you mean `lang`?); `item.meta` has: lang, tags",
    ],
    ["{{ item.zebra.a }}", "reads `item.zebra`, which is not there; `item` has: question, answer, meta, n, empty"],
    [
      "{{ item.zebra.a | default(1) }}",
      "reads `item.zebra`, which is not there; `item` has: question, answer, meta, n, empty",
    ],
    ["{{ item.n.a }}", "reads `item.n.a`, which is not there; `item.n` is a number"],
    ["{{ item.empty.a }}", "reads `item.empty.a`, which is not there; `item.empty` is null"],
    [
      "{{ item.meta.tags[2] }}",
      "reads `item.meta.tags[2]`, which is not there; `item.meta.tags` is a list of 2 entries",
    ],
    ["{{ item.items }}", "reads `item.items`, which is not there; `item` has: question, answer, meta, n, empty"],
    [
      "{% if item.zebra %}{% endif %}",
      "reads `item.zebra`, which is not there; `item` has: question, answer, meta, n, empty",
    ],
    ["{% for x in zebra %}{% endfor %}", "reads `zebra`, which is not there; there is: user_input, item"],
    ["{{ zebra or 'x' }}", "reads `zebra`, which is not there; there is: user_input, item"],
    ["{{ zebra | tojson }}", "reads `zebra`, which is not there; there is: user_input, item"],
    ["{{ [zebra] }}", "reads `zebra`, which is not there; there is: user_input, item"],
    ["{{ zebra() }}", "reads `zebra`, which is not there; there is: user_input, item"],
    [
      "{% for t in [item.meta] %}{{ t.lng }}{% endfor %}",
      "reads `t.lng`, which is not there (did you mean `lang`?); `t` has: lang, tags",
    ],
    [
      "{% set tag = 1 %}{{ tagg }}",
      "reads `tagg`, which is not there (did you mean `tag`?); there is: user_input, item, tag",
    ],
    ["{{ item.meta.tags[2:] | first }}", "reads what `first` finds in an empty list"],
    ["{{ [item] | map(attribute='zebra') | join(',') }}", "reads an attribute that not all entries have, with `map`"],
    ["{{ range }}", "can't be rendered: it names a function without calling it"],
    ["{{ dict(a=1) }}", "calls `dict`, which Jinja in Python has and the engine here has not"],
    [
      "{{ item.question.zfill(3) }}",
      "calls `item.question.zfill`, which Jinja in Python has and the engine here has not",
    ],
  ])("is an error: %s", (source, expected) => {
    const error = templateErrorOf(() => render(`\n\n${source}`, { user_input: "hi", item: row }))
    expect(error.message).toBe(`The template ${expected} (line 3).`)
    expect(error.context).toEqual({ template: null, line: 3 })
  })

  it.each([
    ["{{ zebra is defined }}", "false"],
    ["{{ item.zebra is undefined }}", "true"],
    ["{{ item.zebra is none }}{{ item.zebra is string }}", "falsefalse"],
    ["{{ zebra | default('x') }}{{ item.zebra | default('y', true) }}", "xy"],
    ["{{ item.items | default('none') }}{{ item.items is defined }}", "nonefalse"],
    ["{{ [] | first | default('none') }}", "none"],
    ["{% if item.zebra is defined and item.zebra %}{{ zebra }}{% endif %}", ""],
    ["{{ 'a' if false }}", ""],
    ["{{ 'yes' if 'question' in item else 'no' }}{{ item.get('zebra', 'z') }}", "yesz"],
    ["{% for k, v in item.meta.items() %}{{ k }}{% endfor %}", "langtags"],
  ])("is not an error if the template tests for it first: %s", (source, expected) => {
    expect(render(source, { item: row })).toBe(expected)
  })

  it("includes a property whose value is undefined, and its error lists at most 20 names", () => {
    expect(templateErrorOf(() => render("{{ a }}", { a: undefined, b: 1 })).message).toContain("there is: b (line 1)")
    const wide = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`column_${index + 10}`, 1]))
    const { message } = templateErrorOf(() => render("{{ item.column_x }}", { item: wide }))
    expect(message).toContain("did you mean `column_10`?")
    expect(message).toContain("column_29, and 10 more (line 1)")
  })
})

describe("names of any length", () => {
  it("get no suggestion above 100 characters, and are cut in messages", verifies("errors.bounded"), () => {
    const long = "a".repeat(20_000)
    const { message } = templateErrorOf(() => render(`{{ item.${long}b }}`, { item: { [long]: 1, [`${long}c`]: 2 } }))
    expect(message).toContain("which is not there; `item` has: aaaa")
    expect(message).not.toContain("did you mean")
    expect(message.length).toBeLessThan(1000)
  })

  it("are compared with a bounded number of names of a row", verifies("errors.bounded"), () => {
    const item = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`column_of_some_length_${index}`, 1]))
    const { message } = templateErrorOf(() => render("{{ item.colum_of_some_length_7 }}", { item }))
    expect(message).toContain("did you mean `column_of_some_length_7`?")
  })
})
