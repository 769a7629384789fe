import { describe, expect, it } from "vitest"
import { compileRequestTemplate } from "@assay/scoring"
import { compileStructure } from "@assay/scoring/testing"

/** A template of about 600,000 steps: the budget allows one, but not two. */
const COSTLY = "{% for a in range(100000) %}{% endfor %}{{ item.x }}"

describe("templates that are rendered without a pause", () => {
  const values = { item: { x: "1" } }

  it("have one budget each", () => {
    expect(compileRequestTemplate({ prompt: COSTLY }, "t").render(values).messages[0]?.content).toBe("1")
  })

  it("share one budget in the messages of a request", () => {
    const messages = [1, 2, 3].map(() => ({ role: "user", content: COSTLY }))
    const request = compileRequestTemplate({ messages }, "t")
    expect(() => request.render(values)).toThrow("takes more than 1000000 steps to render")
  })

  it("share one budget in a structure, at any depth", () => {
    const structure = compileStructure({ a: [COSTLY, { b: COSTLY }], c: COSTLY }, "t")
    expect(() => structure.render(values)).toThrow("takes more than 1000000 steps to render")
  })

  it("get a new budget for each row", () => {
    const request = compileRequestTemplate({ prompt: COSTLY }, "t")
    for (let row = 0; row < 3; row++) expect(request.render(values).messages).toHaveLength(1)
  })
})
