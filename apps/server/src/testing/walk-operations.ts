import type { FakeInference } from "@assay/testkit"
import { addressOf, EXAMPLE_ENDPOINT, EXAMPLE_JOB, EXAMPLE_UPLOAD, OPERATIONS } from "@assay/openapi"
import { createTestToken } from "./create-tokens.ts"
import { launchQuestions, untilJob } from "./evaluation-launch.ts"
import { type Answer, startTestServer, type TestServer } from "./start-test-server.ts"

/** The answer to the example of an operation. */
export interface OperationAnswer {
  readonly key: string
  readonly id: string
  /** The example needs an object that a new server does not have, and none was made for it. */
  readonly isRefused: boolean
  readonly answer: Answer
}

/** Examples that make an object again, for examples that delete it a second time or need it. */
const MADE_AGAIN: Readonly<Record<string, string>> = {
  deleteDefaultGuardrailV1: "POST /v1/guardrail/configs",
}
/** Operations after which the job of the example runs. */
const RUNS_JOB = new Set(["createJob", "retryFailedRows", "scoreJob"])

/** Sends the example of each operation in the order of the table, each after those that create what it needs. */
export async function walkOperations(server: TestServer, fake: FakeInference): Promise<readonly OperationAnswer[]> {
  const known = new Map([[EXAMPLE_ENDPOINT, `${fake.url}/v1`]])
  const send = (key: string) => sendExample(server, key, known)
  const answers: OperationAnswer[] = []
  await using guarded = await startTestServer({ ASSAY_AUTH: "tokens" })
  for (const [key, { id, needs }] of Object.entries(OPERATIONS)) {
    const first = MADE_AGAIN[id]
    if (first !== undefined) await send(first)
    const prepared =
      needs === undefined && !isAudit(id) ? undefined : await answerPrepared({ id, key, server, guarded, known, fake })
    const answer = prepared ?? (await send(key))
    answers.push({ key, id, answer, isRefused: needs !== undefined && prepared === undefined })
    if (id === "createUpload") known.set(EXAMPLE_UPLOAD, answer.headers.location?.split("/").at(-1) ?? "")
    if (id === "createJob") known.set(EXAMPLE_JOB, answer.json.id)
    const job = known.get(EXAMPLE_JOB)
    if (RUNS_JOB.has(id) && job !== undefined) await untilJob(server.url, job, ["COMPLETED"])
  }
  return answers
}

/** Replaces what examples name by what this walk knows. */
function actual(text: string, known: ReadonlyMap<string, string>): string {
  return [...known].reduce((all, [example, real]) => all.replaceAll(example, real), text)
}

/** Sends the example of an operation, with header fields of one's own. */
export async function sendExample(
  server: TestServer,
  key: string,
  known: ReadonlyMap<string, string>,
  own: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const { parameters, headers = {}, body } = OPERATIONS[key] ?? { id: "" }
  const [method = "", path = ""] = key.split(" ")
  const text = body === undefined ? undefined : actual(typeof body === "string" ? body : JSON.stringify(body), known)
  const type = typeof body === "object" ? { "content-type": "application/json" } : {}
  const sent = { headers: { ...type, ...headers, ...own }, ...(text === undefined ? {} : { body: text }) }
  return server.call(method, actual(addressOf(path, parameters), known), sent)
}

/** Only callers who are known leave records in the audit. */
function isAudit(id: string): boolean {
  return id.endsWith("AuditRecords")
}

interface Preparation {
  readonly id: string
  readonly key: string
  readonly server: TestServer
  /** A server that requires tokens. */
  readonly guarded: TestServer
  readonly known: ReadonlyMap<string, string>
  readonly fake: FakeInference
}

/** Makes what an example needs, and sends it. Undefined if this function cannot. */
async function answerPrepared(given: Preparation): Promise<Answer | undefined> {
  const { id, key, server, guarded, known } = given
  if (/Tokens?$/.test(id) || isAudit(id)) {
    const { token } = await createTestToken(guarded, "laptop", { workspace: "*", role: "admin" })
    const headers = { authorization: `Bearer ${token}` }
    const json = { name: "reviews" }
    // The second write is refused. Both are in the audit.
    if (isAudit(id)) await guarded.call("POST", "/apis/files/v2/workspaces/default/filesets", { headers, json })
    const spare = await createTestToken(guarded, "spare", { workspace: "default", role: "viewer" })
    const ids = new Map([["token-3QJmnh8Y1kGqvS4cQKFJ2b", spare.record.id]])
    return sendExample(guarded, key, ids, headers)
  }
  if (/Default(ChatCompletion|Response|Completion|AskableModels?)$/.test(id)) {
    const { body = {} } = OPERATIONS["POST /apis/guardrails/v2/workspaces/{ws}/configs"] ?? {}
    const example = actual(JSON.stringify({ ...(body as object), name: "default" }), known)
    const headers = { "content-type": "application/json" }
    await server.call("POST", "/apis/guardrails/v2/workspaces/default/configs", { body: example, headers })
    return sendExample(server, key, known)
  }
  if (id === "restoreFileset" || id === "deleteForGood") {
    const filesets = "/apis/files/v2/workspaces/default/filesets"
    const { json: fileset } = await server.call("POST", filesets, { json: { name: `removed-for-${id.toLowerCase()}` } })
    await server.call("DELETE", `${filesets}/${fileset.name}`)
    return sendExample(server, key, new Map([...known, ["fileset-3QJmnh8Y1kGqvS4cQKFJ2b", fileset.id]]))
  }
  if (id === "compareJobs" || id === "drawPairsToLabel" || id === "cancelJob" || id === "resumeJob")
    return answerOfAnotherJob(given)
  return undefined
}

/** Launches another job: to compare it, to cancel it before it ends, or to continue it after that. */
async function answerOfAnotherJob({ id, server, known, fake }: Preparation): Promise<Answer> {
  if (id === "compareJobs" || id === "drawPairsToLabel") {
    const { json: job } = await sendExample(server, "POST /v1/evaluation/jobs", known)
    await untilJob(server.url, job.id, ["COMPLETED"])
    const path = id === "compareJobs" ? "compare?" : "compare/labels/next?metric=city&limit=2&"
    return server.call("GET", `/v1/evaluation/${path}jobs=${known.get(EXAMPLE_JOB)},${job.id}`)
  }
  const job = await launchQuestions(server.url, { fake, count: 500, params: { parallelism: 1 } })
  const cancelled = await server.call("POST", `/v1/evaluation/jobs/${job}/cancel`)
  if (id === "cancelJob") return cancelled
  await untilJob(server.url, job, ["CANCELLED"])
  return server.call("POST", `/v1/evaluation/jobs/${job}/resume`)
}
