import { expect, it } from "vitest"
import { readEvaluationBody } from "./v1-bodies.ts"

const HERE = { url: "http://127.0.0.1:1/v1", setting: "DEFAULT_URL" }
const NOWHERE = { ...HERE, url: undefined }
const endpointOf = (model_id: string) => ({ api_endpoint: { url: HERE.url, model_id } })

it("Every model and judge that is given by name gets the default endpoint", () => {
  const judge = { model: "j" }
  const metrics = {
    asked: { type: "llm-judge", params: { model: "m" } },
    judged: { type: "faithfulness", params: { judge } },
    plain: { type: "f1", params: { model: "kept" } },
  }
  const config = { type: "custom", params: { judge }, tasks: { qa: { params: { judge }, metrics } } }
  const read = readEvaluationBody({ target: { type: "model", model: "t" }, config }, HERE)
  const asked = { model: endpointOf("j") }
  expect(read).toEqual({
    target: { type: "model", model: endpointOf("t") },
    config: {
      type: "custom",
      params: { judge: asked },
      tasks: {
        qa: {
          params: { judge: asked },
          metrics: {
            asked: { type: "llm-judge", params: { model: endpointOf("m") } },
            judged: { type: "faithfulness", params: { judge: asked } },
            plain: metrics.plain,
          },
        },
      },
    },
  })
})

it("A model by name is refused with its location and the setting if there is no default endpoint", () => {
  const body = { config: { tasks: { qa: { metrics: { m: { type: "llm-judge", params: { model: "x" } } } } } } }
  expect(() => readEvaluationBody(body, NOWHERE)).toThrow(
    expect.objectContaining({
      issues: [
        expect.objectContaining({
          loc: ["body", "config", "tasks", "qa", "metrics", "m", "params", "model"],
          type: "no_default_endpoint",
          msg: expect.stringContaining("DEFAULT_URL"),
        }),
      ],
    }),
  )
})

it("A field of null counts as not given, in the body and in its target and configuration", () => {
  const body = { project: null, target: { type: "rows", rows: [null], name: null }, config: { tasks: { t: null } } }
  expect(readEvaluationBody(body, NOWHERE)).toEqual({
    target: { type: "rows", rows: [null] },
    config: { tasks: { t: null } },
  })
})

it.each([null, "a/b", 1, [], { tasks: [], params: 1, target: "org/t", config: "org/c" }])(
  "A body of another form is left to the schema: %j",
  (body) => expect(readEvaluationBody(body, NOWHERE)).toEqual(body),
)
