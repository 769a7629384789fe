import { expect, it } from "vitest"
import { nearestNames } from "./nearest-names.ts"

const NAMES = ["meta/llama-3.1-8b-instruct", "meta/llama-3.1-70b-instruct", "mistral-7b", "text-embed"]

it.each([
  ["llama-3.1-8b-instruct", "meta/llama-3.1-8b-instruct"],
  ["meta/Llama-3.1-8B-Instruct", "meta/llama-3.1-8b-instruct"],
  ["lama-3.1-70b-instruct", "meta/llama-3.1-70b-instruct"],
  ["mistral7b", "mistral-7b"],
  ["mistral", "mistral-7b"],
])("the nearest to %s is %s", (name, nearest) => {
  expect(nearestNames(name, NAMES)[0]).toBe(nearest)
})

it("nothing is near to what is another word altogether", () => {
  expect(nearestNames("gpt-oss-120b", NAMES)).toEqual([])
})
