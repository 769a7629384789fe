import { describe, expect, it } from "vitest"
import { compileTemplate } from "../compile-template.ts"
import { parseTemplate } from "../syntax/parse-template.ts"
import { outerNames } from "./outer-names.ts"

function namesIn(source: string): readonly string[] {
  const { template } = parseTemplate(source, { lstrip_blocks: true, trim_blocks: true })
  if (template === null) throw new Error("The template of the test can't be parsed.")
  return outerNames(template.program, template.lines).map(({ name, isOptional }) => (isOptional ? `${name}?` : name))
}

describe("the names that a template reads from outside", () => {
  it.each([
    ["{% if custom is defined %}{% set tools = custom %}{% endif %}{{ tools }}", ["custom?", "tools?"]],
    ["{% set tools = tools or [] %}{{ tools }}", ["tools"]],
    ["{% set tools %}{{ tools }}{% endset %}{{ tools }}", ["tools"]],
    ["{% if a %}{% set x = 1 %}{% else %}{% set x = 2 %}{% endif %}{{ x }}", ["a"]],
    ["{% if a %}{% set x = 1 %}{% elif b %}{% set x = 2 %}{% endif %}{{ x }}", ["a", "b", "x?"]],
    ["{% for x in y %}{% set tools = x %}{{ tools }}{% endfor %}{{ tools }}", ["y", "tools"]],
    ["{% for tools in tools %}{{ tools }}{% endfor %}", ["tools"]],
    ["{% for x in y if x.a and z %}{{ loop.index }}{% else %}{{ x }}{% endfor %}", ["y", "z", "x"]],
    ["{% macro f(tools) %}{{ tools }}{% endmacro %}{{ f(1) }}{{ tools }}", ["tools"]],
    ["{% macro f(a=tools) %}{{ late }}{{ varargs }}{% endmacro %}{% set late = 1 %}{{ f() }}", ["tools"]],
    ["{% macro f() %}{{ tools }}{% endmacro %}{% if a %}{% set tools = 1 %}{% endif %}", ["a", "tools?"]],
    ["{% call(x) f(tools) %}{{ x }}{% endcall %}{{ x }}", ["f", "tools", "x"]],
    ["{% filter trim %}{% set x = 1 %}{{ x }}{% endfilter %}{{ x }}", ["x"]],
    ["{% set a, b = c %}{{ a }}{{ b }}", ["c"]],
    ["{% set ns.a = tools %}{{ x.tools }}{{ x | map(attribute=b) }}{{ f(tools=1) }}", ["tools", "ns", "x", "b", "f"]],
  ])("%s", (source, names) => {
    expect(namesIn(source).toSorted()).toEqual(names.toSorted())
  })

  it("include one that the template sets to itself", () => {
    const { names, reads } = compileTemplate("{% set user_input = user_input | trim %}{{ user_input }}")
    expect(names).toEqual(["user_input"])
    expect(reads).toEqual([{ path: ["user_input"], line: 1, isOptional: false }])
    const branch = compileTemplate("{% if user_input %}{% set text = 'a' %}{% endif %}\n{{ text.b }}")
    expect(branch.names).toEqual(["user_input"])
    expect(branch.reads.at(-1)).toEqual({ path: ["text", "b"], line: 2, isOptional: true })
  })
})
