import { describe, expect, it } from "vitest"
import { examineTemplate } from "./examine-template.ts"

const examine = (template: string, tokens = {}) => examineTemplate({ template, tokens })

const chatml = `{%- if tools %}
{{- '<|im_start|>system\\n' }}
{%- for tool in tools %}{{ tool | tojson }}{% endfor %}
{%- endif %}
{%- for message in messages %}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' }}
{%- for call in message.tool_calls | default([]) %}
{{- '<tool_call>' + (call.function.arguments | tojson) + '</tool_call>' }}
{%- endfor %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}`

describe("a chat template", () => {
  it("is valid if it renders conversations with and without tools", () => {
    expect(examine(chatml)).toEqual({
      fault: null,
      toolFault: null,
      toolTurnFault: null,
      readsTools: true,
      unknownNames: [],
    })
  })

  it("has its fault in the line that fails", () => {
    expect(examine("a\n{% for m in messages %}\n{{ m.content | shine }}\n{% endfor %}").fault).toEqual({
      line: 3,
      text: "can't be rendered: Unknown filter: shine",
      isGap: false,
    })
    expect(examine("{% for m in messages %}\n{{ m.nothing() }}{% endfor %}").fault).toMatchObject({ line: 2 })
    expect(examine("{% macro f(x) %}\n{{ x.y() }}\n{% endmacro %}\n{{ f(1) }}").fault).toMatchObject({ line: 2 })
  })

  it("may raise exceptions, but not for a plain conversation", () => {
    const strict = "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}fine"
    expect(examine(strict).fault).toBeNull()
    expect(examine("\n{{ raise_exception('never') }}").fault).toEqual({
      line: 2,
      text: "raises an exception: never",
      isGap: false,
    })
  })

  it("may require content in parts", () => {
    const parts = "{% for m in messages %}{% for part in m.content %}{{ part.text }}{% endfor %}{% endfor %}"
    expect(examine(parts).fault).toBeNull()
  })

  it("has a fault only with tools if it fails only with tools", () => {
    const report = examine("{% if tools %}\n{{ raise_exception('no tools') }}{% endif %}{{ messages[0].content }}")
    expect(report).toMatchObject({ fault: null, toolFault: { line: 2 }, readsTools: true })
  })

  it("may require the arguments of tool calls as text or as an object", () => {
    const calls = (write: string) =>
      `{{ tools | length }}{% for m in messages %}{% for c in m.tool_calls | default([]) %}\n${write}{% endfor %}{% endfor %}`
    expect(examine(calls("{{ 'x' + c.function.arguments }}")).toolTurnFault).toBeNull()
    expect(examine(calls("{{ c.function.arguments.items() }}")).toolTurnFault).toBeNull()
    expect(examine(calls("{{ c.function.arguments.nothing() }}"))).toMatchObject({
      toolFault: null,
      toolTurnFault: { line: 2 },
    })
  })

  it("has warnings about undefined names with their lines", () => {
    const source = [
      "{{ bos_token }}{{ system_text }}",
      "{% if enable_thinking is defined and enable_thinking %}x{% endif %}{{ date | default('today') }}",
      "{% set ns = namespace(found=false) %}{% set ns.found = true %}{{ ns.found }}",
      "{% macro f(a, b=1) %}{{ a ~ b ~ caller }}{% endmacro %}{{ f(c=2) }}{{ messages | map(attribute='role') | list }}",
      "{% for k, v in messages[0].items() %}{{ loop.index ~ k ~ v }}{% endfor %}{{ strftime_now('%d') }}",
      "{{ other.messages }}{{ system_text }}",
    ].join("\n")
    expect(examine(source).unknownNames).toEqual([
      { name: "system_text", line: 1 },
      { name: "other", line: 6 },
    ])
  })

  it("can use the tokens of its tokenizer", () => {
    const strict = "{% if bos_token != '<s>' %}{{ raise_exception(bos_token) }}{% endif %}"
    expect(examine(strict, { bos_token: "<s>" }).fault).toBeNull()
    expect(examine(strict).fault).not.toBeNull()
  })

  it("gets the same date every day, and no infinite range", () => {
    expect(
      examine("{% if strftime_now('%d %b %Y') != '26 Jul 2024' %}{{ raise_exception('') }}{% endif %}").fault,
    ).toBeNull()
    expect(examine("{% for i in range(3) %}{{ i }}{% endfor %}{{ range(5, 1, -2) | length }}").fault).toBeNull()
    expect(examine("{{ range(10000000000) }}").fault).toMatchObject({ line: 1 })
    expect(examine("{{ range(1, 2, 0) }}").fault).toMatchObject({ line: 1 })
  })

  it("is stopped in the line that keeps doubling a value", () => {
    const doubling = (start: string, operator: string) =>
      `{% set ns = namespace(a=${start}) %}{% for i in range(60) %}\n{% set ns.a = ns.a ${operator} ns.a %}{% endfor %}`
    const fault = {
      line: 2,
      text: "can't be rendered: it makes a text or a list of more than 1000000 entries",
      isGap: false,
    }
    expect(examine(doubling("[1, 2, 3]", "+")).fault).toEqual(fault)
    expect(examine(doubling("'abc'", "~")).fault).toEqual(fault)
  })

  it.each(["{{ messages[0].content | filesizeformat }}", "{{ messages[0].content | xmlattr }}"])(
    "has no fault for features that this engine lacks: %s",
    (template) => {
      expect(examine(template).fault).toMatchObject({ line: 1, isGap: true })
    },
  )

  it.each([
    "{{ messages[0].content | shine }}",
    "{% shine %}",
    "{{ messages[0].content.shine() }}",
    "{{ shine() }}",
    "{% for x in none %}{% endfor %}",
    "{{ 1 is shiny }}",
  ])("has a fault for functions that exist nowhere: %s", (template) => {
    expect(examine(template).fault).toMatchObject({ line: 1, isGap: false })
  })
})
