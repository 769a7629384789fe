import { describe, expect, it } from "vitest"
import { CreateModel, ModelName } from "./model.ts"

const pattern = (text: string | undefined) => new RegExp(text ?? "", "u")

describe("the name of a model", () => {
  const name = pattern(ModelName.pattern)

  it.each(["llama-3.1-8b", "Qwen2_5", "..."])("can be %s", (text) => {
    expect(name.test(text)).toBe(true)
  })

  it.each(["", ".", "..", "a/b", "a b", "ä", "a\n"])("can't be %j", (text) => {
    expect(name.test(text)).toBe(false)
  })
})

describe("the fileset of a model", () => {
  const fileset = pattern(CreateModel.properties.fileset.pattern)

  it.each(["weights", "default/weights", "team-a/v1.0_final"])("can be %s", (text) => {
    expect(fileset.test(text)).toBe(true)
  })

  it.each(["", "/weights", "a/b/c", "default/", "a b", "default/ä"])("can't be %j", (text) => {
    expect(fileset.test(text)).toBe(false)
  })
})
