import type { ConditionCode } from "@assay/schemas"
import {
  type FakeHub,
  type FakeInference,
  type FakeObjstore,
  type HubFault,
  type ObjstoreFault,
  startFakeHub,
  startFakeInference,
  startFakeObjstore,
  verifies,
} from "@assay/testkit"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { askConfig, EVALUATION, modelTarget } from "../../testing/evaluation-bodies.ts"
import { explainedJob } from "../../testing/explained-job.ts"
import { FILES, SECRETS, startTestServer, type TestServer } from "../../testing/start-test-server.ts"

const ROWS = Buffer.from('{"word":"one"}\n{"word":"two"}\n')

let server: TestServer
let fake: FakeInference
let hub: FakeHub
let store: FakeObjstore
beforeAll(async () => {
  fake = await startFakeInference()
  hub = await startFakeHub({ repositories: [{ id: "acme/questions", type: "dataset", files: { "rows.jsonl": ROWS } }] })
  store = await startFakeObjstore()
  store.write("rows.jsonl", ROWS)
  server = await startTestServer({ ASSAY_ALLOWED_HOSTS: "127.0.0.1", ASSAY_CACHE_MAX_BYTES: "0" })
  for (const [name, value] of [
    ["id", store.accessKeyId],
    ["key", store.secretAccessKey],
  ]) {
    await server.call("POST", `${SECRETS}/default/secrets`, { json: { name, value } })
  }
  await create("words")
  await create("of-hub", { type: "hub", repo_id: "acme/questions", repo_type: "dataset", endpoint: hub.url })
  await create("of-store", {
    type: "objstore",
    bucket: store.bucket,
    region: store.region,
    endpoint_url: store.endpoint,
    access_key_id_secret: "id",
    secret_access_key_secret: "key",
  })
  await server.call("PUT", `${FILES}/default/filesets/words/-/rows.jsonl`, { body: ROWS })
  const broken = '{"word":"one"}\n{"word":\n{"other":"two"}\n'
  await server.call("PUT", `${FILES}/default/filesets/words/-/broken.jsonl`, { body: broken })
})
beforeEach(() => {
  hub.faults.clear()
  store.faults.clear()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await Promise.all([fake.close(), hub.close(), store.close()])
})

async function create(name: string, storage?: object): Promise<void> {
  const json = { name, purpose: "dataset", ...(storage === undefined ? {} : { storage }) }
  const { status, text } = await server.call("POST", `${FILES}/default/filesets`, { json })
  if (status >= 300) throw new Error(text)
}

const asking = (filesUrl: string) =>
  explainedJob(server, { target: modelTarget(fake.url), config: askConfig(filesUrl) })

describe("a dataset", () => {
  it(
    "of another form is reported in the words that people know",
    verifies("brief.condition.dataset-format"),
    async () => {
      const config = askConfig("")
      const task = { ...config.tasks.qa, dataset: { path: "rows.jsonl" } }
      const { condition } = await explainedJob(server, {
        target: modelTarget(fake.url),
        config: { ...config, tasks: { qa: task } },
      })
      const text =
        'Dataset {"path":"rows.jsonl"} is not in the expected format; it needs to have the files_url property set'
      expect(condition("dataset_format").message).toContain(text)
      expect(condition("dataset_format").remedy).toMatch(/:\/\/datasets\//)
    },
  )

  it(
    "that does not exist is reported in the words that people know, with similar names",
    verifies("brief.condition.dataset-missing"),
    async () => {
      const fileRef = "hf://datasets/default/words/row.jsonl"
      const { condition, next } = await asking(fileRef)
      const found = condition("dataset_missing")
      expect(found.message).toContain(`Error occurred while checking the existence of file ${fileRef} on the datastore`)
      expect(found.message).toContain(`Dataset ${fileRef} is not present on datastore`)
      expect(found.message + found.remedy).toContain("rows.jsonl")
      expect(next[0]).toBe("assay ls default/words")
    },
  )

  it("with rows that can't be used is reported with their locations", async () => {
    const { condition, next } = await asking("assay://datasets/default/words/broken.jsonl")
    expect(condition("rows_invalid")).toMatchObject({
      count: 1,
      evidence: [expect.stringMatching(/row 1: The row in line 2 of 'broken\.jsonl' is not JSON/)],
    })
    expect(next).toContain("assay dataset validate default/words")
  })
})

const refused = (status: number, code: string): HubFault => ({
  kind: "refuse",
  status,
  message: "Refused.",
  headers: { "x-error-code": code },
})

describe("the hub behind a dataset", () => {
  const askHub = async (fault: HubFault) => {
    hub.faults.add({ fault })
    return asking("assay://datasets/default/of-hub/rows.jsonl")
  }

  it(
    "that gates it is reported with the page to ask for access",
    verifies("condition.storage", "brief.condition.gated"),
    async () => {
      const { status, condition } = await askHub(refused(403, "GatedRepo"))
      expect(status).toBe("FAILED")
      expect(condition("gated_dataset").message).toContain("dataset 'acme/questions'")
      expect(condition("gated_dataset").remedy).toContain(
        `Ask for access at ${hub.url}/datasets/acme/questions. Request access`,
      )
    },
  )

  it.each<readonly [HubFault, ConditionCode]>([
    [refused(401, "RepoNotFound"), "hub_not_found"],
    [{ kind: "refuse", status: 403, message: "Access to this resource is disabled." }, "hub_disabled"],
    [{ kind: "refuse", status: 401, message: "Invalid credentials in Authorization header" }, "storage_auth"],
  ])("that answers %j makes it %s", verifies("condition.storage"), async (fault, code) => {
    const { status, condition } = await askHub(fault)
    expect(status).toBe("FAILED")
    expect(condition(code).message).toContain("dataset 'acme/questions'")
  })
})

describe("the object store behind a dataset", () => {
  it.each<readonly [ObjstoreFault, ConditionCode]>([
    [{ kind: "refuse", status: 403, code: "AccessDenied" }, "storage_auth"],
    [{ kind: "refuse", status: 404, code: "NoSuchBucket" }, "storage_not_found"],
    [{ kind: "redirect", status: 301, to: "http://127.0.0.1:9", region: "eu-west-1" }, "storage_region"],
    [{ kind: "refuse", status: 403, code: "RequestTimeTooSkewed" }, "storage_clock"],
    [{ kind: "refuse", status: 501, code: "NotImplemented" }, "storage_incompatible"],
    [{ kind: "proxy-page", status: 403 }, "storage_auth"],
  ])("that answers %j makes it %s", verifies("condition.storage"), async (fault, code) => {
    store.faults.add({ fault })
    const { status, condition } = await asking("assay://datasets/default/of-store/rows.jsonl")
    expect(status).toBe("FAILED")
    expect(condition(code).evidence).not.toEqual([])
  })
})

it(
  "A datastore that does not answer is reported in the words that people know",
  verifies("brief.condition.datastore"),
  async () => {
    const gone = await startFakeHub({
      repositories: [{ id: "acme/gone", type: "dataset", files: { "rows.jsonl": ROWS } }],
    })
    await create("gone", { type: "hub", repo_id: "acme/gone", repo_type: "dataset", endpoint: gone.url })
    await gone.close()
    const fileRef = "hf://datasets/default/gone/rows.jsonl"
    const body = { target: modelTarget(fake.url), config: askConfig(fileRef) }
    const { condition, next } = await explainedJob(server, body)
    expect(condition("datastore_unreachable").message).toContain(
      `Error occurred while checking the existence of file ${fileRef} on the datastore`,
    )
    expect(next[0]).toBe("assay doctor")
    const launched = await server.call("POST", `${EVALUATION}/jobs`, { json: body })
    expect(launched.json).toMatchObject({
      detail: "Job cannot be launched",
      failed_checks: [{ code: "datastore_unreachable" }],
    })
  },
)
