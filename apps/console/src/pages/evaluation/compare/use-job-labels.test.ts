import { expect, it } from "vitest"
import { labelled } from "./use-job-labels.ts"

it("jobs of one name are told apart by their model, then by their prompt, and at last by their id", () => {
  const details: Readonly<Record<string, readonly string[]>> = {
    a: ["small", "prompt 1", "a"],
    b: ["large", "prompt 1", "b"],
    c: ["large", "prompt 2", "c"],
    d: ["large", "prompt 2", "d"],
  }
  const names = (...ids: string[]) =>
    labelled(
      ids.map((id) => ({ id, name: "nightly" })),
      (id) => details[id] ?? [],
    ).map(({ name }) => name)
  expect(names("a", "b")).toEqual(["nightly · small", "nightly · large"])
  expect(names("a", "b", "c")[2]).toBe("nightly · large · prompt 2")
  expect(names("c", "d")).toEqual(["nightly (c)", "nightly (d)"])
  expect(labelled([{ id: "x", name: "one" }], () => [])).toEqual([{ id: "x", name: "one" }])
})
