import { expect, it } from "vitest"
import { askedFields, fieldsToLabel, referenceOf } from "./template-fields.ts"

const template = { messages: [{ role: "user", content: "{{ item.question }} {% if item['hint'] %}!{% endif %}" }] }
const check = {
  type: "string-check",
  params: { check: ["{{ sample.output_text }}", "contains", "{{ item.gold | lower }}"] },
}

it("the fields of prompts and metrics are found in the braces of their templates", () => {
  const words = askedFields({ tasks: { qa: { params: { template }, metrics: { check } } } })
  expect(["question", "hint", "gold"].filter((name) => words.has(name))).toEqual(["question", "hint", "gold"])
  expect(words.has("role")).toBe(false)
})

it("the question of stored answers is shown to those who label them, although no template names it", () => {
  const shown = (params: Record<string, unknown>, item: Record<string, unknown>) => [
    ...fieldsToLabel(
      { tasks: { qa: { params, output: "{{ item.reply }}", metrics: { check } } } },
      { task: "qa", item, output: "It is Madrid." },
    ),
  ]
  const item = { id: 7, question: "Capital of Spain?", gold: "Madrid", reply: "It is Madrid.", score: 0.5 }
  expect(shown({}, item)).toEqual(["question", "gold"])
  expect(shown({ template }, { ...item, source: "a" })).toEqual(["question", "gold", "reply"])
  expect(shown({}, { id: 7 })).toEqual(["id"])
})

it("the reference is the field that a metric uses and the prompt does not, or one with a usual name", () => {
  const task = { params: { template }, metrics: { check } }
  expect(referenceOf(task, { question: "q", answer: "b", gold: "a" })).toEqual({ name: "gold", text: "a" })
  expect(referenceOf({ params: { template } }, { question: "q", expected: 8 })).toEqual({ name: "expected", text: "8" })
  expect(referenceOf(task, { question: "q", gold: ["a"], hint: "h" })).toBeUndefined()
  expect(referenceOf(undefined, { topic: "x" })).toBeUndefined()
})
