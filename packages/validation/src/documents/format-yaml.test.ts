import { parseJsonExactly } from "@assay/json"
import { expect, it } from "vitest"
import { formatYaml } from "./format-yaml.ts"
import { parseYaml } from "./parse-yaml.ts"

it("YAML of a value is read as the same value, with the digits of its numbers and without control characters", () => {
  const json =
    '{"rows":[{"n":1.50,"id":12345678901234567890,"text":"a\\u001b\\u202eb: #","yes":"no","mark":"exact_0_"}]}'
  const yaml = formatYaml(parseJsonExactly(json))
  expect(["\u001B", "\u202E"].filter((mark) => yaml.includes(mark))).toEqual([])
  expect(yaml).toContain("n: 1.50\n")
  expect(JSON.stringify(parseYaml(yaml, "a.yaml").value)).toBe(JSON.stringify(parseJsonExactly(json)))
})
