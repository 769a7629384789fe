import { parseYaml } from "@assay/validation"
import { AssayError } from "@assay/schemas/errors"
import { expect, it } from "vitest"
import { locateChecks, locateRefusal } from "./locate-checks.ts"

const DOCUMENT = parseYaml(
  "config:\n  params: {limit_sample: 3}\n  tasks:\n    a.b:\n      dataset: {files_url: ./x.csv}\n",
  "eval.yaml",
)

it.each([
  ["config.params.limit_sample: has no effect", "eval.yaml:2:12: config.params.limit_sample: has no effect"],
  ["tasks.a.b.metrics: is empty", "eval.yaml:4:5: tasks.a.b.metrics: is empty"],
  ["Rows are missing (config.tasks.a.b.dataset).", "Rows are missing (eval.yaml:5:7, config.tasks.a.b.dataset)."],
  [
    "The template 'tasks.a.b.dataset.files_url' can't be parsed",
    "The template 'eval.yaml:5:17, tasks.a.b.dataset.files_url' can't be parsed",
  ],
  ["target.model: is missing", "target.model: is missing"],
  ["The config.params: of others", "The config.params: of others"],
])("the message '%s' of a check gets file and line", (message, located) => {
  expect(locateChecks([{ message }], DOCUMENT)).toEqual([{ message: located }])
  const refused = new AssayError("launch_refused", "No.", { context: { failed_checks: [{ message }] } })
  expect(locateRefusal(refused, DOCUMENT)).toMatchObject({ context: { failed_checks: [{ message: located }] } })
})

it("other errors stay as they are", () => {
  const error = new AssayError("not_found", "config.params: x")
  expect(locateRefusal(error, DOCUMENT)).toBe(error)
})
