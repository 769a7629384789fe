import { startLoopbackServer } from "@assay/testkit"
import { expect, it, onTestFinished } from "vitest"
import { createClient } from "../create-client.ts"

const event = (id: number, kind: string, data: object) => `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`
const STATUS = (id: number, status: string) => event(id, "status", { status })

/** Starts a server that returns one text after the other. A text that ends with `…` breaks off. */
async function jobsOf(answers: readonly string[], retry = true) {
  let next = 0
  const server = await startLoopbackServer(async (_request, response) => {
    const answer = answers[next]
    next += 1
    if (answer === undefined) {
      response.statusCode = 404
      response.end('{"detail":"Evaluation job not found","code":"not_found"}')
      return
    }
    if (answer === "429") {
      response.statusCode = 429
      response.end('{"detail":"You have 100 open streams.","code":"too_many_requests"}')
      return
    }
    await new Promise((resolve) => response.write(`: hello\n\n${answer}`, resolve))
    if (answer.endsWith("…")) response.destroy()
    else response.end()
  })
  onTestFinished(() => server.close())
  const sleep = async () => {}
  const options = { url: server.url, fetch, ...(retry ? { retry: { sleep, random: () => 0 } } : {}) }
  return { server, jobs: createClient(options).evaluation.jobs }
}

it("followJob continues after the last event if the connection breaks or the server closes it, and yields none twice", async () => {
  const { server, jobs } = await jobsOf([
    `${STATUS(1, "FAILED")}${STATUS(2, "PENDING")}id: 3…`,
    `${STATUS(2, "PENDING")}${event(3, "log", { message: "a\nb" })}`,
    STATUS(4, "COMPLETED"),
  ])
  const events = await Array.fromAsync(jobs.events("eval-1", { after: 0 }))
  expect(events).toEqual([
    { id: 1, event: "status", data: { status: "FAILED" } },
    { id: 2, event: "status", data: { status: "PENDING" } },
    { id: 3, event: "log", data: { message: "a\nb" } },
    { id: 4, event: "status", data: { status: "COMPLETED" } },
  ])
  expect(server.requests.map(({ headers }) => headers["last-event-id"])).toEqual(["0", "2", "3"])
})

it("followJob waits for a place if the caller has too many streams, longer than other calls do", async () => {
  const { server, jobs } = await jobsOf([...Array.from({ length: 6 }, () => "429"), STATUS(1, "COMPLETED")])
  expect(await Array.fromAsync(jobs.events("eval-1"))).toHaveLength(1)
  expect(server.requests).toHaveLength(7)
})

it("followJob also accepts the vendor's words for the end of a job", async () => {
  const { jobs } = await jobsOf([STATUS(1, "cancelled")])
  expect(await Array.fromAsync(jobs.events("eval-1"))).toHaveLength(1)
})

it.each([
  ["a job that is not there", [], true, "not_found"],
  ["a server that breaks off if nothing may be repeated", [STATUS(1, "RUNNING")], false, "server_unreachable"],
  ["events that are not JSON", ["data: no\n\n"], true, "bad_answer"],
])("followJob throws for %s", async (_what, answers, retry, code) => {
  const { jobs } = await jobsOf(answers, retry)
  await expect(Array.fromAsync(jobs.events("eval-1"))).rejects.toMatchObject({ code })
})
