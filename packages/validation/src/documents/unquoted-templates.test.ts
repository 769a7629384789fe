import { expect, it } from "vitest"
import { parseYaml } from "./parse-yaml.ts"

it.each([
  [
    "model: m\nprompt: {{ question }}\n",
    'eval.yaml:2:9: {{ question }} without quotes is an object in YAML, not a template: put it in quotes, as in "{{ question }}".',
  ],
  [
    "prompt: {{ a }}\nchecks:\n  - equals: {{ answer }}\n  - contains: {{ answer }}\n",
    `eval.yaml:1:9: {{ a }} without quotes is an object in YAML, not a template: put it in quotes, as in "{{ a }}". Also at eval.yaml:3:13, eval.yaml:4:15.`,
  ],
  ["a: 1\n? [b, c]\n: d\n", "eval.yaml:1:1: This object has a list or an object as a key, which is not possible here."],
  ["a: 1\nprompt: {{ q }} is it?\n", "; put a text that begins with {{ in quotes."],
])("YAML with a template without quotes, or with a list as a key, is refused with its place: %j", (text, message) => {
  expect(() => parseYaml(text, "eval.yaml")).toThrow(message)
})

it("YAML with templates in quotes and objects in one line is read", () => {
  expect(parseYaml('a: "{{ b }}"\nc: { d: { e: 1 } }\nf: [{ g: {} }]\n', "eval.yaml").value).toEqual({
    a: "{{ b }}",
    c: { d: { e: 1 } },
    f: [{ g: {} }],
  })
})
