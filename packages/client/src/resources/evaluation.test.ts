import { startLoopbackServer } from "@assay/testkit"
import { expect, it, onTestFinished } from "vitest"
import { createClient } from "../create-client.ts"

const TARGET = { type: "rows" as const, rows: [{ a: 1 }] }
const CONFIG = { type: "custom" } as const
const LAUNCH = { target: TARGET, config: "default/c" }
const base = "/v1/evaluation"

async function clientOf(answer: string, status = 200) {
  const server = await startLoopbackServer((_request, response) => {
    response.statusCode = status
    response.end(answer)
  })
  onTestFinished(() => server.close())
  return { server, evaluation: createClient({ url: server.url, fetch }).evaluation }
}

it("client.evaluation.jobs launches, lists, reads, controls and removes jobs", async () => {
  const pagination = { page: 1, page_size: 100, current_page_size: 1, total_pages: 1, total_results: 1 }
  const { server, evaluation } = await clientOf(
    JSON.stringify({ id: "eval-1", data: [{ id: "of the page" }], pagination }),
  )
  const { jobs } = evaluation
  const score = { tasks: { t: { metrics: { m: { type: "em" } } } } }
  await jobs.launch(LAUNCH)
  await jobs.launch(LAUNCH, { skipChecks: true })
  expect(await Array.fromAsync(jobs.list({ filter: { status: "RUNNING" }, search: { config: "c" } }))).toEqual([
    { id: "of the page" },
  ])
  expect(await jobs.get("eval-1")).toMatchObject({ id: "eval-1" })
  await jobs.status("eval-1")
  await jobs.result("eval-1")
  await jobs.explain("eval-1")
  await jobs.cancel("eval-1")
  await jobs.resume("eval-1")
  await jobs.retryFailed("eval-1")
  await jobs.score("eval-1", score)
  await jobs.remove("eval-1")
  await evaluation.compare(["a", "b"], { margin: 0.1 })
  await evaluation.compareRows({ a: "a", b: "b", metric: "em", filter: { error: { $eq: "null" } }, limit: 5 })
  await evaluation.live({ target: TARGET, config: CONFIG })
  expect(
    server.requests.map(({ method, url, body }) => `${method} ${decodeURIComponent(url)} ${body.toString()}`),
  ).toEqual([
    `POST ${base}/jobs ${JSON.stringify(LAUNCH)}`,
    `POST ${base}/jobs?skip_validation_checks=true ${JSON.stringify(LAUNCH)}`,
    `GET ${base}/jobs?page=1&page_size=100&filter[status]=RUNNING&search[config]=c `,
    `GET ${base}/jobs/eval-1 `,
    `GET ${base}/jobs/eval-1/status `,
    `GET ${base}/jobs/eval-1/results `,
    `GET ${base}/jobs/eval-1/explain `,
    `POST ${base}/jobs/eval-1/cancel `,
    `POST ${base}/jobs/eval-1/resume `,
    `POST ${base}/jobs/eval-1/retry-failed `,
    `POST ${base}/jobs/eval-1/score ${JSON.stringify(score)}`,
    `DELETE ${base}/jobs/eval-1 `,
    `GET ${base}/compare?jobs=a,b&margin=0.1 `,
    `GET ${base}/compare/rows?a=a&b=b&metric=em&limit=5&filter[error][$eq]=null `,
    `POST ${base}/live ${JSON.stringify({ target: TARGET, config: CONFIG })}`,
  ])
})

it("client.evaluation creates, reads, updates and removes targets and configurations", async () => {
  const { server, evaluation } = await clientOf(JSON.stringify({ name: "t", data: [] }))
  const { targets, configs } = evaluation
  await targets.create(TARGET)
  expect(await Array.fromAsync(targets.list({ filter: { type: "rows" } }))).toEqual([])
  await targets.page({ page: 2 })
  expect(await targets.get("ns", "t")).toMatchObject({ name: "t" })
  await configs.create(CONFIG)
  await configs.update("ns", "c", { description: null })
  await configs.remove("ns", "c")
  expect(
    server.requests.map(({ method, url, body }) => `${method} ${decodeURIComponent(url)} ${body.toString()}`),
  ).toEqual([
    `POST ${base}/targets ${JSON.stringify(TARGET)}`,
    `GET ${base}/targets?page=1&page_size=100&filter[type]=rows `,
    `GET ${base}/targets?page=2 `,
    `GET ${base}/targets/ns/t `,
    `POST ${base}/configs ${JSON.stringify(CONFIG)}`,
    `PATCH ${base}/configs/ns/c {"description":null}`,
    `DELETE ${base}/configs/ns/c `,
  ])
})

it("client.evaluation.jobs streams the archive and the log", async () => {
  const { server, evaluation } = await clientOf("bytes")
  const text = async (pieces: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(pieces)).toString()
  expect(await text(evaluation.jobs.download("eval-1"))).toBe("bytes")
  expect(await text(evaluation.jobs.logs("eval-1", { tail: 5, follow: true }))).toBe("bytes")
  expect(server.requests.map(({ url }) => url)).toEqual([
    `${base}/jobs/eval-1/download-results`,
    `${base}/jobs/eval-1/logs?format=text&tail=5&follow=true`,
  ])
})

it("client.evaluation.jobs.launch throws a refused launch with its failed checks", async () => {
  const failed_checks = [{ check: "datasets", code: "dataset_missing", message: "m", remedy: "r" }]
  const detail = "Job cannot be launched"
  const { evaluation } = await clientOf(JSON.stringify({ detail, code: "launch_refused", failed_checks }), 400)
  await expect(evaluation.jobs.launch(LAUNCH)).rejects.toMatchObject({
    code: "launch_refused",
    message: detail,
    context: { failed_checks },
  })
})

it("client.evaluation.jobs.check reads each check as it ends, and then the outcome", async () => {
  const outcome = { launchable: true, failed_checks: [], warnings: [] }
  const events = ["running", "passed"].map((status) => `event: check\ndata: {"check":"shape","status":"${status}"}\n\n`)
  const stream = await clientOf(`${events.join("")}event: outcome\ndata: ${JSON.stringify(outcome)}\n\n`)
  const seen: string[] = []
  const onCheck = ({ status }: { readonly status: string }) => seen.push(status)
  expect(await stream.evaluation.jobs.check(LAUNCH, { onCheck })).toEqual(outcome)
  expect(seen).toEqual(["running", "passed"])
  expect(stream.server.requests[0]?.headers.accept).toBe("text/event-stream")
  const { evaluation, server } = await clientOf(JSON.stringify(outcome))
  expect(await evaluation.jobs.check(LAUNCH)).toEqual(outcome)
  expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([`POST ${base}/jobs/check`])
  const broken = await clientOf(events.join(""))
  await expect(broken.evaluation.jobs.check(LAUNCH, { onCheck })).rejects.toMatchObject({ code: "bad_answer" })
})
