import { describe, expect, it } from "vitest"
import { parseTemplate } from "./parse-template.ts"

const WHITESPACE = { lstrip_blocks: true, trim_blocks: true }
const faultOf = (source: string) => parseTemplate(source, WHITESPACE).fault

describe("a template that can't be parsed", () => {
  it.each([
    ["one\n{{ a b }}", 2, "'}}' is expected before 'b'"],
    ["one\n{{ question }", 2, "'}}' is expected before '}'"],
    ["{% if a }\n{% endif %}", 1, "'%}' is expected before '}'"],
    ["{{ f(a }}", 1, "'}}' is not expected here"],
    ["{% if a %}\n{% foo %}\n{% endif %}", 2, "Unknown statement type: foo"],
    ["a\n{# b\n c #}\n{% for x y %}{% endfor %}", 4, "Expected `in` keyword following loop variable"],
    ["{% if a %}\n\n{% endfor %}", 3, "Unknown statement type: endfor"],
    ["{{ a }}\n{{ $ }}\n{{ b }}", 2, "Unexpected character: $"],
    ["{{ a }}\n{{ '\\q' }}\n", 2, "Unexpected escaped character: q"],
    ["{{ a }}\n\n{{ f(x=1, 2) }}", 3, "Positional arguments must come before keyword arguments"],
    ["{% set x = [1,\n2,\n3 %}", 3, "'%}' is not expected here"],
    ["a\n{% generation %}\nb\n{% endgeneration %}\n{{ ! }}", 5, "Unexpected character: !"],
  ])("reports the fault of %j in line %d", (source, line, message) => {
    expect(faultOf(source)).toEqual({ line, text: `can't be parsed: ${message}`, isGap: false })
  })

  it.each([
    ["a\n{{ b\nc", 2, "'{{' is not closed with '}}'"],
    ["{{", 1, "'{{' is not closed with '}}'"],
    ["a\n\n{% if b", 3, "'{%' is not closed with '%}'"],
    ["a {# b\nc", 1, "'{#' is not closed with '#}'"],
    ["a\n{{ 'b }}\nc", 2, "'{{' is not closed with '}}'"],
    ["{% if a %}\n{% for b in c %}\n{{ b }}\n{% endfor %}\n", 1, "'if' is not closed with 'endif'"],
    ["{% if a %}\n{% for b in c %}\n{{ b }}\n", 2, "'for' is not closed with 'endfor'"],
    ["{% set a = 1 %}\n{% set b %}\ntext", 2, "'set' is not closed with 'endset'"],
    ["{% if a %}\n{% set b = 1 %}\n", 1, "'if' is not closed with 'endif'"],
    ["{%- macro f(a) -%}\n{{ a }}", 1, "'macro' is not closed with 'endmacro'"],
  ])("reports for %j the tag or block of line %d that is not closed", (source, line, message) => {
    expect(faultOf(source)).toEqual({ line, text: `can't be parsed: ${message}`, isGap: false })
  })

  it("is located by bisection if it is long", () => {
    const source = `${"{{ a }}\n".repeat(1000)}{{ ; }}\n${"{{ a }}\n".repeat(1000)}`
    expect(faultOf(source)?.line).toBe(1001)
  })
})

describe("the lines of a template's nodes", () => {
  it("equal those of the source, after removed white space, comments and texts", () => {
    const source = [
      "first",
      "    {%- if a -%}",
      "{# not {{ b }} here",
      "#} text {{ 'it\\'s }} %}' ~",
      '   "b"',
      '   "c" ~',
      '   "z" }}',
      "{%- generation -%}",
      "{%- set d = {'e': [f, 1.5]}[g] | h(i=j) -%}",
      "{%- endgeneration %}",
      "{%- for k, l in m if n is defined -%} {{- k -}} {%- else -%}",
      "o {{ p if q else r }}",
      "{%- endfor %}{%- endif %}",
    ].join("\n")
    const { template } = parseTemplate(source, WHITESPACE)
    const locations = [...(template?.lines ?? [])].flatMap(([node, line]) => {
      const value = "value" in node && typeof node.value === "string" ? node.value : ""
      return /^\w+$/.test(value) ? [`${value}${line}`] : []
    })
    const lines = "first1 a2 bc5 z7 d9 e9 f9 g9 h9 i9 j9 k11 l11 m11 n11 defined11 k11 p12 r12 q12"
    expect(locations.toSorted()).toEqual(lines.split(" ").toSorted())
  })
})
