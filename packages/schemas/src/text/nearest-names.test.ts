import { verifies } from "@assay/testkit"
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

it("a name that is another word has no nearest names", () => {
  expect(nearestNames("gpt-oss-120b", NAMES)).toEqual([])
  expect(nearestNames("nope.yaml", ["e8op.yaml", "c39e.yaml"])).toEqual([])
  expect(nearestNames("ab", ["cd"])).toEqual([])
  expect(nearestNames("nop.yaml", ["nope.yaml", "nope.yml"])).toEqual(["nope.yaml", "nope.yml"])
})

it("names above 200 characters have no nearest names and are never among them", verifies("errors.bounded"), () => {
  const long = "a".repeat(20_000)
  expect(nearestNames(long, ["a".repeat(100), "a"])).toEqual([])
  expect(nearestNames("a".repeat(100), [long])).toEqual([])
  expect(nearestNames("mistral", [long, "mistral-7b"])).toEqual(["mistral-7b"])
})

it("only the first thousand names of a listing are compared", verifies("errors.bounded"), () => {
  const others = Array.from({ length: 999 }, () => "x".repeat(180))
  expect(nearestNames("mistral", [...others, "mistral-7b"])).toEqual(["mistral-7b"])
  expect(nearestNames("mistral", [...others, "another", "mistral-7b"])).toEqual([])
})
