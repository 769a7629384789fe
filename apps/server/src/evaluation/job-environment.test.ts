import { checkLaunch } from "@assay/attempts"
import { createHostEnvironment, rightsOfGrants, type HostEnvironmentOptions, type JobHost } from "@assay/jobs"
import type { ApiEndpoint, EvaluationConfigBody, EvaluationTargetBody } from "@assay/schemas"
import { startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createHostPolicy } from "@assay/http/node"
import {
  EDITOR,
  inferencePorts,
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

const environmentOf = (
  rights = jobCaller(INSIDE).rights,
  options: Partial<HostEnvironmentOptions> = {},
  own: Partial<JobHost> = {},
) =>
  createHostEnvironment(
    { ...test.context, ...own },
    {
      workspace: "default",
      workFolder: test.folder,
      rights,
      ...options,
    },
  )
const endpoint = (more: Partial<ApiEndpoint>) => ({ url: "http://127.0.0.1:1/v1", model_id: "m", ...more })

it("The requests of a job are its own, so that jobs take turns at an endpoint", verifies("paces.fair"), async () => {
  expect((await environmentOf(undefined, { job: "eval-1" })).inference.sender).toBe("eval-1")
})

describe("the datasets of a job", () => {
  it("are filesets, pinned by their id and the digests of their files", verifies("eval.pins"), async () => {
    const { pin } = await (await environmentOf()).openDataset("hf://datasets/default/questions/rows.jsonl")
    const { id } = await test.context.registry.filesets.get("default", "questions")
    expect(pin).toMatchObject({ fileset: "default/questions", fileset_id: id, files: [{ path: "rows.jsonl" }] })
    expect(pin.files[0]?.sha256).toMatch(/^[0-9a-f]{64}$/)
  })

  it("do not exist in workspaces that the caller may not see", async () => {
    const url = "assay://datasets/shared/questions"
    await expect((await environmentOf()).openDataset(url)).rejects.toMatchObject({
      code: "dataset_missing",
      message: expect.not.stringContaining("near it"),
    })
    expect((await (await environmentOf(jobCaller(VIEWER).rights)).openDataset(url)).paths).toEqual(["rows.jsonl"])
  })
})

describe("the keys of a job", () => {
  it(
    "are secrets of its own workspace, and of others that were granted",
    verifies("auth.cross-workspace-secrets", "secret-ref.rights"),
    async () => {
      const shared = endpoint({ api_key_secret: "shared/key" })
      expect(await (await environmentOf()).resolveKey(endpoint({ api_key_secret: "key" }))).toBe("of default")
      for (const caller of [INSIDE, VIEWER]) {
        await expect((await environmentOf(jobCaller(caller).rights)).resolveKey(shared)).rejects.toMatchObject({
          code: "secret_not_readable",
        })
      }
      expect(await (await environmentOf(jobCaller(EDITOR).rights)).resolveKey(shared)).toBe("of shared")
      expect(await (await environmentOf(rightsOfGrants(jobCaller(EDITOR).grants))).resolveKey(shared)).toBe("of shared")
      const environment = await environmentOf(rightsOfGrants(jobCaller(VIEWER).grants))
      await expect(environment.resolveSecret("shared/key")).rejects.toMatchObject({ code: "secret_not_readable" })
    },
  )

  it("may be inline before they are stored, and never come from a variable", async () => {
    const environment = await environmentOf()
    expect(await environment.resolveKey(endpoint({ api_key: "inline" }))).toBe("inline")
    expect(await environment.resolveKey(endpoint({ api_key: "******", api_key_secret: "key" }))).toBe("of default")
    expect(await environment.resolveKey(endpoint({}))).toBeUndefined()
    await expect(environment.resolveKey(endpoint({ api_key_env: "HOME" }))).rejects.toMatchObject({
      code: "secret_not_readable",
    })
  })
})

describe("the guardrail of a job", () => {
  it("is found by its name, and its secrets are named with their workspace", async () => {
    const environment = await environmentOf(jobCaller(VIEWER).rights)
    for (const [name, secret] of [
      ["guard", "default/key"],
      ["shared/guard", "shared/key"],
    ] as const) {
      expect((await environment.getGuardrail(name)).models?.[0]?.api_key_secret).toBe(secret)
    }
    await expect((await environmentOf()).getGuardrail("shared/guard")).rejects.toMatchObject({ code: "not_found" })
  })

  it("may be a built-in one", async () => {
    const environment = await environmentOf()
    expect(await environment.getGuardrail("self-check")).toEqual(await environment.getGuardrail("system/self-check"))
    await expect(environment.getGuardrail("none")).rejects.toMatchObject({ code: "not_found" })
  })
})

describe("the endpoints of a job", () => {
  it("are called only at hosts that the operator allows, under any name", verifies("launch.endpoints"), async () => {
    const fake = await startFakeInference()
    const model = { api_endpoint: { url: `${fake.url}/v1`, model_id: "chat" } }
    const check = { type: "string-check", params: { check: ["{{sample.output_text}}", "contains", "{{answer}}"] } }
    const task = { params: { template: "{{output}}" }, metrics: { check }, dataset: "default/questions" }
    const config: EvaluationConfigBody = { type: "custom", tasks: { qa: task } }
    const subject = { namespace: "default", target: { type: "model", model } as EvaluationTargetBody, config }
    const { signal } = new AbortController()
    expect(await checkLaunch(subject, await environmentOf(), { signal })).toMatchObject({ failed: [], warnings: [] })
    const asked = fake.requests.length
    const policy = createHostPolicy({ rules: [], unlisted: "public", setting: "ASSAY_ALLOWED_INFERENCE_HOSTS" })
    const guarded = await environmentOf(jobCaller(INSIDE).rights, {}, inferencePorts(policy))
    const { failed } = await checkLaunch(subject, guarded, { signal })
    expect(failed).toMatchObject([{ check: "endpoint", code: "host_not_allowed" }])
    const { checkEndpoint: _door, ...doorless } = guarded
    expect((await checkLaunch(subject, doorless, { signal })).failed).toMatchObject([{ check: "endpoint" }])
    expect(fake.requests.length).toBe(asked)
    await fake.close()
  })
})
