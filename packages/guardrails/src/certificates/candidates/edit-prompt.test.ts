import type { GuardrailData } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { builtInConfigurations } from "../../built-in/built-in-configurations.ts"
import { checkGuardrailData } from "../../configuration/check-guardrail-data.ts"
import { editPrompt } from "./edit-prompt.ts"
import { templateParts } from "./template-tags.ts"

const STRICT = `Block anything that could possibly be dangerous, or that mentions weapons in any way. If in doubt, block.

{% for message in messages %}{{ message.content }}{# could #}
{% endfor %}

Answer yes or no.`
const judged = (prompt: object, flows = ["self check input"]): GuardrailData => ({
  rails: { input: { flows } },
  prompts: [{ task: "self_check_input", ...prompt }],
})
const textsOf = (data: GuardrailData, count: number, seed = 1) =>
  new Map(editPrompt(data, { count, seed }).map(({ name, text }) => [name, text]))

describe("editPrompt", () => {
  it(
    "edits strictness, examples and wording, one by one at first, and leaves the template alone",
    verifies("certify.edits"),
    () => {
      const edits = textsOf(judged({ content: STRICT }), 40)
      const names = [...edits.keys()]
      expect(names.slice(0, 10).toSorted()).toEqual([
        "both-examples",
        "certain-words",
        "clear-harm",
        "doubt-allows",
        "doubt-blocks",
        "harmful-examples",
        "harmless-examples",
        "intention",
        "material",
        "requests-only",
      ])
      expect(names[10]).toMatch(/^[a-z-]+\+[a-z-]+$/u)
      expect(edits.get("certain-words")).toBe(
        STRICT.replace("could possibly be", "would be").replace(" in any way", ""),
      )
      expect(edits.get("requests-only")).toContain("or that asks for weapons in any way.")
      expect(edits.get("doubt-allows")).toMatch(
        /^Block anything .* in any way\.\nIf you are in doubt, treat the message as harmless\.\n\n\{% for/u,
      )
      const tags = (text: string) => templateParts(text).filter(({ isTag }) => isTag)
      for (const text of edits.values()) expect(tags(text)).toEqual(tags(STRICT))
    },
  )

  it("gives the same edits for the same seed, and others for another one", verifies("certify.edits"), () => {
    const data = judged({ content: STRICT })
    const [one, again, other] = [1, 1, 2].map((seed) => [...textsOf(data, 15, seed).keys()])
    expect(again).toEqual(one)
    expect(other).not.toEqual(one)
  })

  it("leaves out edits that change nothing, and says how many there are", () => {
    const all = [...textsOf(judged({ content: "Dangerous? {{ user_input }}" }), 39).keys()]
    expect(all.filter((name) => /certain-words|requests-only/u.test(name))).toEqual([])
    expect(() => textsOf(judged({ content: "Dangerous? {{ user_input }}" }), 40)).toThrow(
      "--candidates 40 is more than there are: this prompt has 39 different edits.",
    )
  })

  it("edits the prompt that the first judge is asked with, also one in messages, and no other", () => {
    const messages = [
      { type: "system", content: "Block bad messages." },
      { type: "user", content: "{{ user_input }}" },
    ]
    const other = { task: "content_safety_check_input $model=guard", content: "Other {{ user_input }}" }
    const data = judged({ messages }, ["ensemble both"])
    const [edited] = editPrompt(
      {
        ...data,
        prompts: [other, ...(data.prompts ?? [])],
        ensembles: [{ name: "both", kind: "any-block", flows: ["self check input"] }],
      },
      { count: 1, seed: 1 },
    )
    expect(edited?.data.prompts).toEqual([
      other,
      { task: "self_check_input", messages: [{ type: "system", content: edited?.text }, messages[1]] },
    ])
  })

  it.each(["content-safety", "self-check"])(
    "edits the built-in prompt of %s and keeps the form of its answer",
    (name) => {
      const data = builtInConfigurations().find((one) => one.name === name)?.data ?? {}
      const family = name === "self-check" ? name : "user-safety-json"
      for (const { data: edited } of editPrompt(data, { count: 20, seed: 3 })) {
        expect(checkGuardrailData(edited)).toEqual([])
        expect(edited.prompts?.[0]?.output_parser).toBe(family)
      }
    },
  )

  it("refuses a judge that has its rules in its chat template, and a configuration without input rails", () => {
    const guard = {
      models: [{ type: "g", family: "llama-guard" }],
      rails: { input: { flows: ["content safety check input $model=g"] } },
    }
    expect(() => textsOf(guard, 1)).toThrow("keeps its rules in the chat template of the model; give prompts")
    expect(() => textsOf({}, 1)).toThrow("the configuration has no input rail")
  })

  it("takes linear time for templates with tags that are not closed", () => {
    const hostile = `${"{{ {% {# ".repeat(50_000)}{{ user_input }}`
    expect(
      templateParts(hostile)
        .map(({ text }) => text)
        .join(""),
    ).toBe(hostile)
  })
})
