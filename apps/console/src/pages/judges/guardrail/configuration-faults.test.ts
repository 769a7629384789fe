import { expect, it } from "vitest"
import { configurationFaults } from "./configuration-faults.ts"

it("a fault of a configuration has its line, as YAML and as JSON", () => {
  expect(configurationFaults("rails:\n  input:\n    flows: [self check input]\n")).toEqual([])
  expect(configurationFaults("models: []\nrails:\n  input:\n    flows: 3\n")).toMatchObject([
    { line: 4, text: expect.stringMatching(/^'rails\.input\.flows': /u) },
  ])
  expect(configurationFaults('{\n  "models": 3\n}')).toMatchObject([{ line: 2 }])
  expect(configurationFaults("rails: [")).toMatchObject([{ line: 1 }])
})
