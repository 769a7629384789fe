import { expect, it } from "vitest"
import { partingTexts } from "./prompt-of-job.ts"
import { labelled } from "./use-job-labels.ts"

it("jobs of one name are told apart by as few of model, prompt and launch as are needed, and at last by their id", () => {
  const details: Readonly<Record<string, readonly string[]>> = {
    a: ["small", "prompt 1", "09:30"],
    b: ["large", "prompt 1", "09:30"],
    c: ["large", "prompt 2", "09:30"],
    d: ["large", "prompt 2", "09:30"],
    e: ["large", "prompt 2", "09:31"],
  }
  const names = (...ids: string[]) =>
    labelled(
      // The server adds ids to equal names.
      ids.map((id) => ({ id, name: id === "a" ? `nightly (${id})` : "nightly" })),
      (id) => details[id] ?? [],
    ).map(({ name }) => name)
  expect(names("a", "b")).toEqual(["nightly · small", "nightly · large"])
  expect(names("a", "b", "c")[2]).toBe("nightly · large · prompt 2")
  expect(names("d", "e")).toEqual(["nightly · 09:30", "nightly · 09:31"])
  expect(names("a", "d", "e").at(-1)).toBe("nightly · large · 09:31")
  expect(names("c", "d")).toEqual(["nightly (c)", "nightly (d)"])
  const ofModels = ["small", "large"].map((group) => ({ id: group, name: "nightly", group }))
  expect(labelled(ofModels, () => []).map(({ name }) => name)).toEqual(["nightly", "nightly"])
  expect(labelled([{ id: "x", name: "one" }], () => [])).toEqual([{ id: "x", name: "one" }])
})

it("prompts with the same beginning are shown from the words before they part", () => {
  const prompt = "You are a careful teacher of arithmetic. {{ item.question }}"
  expect(partingTexts([prompt, `${prompt} Be brief.`])).toEqual([
    "… {{ item.question }}",
    "… {{ item.question }} Be brief.",
  ])
  expect(partingTexts(["Say it.", "Say it twice."])).toEqual(["Say it.", "Say it twice."])
  expect(partingTexts([prompt])).toEqual([prompt])
  expect(partingTexts([])).toEqual([])
})
