import { checkReferences } from "@assay/jobs"
import { readLaunchFacts } from "@assay/attempts"
import type { EvaluationConfigBody, EvaluationTargetBody, Grant } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  callerWith,
  EDITOR,
  INSIDE,
  openTestEnvironment,
  type TestEnvironment,
  VIEWER,
} from "../testing/open-test-environment.ts"
import { jobCaller } from "./evaluation-requests.ts"

let test: TestEnvironment
beforeAll(async () => {
  test = await openTestEnvironment()
})
afterAll(() => test[Symbol.asyncDispose]())

describe("A reference of a launch", () => {
  const subject = (target: object, config: object = {}) => ({
    namespace: "default",
    target: { type: "dataset", ...target } as EvaluationTargetBody,
    config: { type: "custom", ...config } as EvaluationConfigBody,
  })
  const check = (caller: typeof INSIDE, ...named: Parameters<typeof subject>) =>
    checkReferences(readLaunchFacts(subject(...named)), jobCaller(caller).rights, test.context)

  it.each([
    ["a dataset", VIEWER, [{ dataset: { files_url: "hf://datasets/shared/questions" } }], "not_found"],
    ["a secret", EDITOR, [{}, { params: { a: [{ api_key_secret: "shared/key" }] } }], "secret_not_readable"],
    ["a guardrail", EDITOR, [{}, { type: "content_safety", params: { guardrail: "shared/guard" } }], "not_found"],
    [
      "a judge",
      EDITOR,
      [{}, { type: "calibration", tasks: { judge: { params: { guardrail: "shared/guard" } } } }],
      "not_found",
    ],
  ] as const)(
    "to %s of another workspace needs the right there",
    verifies("auth.cross-workspace-secrets"),
    async (_what, allowed, [target, config], code) => {
      await expect(check(INSIDE, target, config)).rejects.toMatchObject({ code })
      await check(allowed, target, config)
    },
  )

  it("to a guardrail needs the right to the secrets that it uses", async () => {
    const config = { type: "content_safety", tasks: { t: { params: { guardrail: "shared/guard" } } } }
    await expect(check(VIEWER, {}, config)).rejects.toMatchObject({ code: "secret_not_readable" })
  })
})

it("A job is granted named workspaces, or all of them", () => {
  const grantsOf = (...held: readonly Grant[]) => jobCaller(callerWith(...held)).grants
  expect(grantsOf({ workspace: "*", role: "admin" })).toBe("all")
  expect(grantsOf({ workspace: "*", role: "viewer" }, ...EDITOR.grants)).toEqual(["default", "shared"])
})
