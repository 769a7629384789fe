import { rmSync } from "node:fs"
import { join } from "node:path"
import type { Grant } from "@assay/schemas"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createTokens } from "../testing/create-tokens.ts"
import { askConfig, CHECK, endOf, EVALUATION, GIVEN, modelTarget } from "../testing/evaluation-bodies.ts"
import { type Call, ENTITIES, FILES, SECRETS, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const JOBS = `${EVALUATION}/jobs`
const GRANTS: Readonly<Record<string, readonly Grant[]>> = {
  root: [{ workspace: "*", role: "admin" }],
  editor: [{ workspace: "default", role: "editor" }],
  viewer: [{ workspace: "default", role: "viewer" }],
  /** May see the shared workspace, but may not use its secrets. */
  beside: [
    { workspace: "default", role: "editor" },
    { workspace: "shared", role: "viewer" },
  ],
  inside: [
    { workspace: "default", role: "editor" },
    { workspace: "shared", role: "editor" },
  ],
  outside: [{ workspace: "shared", role: "editor" }],
}
const KEY = "sk-shared-key-1"
const SHARED_WORDS = "assay://datasets/shared/words/rows.jsonl"

let server: TestServer
let fake: FakeInference
let job: string
let tokens: ReadonlyMap<string, string>
beforeAll(async () => {
  fake = await startFakeInference({ key: KEY })
  server = await startTestServer({ ASSAY_AUTH: "tokens", ASSAY_ALLOWED_INFERENCE_HOSTS: "127.0.0.1" })
  tokens = await createTokens(server, GRANTS)
  await as("root", "POST", ENTITIES, { json: { name: "shared" } })
  await as("root", "POST", `${SECRETS}/shared/secrets`, { json: { name: "key", value: KEY } })
  await as("root", "POST", `${FILES}/shared/filesets`, { json: { name: "words", purpose: "dataset" } })
  await as("root", "PUT", `${FILES}/shared/filesets/words/-/rows.jsonl`, { body: '{"word":"a"}\n' })
  const target = { ...modelTarget(fake.url, { api_key_secret: "key" }), name: "t", namespace: "shared" }
  await as("root", "POST", `${EVALUATION}/targets`, { json: target })
  await as("root", "POST", `${EVALUATION}/configs`, { json: { ...CHECK, name: "c" } })
  job = (await launch("editor", { target: GIVEN, config: CHECK })).json.id
  await endOf(server, job, bearer("editor"))
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await fake.close()
})

const bearer = (who: string) => ({ authorization: `Bearer ${tokens.get(who)}` })
const as = (who: string, method: string, path: string, options: Call = {}) =>
  server.call(method, path, { ...options, headers: { ...bearer(who), ...options.headers } })
const launch = (who: string, json: object) => as(who, "POST", `${JOBS}?skip_validation_checks=1`, { json })

it(
  "Viewers may read jobs, targets and configurations, and editors may launch, change and remove them",
  verifies("eval.rights", "auth.viewer", "auth.editor"),
  async () => {
    for (const what of ["", "/status", "/events", "/results", "/logs", "/explain", "/download-results"]) {
      expect((await as("viewer", "GET", `${JOBS}/${job}${what}`)).status).toBe(200)
      expect((await server.call("GET", `${JOBS}/${job}${what}`)).status).toBe(401)
    }
    const writes = [
      ["POST", JOBS, { target: GIVEN, config: CHECK }],
      ["POST", `${JOBS}/check`, { target: GIVEN, config: CHECK }],
      ["POST", `${EVALUATION}/live`, { target: GIVEN, config: CHECK }],
      ["POST", `${EVALUATION}/targets`, GIVEN],
      ["POST", `${EVALUATION}/configs`, CHECK],
      ["PATCH", `${EVALUATION}/configs/default/c`, { description: "d" }],
      ["POST", `${JOBS}/${job}/retry-failed`, undefined],
    ] as const
    for (const [method, path, json] of writes) {
      expect([path, (await as("viewer", method, path, { json })).status]).toEqual([path, 403])
      expect([path, (await as("editor", method, path, { json })).status < 300]).toEqual([path, true])
    }
    await endOf(server, job, bearer("editor"))
    expect((await as("viewer", "DELETE", `${JOBS}/${job}`)).status).toBe(403)
    expect((await as("viewer", "GET", `${EVALUATION}/configs/default/c`)).json.description).toBe("d")
  },
)

it(
  "Records that a caller may not see do not exist for the caller, also in listings",
  verifies("eval.rights", "auth.hidden", "auth.listing"),
  async () => {
    const hidden = await as("outside", "GET", `${JOBS}/${job}`)
    const missing = await as("outside", "GET", `${JOBS}/none`)
    expect([hidden.status, hidden.text.replace(job, "none")]).toEqual([404, missing.text])
    expect((await as("outside", "POST", `${JOBS}/${job}/cancel`)).status).toBe(404)
    expect((await as("outside", "GET", `${EVALUATION}/configs/default/c`)).status).toBe(404)
    expect((await as("outside", "GET", `${EVALUATION}/compare?jobs=${job},x`)).status).toBe(404)
    const pair = await as("outside", "GET", `${EVALUATION}/compare/rows?a=${job}&b=${job}&metric=accuracy`)
    expect(pair.status).toBe(404)
    expect((await as("outside", "GET", JOBS)).json.data).toEqual([])
    expect((await as("outside", "GET", `${JOBS}?filter[namespace]=default`)).status).toBe(404)
    const names = async (who: string, kind: string) =>
      (await as(who, "GET", `${EVALUATION}/${kind}`)).json.data.map(({ name }: { name: string }) => name)
    expect(await names("outside", "targets")).toEqual(["t"])
    expect(await names("outside", "configs")).toEqual([])
    expect((await as("outside", "GET", `${EVALUATION}/configs/default/c`)).status).toBe(404)
    expect(
      (await as("editor", "POST", `${EVALUATION}/targets`, { json: { ...GIVEN, namespace: "shared" } })).status,
    ).toBe(404)
  },
)

it(
  "A job needs rights in the workspace of each secret, dataset and target that it names",
  verifies("eval.rights", "auth.cross-workspace-secrets"),
  async () => {
    const keyed = modelTarget(fake.url, { api_key_secret: "shared/key" })
    const config = askConfig(SHARED_WORDS)
    for (const target of ["shared/t", keyed]) {
      const { status, json } = await launch("beside", { target, config })
      expect([status, json.code]).toEqual([400, "secret_not_readable"])
    }
    expect((await as("beside", "POST", `${EVALUATION}/targets`, { json: keyed })).json.code).toBe("secret_not_readable")
    for (const body of [
      { target: "shared/t", config: askConfig("assay://datasets/default/words/rows.jsonl") },
      { target: modelTarget(fake.url), config },
    ]) {
      expect((await launch("editor", body)).json.detail).toBe("Workspace 'shared' not found")
    }
    const asked = fake.requests.length
    const { json } = await launch("inside", { target: "shared/t", config })
    expect((await endOf(server, json.id, bearer("inside"))).status).toBe("COMPLETED")
    expect(fake.requests.slice(asked).map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`])
  },
)

it(
  "The secrets of a harness are checked against the rights of the caller who stores or launches it",
  verifies("harness.secrets", "auth.cross-workspace-secrets"),
  async () => {
    const config = (reference: string) => ({
      type: "benchmark",
      harness: { command: ["x"], secrets: { HF_TOKEN: reference } },
    })
    const configs = `${EVALUATION}/configs`
    const refused = [400, "secret_not_readable"]
    const told = ({ status, json }: { status: number; json: { code: string } }) => [status, json.code]
    expect(told(await as("beside", "POST", configs, { json: { ...config("shared/key"), name: "h" } }))).toEqual(refused)
    expect((await as("beside", "POST", configs, { json: { ...config("own"), name: "h" } })).status).toBe(201)
    const changes = { harness: config("shared/key").harness }
    expect(told(await as("beside", "PATCH", `${configs}/default/h`, { json: changes }))).toEqual(refused)
    expect(told(await launch("beside", { target: GIVEN, config: config("shared/key") }))).toEqual(refused)
    const stored = await as("inside", "PATCH", `${configs}/default/h`, { json: changes })
    expect(stored.json.harness.secrets).toEqual({ HF_TOKEN: "shared/key" })
  },
)

it(
  "The secrets of a harness are those of the workspace of its configuration, and answers show their names",
  verifies("harness.secrets"),
  async () => {
    const config = { type: "benchmark", harness: { command: ["x"], secrets: { HF_TOKEN: "key" } } }
    await as("root", "POST", `${EVALUATION}/configs`, { json: { ...config, name: "bench", namespace: "shared" } })
    const shown = await as("beside", "GET", `${EVALUATION}/configs/shared/bench`)
    expect(shown.json.harness.secrets).toEqual({ HF_TOKEN: "key" })
    const body = { target: GIVEN, config: "shared/bench" }
    expect((await launch("beside", body)).json.code).toBe("secret_not_readable")
    const { json } = await launch("inside", body)
    expect(json.config.harness.secrets).toEqual({ HF_TOKEN: "shared/key" })
    await endOf(server, json.id, bearer("inside"))
  },
)

it(
  "Rows that only the results of a job still have need the right to see the workspace of the results",
  verifies("eval.rows.results"),
  async () => {
    const body = { target: GIVEN, config: CHECK, output_files_url: "shared/words#kept" }
    const { id } = (await launch("inside", body)).json
    await endOf(server, id, bearer("inside"))
    rmSync(join(server.folder, "data", "evaluation", "jobs", id, "rows.jsonl"))
    // The first request makes the copy. The right is checked again for each further one.
    for (const [who, status, what] of [
      ["viewer", 403, undefined],
      ["beside", 200, 2],
      ["viewer", 403, undefined],
      ["outside", 404, undefined],
    ] as const) {
      const { status: answered, json } = await as(who, "GET", `${JOBS}/${id}/rows`)
      expect([who, answered, json.total]).toEqual([who, status, what])
    }
  },
)

/** A conversation of two turns, recorded in the shared workspace. */
function recorded(recording: object, second = "And then?") {
  return {
    type: "custom",
    params: { max_retries: 0, max_failed_share: 0, recording: { fileset: "shared/answers", ...recording } },
    tasks: {
      talk: {
        type: "conversation",
        dataset: { rows: [{ word: "a" }, { word: "b" }] },
        params: { conversation: { turns: [{ user: "{{ item.word }}" }, { user: second }] } },
        metrics: { same: { type: "string-check", params: { check: ["{{ sample.end }}", "equals", "turns"] } } },
      },
    },
  }
}

it(
  "A job records in a fileset with the rights of its launcher, and replays it without a request or a key",
  verifies("run.recording-jobs", "eval.rights"),
  async () => {
    await as("root", "POST", `${FILES}/shared/filesets`, { json: { name: "answers" } })
    const target = modelTarget(fake.url, { api_key_secret: "shared/key" })
    const ended = async (who: string, config: object, model: object = target) => {
      const before = fake.requests.length
      const { status, json } = await launch(who, { target: model, config })
      if (status >= 300) return { status, told: json.code }
      const job = await endOf(server, json.id, bearer(who))
      const rows = await as(who, "GET", `${JOBS}/${json.id}/rows`)
      return { status: job.status, job, asked: fake.requests.length - before, rows: JSON.stringify(rows.json.data) }
    }
    const answers = async () =>
      (await as("root", "GET", `${FILES}/shared/filesets/answers/files`)).json.data.map(
        ({ path, etag }: { path: string; etag: string }) => `${path} ${etag}`,
      )
    // Whoever may only read the fileset can't record, and whoever does not see it learns nothing of it.
    expect(await ended("beside", recorded({}), modelTarget(fake.url))).toEqual({ status: 403, told: "forbidden" })
    expect((await ended("editor", recorded({}), modelTarget(fake.url))).status).toBe(404)
    for (const wrong of [{ replay_only: true, fresh: true }, { fileset: "shared/none" }, { fileset: "a/b/c" }]) {
      expect((await ended("inside", recorded(wrong))).status).toBeGreaterThanOrEqual(400)
    }
    const missing = await ended("beside", recorded({ replay_only: true }), modelTarget(fake.url))
    expect([missing.status, missing.asked, missing.job.status_details.message]).toEqual([
      "FAILED",
      0,
      expect.stringContaining("no recorded answer in 'shared/answers'"),
    ])
    // Two jobs at the same time have the answers of the recording, whoever was first.
    const [one, other] = await Promise.all([ended("inside", recorded({})), ended("inside", recorded({}))])
    expect([one.status, other.status, one.rows === other.rows]).toEqual(["COMPLETED", "COMPLETED", true])
    const first = await answers()
    expect(first).toHaveLength(4)
    const again = await ended("inside", recorded({}))
    expect([again.status, again.asked, again.rows]).toEqual(["COMPLETED", 0, one.rows])
    const replayed = await ended("beside", recorded({ replay_only: true }), modelTarget(fake.url))
    expect([replayed.status, replayed.asked, replayed.rows]).toEqual(["COMPLETED", 0, one.rows])
    // A changed turn is asked alone, and a fresh job asks everything again.
    expect((await ended("inside", recorded({}, "What else?"))).asked).toBe(2)
    const fresh = await ended("inside", recorded({ fresh: true }))
    expect([fresh.status, fresh.asked, (await answers()).length]).toEqual(["COMPLETED", 4, 6])
    expect((await ended("inside", recorded({}))).rows).toBe(fresh.rows)
    expect((await answers()).filter((file: string) => first.includes(file))).toEqual([])
  },
)

it(
  "A launch puts the files of programs from a fileset into the job with the rights of its caller, also those of a revision",
  verifies("run.program-filesets", "eval.rights"),
  async () => {
    const fileset = `${FILES}/shared/filesets/programs`
    await as("root", "POST", `${FILES}/shared/filesets`, { json: { name: "programs" } })
    // What one author writes in a row is one change.
    const write = (who: string, body: string) => as(who, "PUT", `${fileset}/-/lib/agent.py`, { body })
    await write("root", "print(1)")
    const { revision } = (await as("root", "GET", `${fileset}/history`)).json.data[0]
    await write("inside", "print(2)")
    const config = (files: string) => ({
      type: "custom",
      tasks: {
        do: {
          type: "agent",
          dataset: { rows: [{ prompt: "a" }] },
          params: { agent: { program: { command: ["python3", "agent.py"], files } } },
          metrics: { end: { type: "string-check", params: { check: ["{{ sample.end }}", "equals", "turns"] } } },
        },
      },
    })
    const programOf = async (files: string, who = "beside") => {
      const { status, json } = await launch(who, { target: { type: "rows", rows: [] }, config: config(files) })
      if (status >= 300) return json.detail as string
      await endOf(server, json.id, bearer(who))
      return json.config.tasks.do.params.agent.program
    }
    expect(await programOf("shared/programs#lib")).toMatchObject({
      files: { "agent.py": "print(2)" },
      files_from: expect.stringMatching(/^shared\/programs@sha256:[0-9a-f]{64}#lib$/),
    })
    expect(await programOf(`shared/programs@${revision}#lib`)).toMatchObject({ files: { "agent.py": "print(1)" } })
    expect(await programOf("shared/programs@1234567")).toContain("are not found: ")
    expect(await programOf("shared/programs", "editor")).toContain("Workspace 'shared' not found")
    expect(await programOf("shared/none")).toContain("'none' not found")
  },
)
