import { runInNewContext } from "node:vm"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compileTemplate } from "../compile-template.ts"
import { templateErrorOf } from "../testing/template-error-of.ts"

/** The first is rendered as a plain template, the second by the engine. */
const PLAIN = "<{{ text }}|{{ row.text }}>"
const ENGINE = "<{% if true %}{{ text }}{% endif %}|{{ row['te' ~ 'xt'] }}>"

describe("the values of a template", () => {
  it.each([PLAIN, ENGINE])("are rendered as themselves, with any content: %s", (source) => {
    const template = compileTemplate(source)
    const sole = compileTemplate("{{ row.text }}")
    const tricky = fc.constantFrom(
      "{{ 7 * 7 }}",
      "{% raw %}",
      "{#",
      "-%}\n",
      "$&",
      "$1",
      "\\n",
      "\u2028",
      "\ud800",
      "<b>&",
    )
    const texts = fc.oneof(fc.string({ unit: "binary" }), tricky)
    fc.assert(
      fc.property(texts, (text) => {
        expect(template.render({ text, row: { text } })).toBe(`<${text}|${text}>`)
        expect(sole.evaluate({ row: { text } })).toBe(text)
      }),
    )
  })

  it("keep their types if the template is one expression", () => {
    const template = compileTemplate("{{ row.value }}")
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(template.evaluate({ row: { value } })).toEqual(value)
      }),
    )
  })

  it("are rendered alike by the short path for plain templates and by the engine", () => {
    const plain = compileTemplate("{{ a }} {{ row.b }} {{ row.c.d }}")
    const whole = compileTemplate("{% if true %}{{ a }} {{ row.b }} {{ row.c.d }}{% endif %}")
    const value = fc.oneof(fc.jsonValue(), fc.double(), fc.constant(undefined))
    const rows = fc.record({ b: value, c: fc.oneof(value, fc.record({ d: value })) }, { requiredKeys: [] })
    const outcome = (work: () => string) => {
      try {
        return work()
      } catch (error) {
        return String(error)
      }
    }
    fc.assert(
      fc.property(fc.record({ a: value, row: fc.oneof(rows, value) }, { requiredKeys: [] }), (values) => {
        expect(outcome(() => plain.render(values))).toBe(outcome(() => whole.render(values)))
      }),
    )
  })

  it.each(["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"])(
    "expose no property of JavaScript objects: %s",
    (name) => {
      const values = { row: { text: "a", list: [1], n: 1 } }
      const reads = ["row", "row.text", "row.list", "row.n"].flatMap((of) => [`${of}.${name}`, `${of}['${name}']`])
      for (const read of [name, ...reads]) {
        expect(templateErrorOf(() => compileTemplate(`{{ ${read} }}`).render(values)).message).toContain("is not there")
        expect(compileTemplate(`{{ ${read} is defined }}`).evaluate(values)).toBe(false)
      }
      const own = JSON.parse(`{"row": {"${name}": "mine"}}`) as { readonly row: object }
      expect(compileTemplate(`{{ row.${name} }}{% if true %}{{ row['${name}'] }}{% endif %}`).render(own)).toBe(
        "minemine",
      )
      expect(compileTemplate("{{ row }}").evaluate(own)).toEqual(own.row)
    },
  )

  it.each([
    [{ row: { at: new Date(0) } }, "`row.at` is of the class Date"],
    [{ row: { at: { each: [1, 2n] } } }, "`row.at.each[1]` is a bigint"],
    [{ row: { at: () => "code" } }, "`row.at` is a function"],
    [{ row: new Map() }, "`row` is of the class Map"],
  ])("have to be data: case %# is refused", (values, expected) => {
    expect(templateErrorOf(() => compileTemplate("{{ row.at }}").render(values)).message).toContain(
      `can't be rendered: ${expected}; give texts,`,
    )
  })

  it("may come from another realm", () => {
    const row = runInNewContext("({ at: { b: [1] } })") as object
    expect(compileTemplate("{{ row.at.b }}").render({ row })).toBe("[1]")
  })

  it("are converted only as far as the template reads them", () => {
    const row = {
      text: "a",
      get huge() {
        throw new Error("was read")
      },
    }
    expect(compileTemplate("{% if row.text %}{{ row.text }}{% endif %}").render({ row, other: () => 1 })).toBe("a")
  })
})

describe("a template that takes too long", () => {
  const loops = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
  const doubled = (from: string, twice: string) =>
    `{% set ns = namespace(a=${from}) %}{% for i in range(60) %}\n{% set ns.a = ${twice} %}{% endfor %}{{ ns.a | tojson }}`

  it.each([
    [loops, "takes more than 1000000 steps to render"],
    [doubled("'abc'", "ns.a ~ ns.a"), "makes a text or a list of more than 4194304 characters and entries (line 2)"],
    [doubled("[1]", "ns.a + ns.a"), "takes more than 1000000 steps to render (line 2)"],
    [
      doubled("[1]", "[ns['a'], ns['a']]"),
      "makes a text or a list of more than 4194304 characters and entries (line 2)",
    ],
    [
      doubled("{}", "{'a': ns.a, 'b': ns.a}"),
      "makes a text or a list of more than 4194304 characters and entries (line 2)",
    ],
    ["{{ range(1000000) }}", "range() of more than 100000 numbers (line 1)"],
    ["{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "it goes too deep"],
    ["{% set ns = namespace() %}{% set ns.a = ns %}{{ ns | tojson }}", "it goes too deep"],
  ])("is stopped: %s", (source, expected) => {
    expect(templateErrorOf(() => compileTemplate(source).render({})).message).toContain(expected)
  })

  const text = "ab ".repeat(1_000_000)
  const list = Array.from({ length: 300_000 }, (_, index) => `s${index}`)
  it.each([
    ["text | upper"],
    ["'zz' in text"],
    ["text.replace('a', '')"],
    ["text.split(' ')"],
    ["text ~ i"],
    ["text == text[1:]"],
    ["'zz' in list"],
    ["list | tojson"],
    ["list | sort"],
    ["list[1:]"],
  ])("is stopped if each step goes through a large value: %s", { timeout: 120_000 }, (expression) => {
    const source = `{% for i in range(100000) %}{% set x = ${expression} %}{% endfor %}`
    const template = compileTemplate(source)
    expect(templateErrorOf(() => template.render({ text, list })).message).toContain("takes more than 1000000 steps")
  })

  it("may go through large texts several times", () => {
    const source = "{% for i in range(10) %}{% if 'zz' in text | trim | lower %}{% endif %}{% endfor %}done"
    expect(compileTemplate(source).render({ text: "ab ".repeat(300_000) })).toBe("done")
  })

  it.each([
    ["1+".repeat(70_000), "has 140000 characters; 131072 are allowed"],
    [`${" ".repeat(60_000)}{%- x %}`, "has more than 500 blanks in a row"],
  ])("is refused if parsing would take too long", (source, expected) => {
    expect(templateErrorOf(() => compileTemplate(source)).message).toContain(expected)
  })

  it("is stopped if values are nested too deeply", () => {
    let deep: unknown = 1
    for (let i = 0; i < 100_000; i++) deep = [deep]
    expect(templateErrorOf(() => compileTemplate("{{ deep }}").render({ deep })).message).toContain("too deep")
  })

  it.each([
    ["{{ 'a' ~ [1] }}", "`~`"],
    ["{{ [[1]] | join(',') }}", "`join`"],
  ])("can't join a list or an object to a text: %s", (source, word) => {
    expect(templateErrorOf(() => compileTemplate(source).render({})).message).toContain(
      `${word} joins texts, but not lists or objects; write them with \`tojson\``,
    )
  })
})
