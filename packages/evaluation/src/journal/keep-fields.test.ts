import { describe, expect, it } from "vitest"
import { keepFields } from "./keep-fields.ts"

const ITEM = { about: { topic: { name: "a", kind: "b" }, text: "long" }, "about.text": "short", tags: ["x"], other: 1 }

describe("the kept fields of an item", () => {
  it("are whole fields, and single values at paths", () => {
    expect(keepFields(ITEM, ["tags"])).toEqual({ tags: ["x"] })
    expect(keepFields(ITEM, ["about.topic.name"])).toEqual({ about: { topic: { name: "a" } } })
    expect(keepFields(ITEM, ["about.text"])).toEqual({ "about.text": "short" })
    expect(keepFields(ITEM, ["about.text.x", "missing", "other.x"])).toEqual({})
  })

  it("are whole if a shorter path names them, in any order", () => {
    const topic = { about: { topic: { name: "a", kind: "b" } } }
    expect(keepFields(ITEM, ["about.topic.name", "about.topic"])).toEqual(topic)
    expect(keepFields(ITEM, ["about.topic", "about.topic.name"])).toEqual(topic)
    expect(keepFields(ITEM, ["about.topic.name", "about.topic.kind"])).toEqual(topic)
    expect(keepFields(ITEM, ["about.topic.name", "about"])).toEqual({ about: ITEM.about })
  })
})
