import { describe, expect, it } from "vitest"
import { CreateModel, ModelName } from "./model.ts"

const pattern = (text: string | undefined) => new RegExp(text ?? "", "u")

describe("ModelName", () => {
  const name = pattern(ModelName.pattern)

  it.each(["llama-3.1-8b", "Qwen2_5", "..."])("accepts %s", (text) => {
    expect(name.test(text)).toBe(true)
  })

  it.each(["", ".", "..", "a/b", "a b", "ä", "a\n"])("refuses %j", (text) => {
    expect(name.test(text)).toBe(false)
  })
})

describe("the fileset of CreateModel", () => {
  const fileset = pattern(CreateModel.properties.fileset.anyOf[0].pattern)

  it.each(["weights", "default/weights", "team-a/v1.0_final"])("accepts %s", (text) => {
    expect(fileset.test(text)).toBe(true)
  })

  it.each(["", "/weights", "a/b/c", "default/", "a b", "default/ä"])("refuses %j", (text) => {
    expect(fileset.test(text)).toBe(false)
  })
})
