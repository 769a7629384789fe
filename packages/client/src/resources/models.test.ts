import { startLoopbackServer } from "@assay/testkit"
import { expect, it, onTestFinished } from "vitest"
import { createClient } from "../create-client.ts"

it("client.models creates, reads, updates, analyses and removes models", async () => {
  const pagination = { page: 1, page_size: 100, current_page_size: 1, total_pages: 1, total_results: 1 }
  const server = await startLoopbackServer((_request, response) => {
    response.end(JSON.stringify({ name: "m", data: [{ name: "of the page" }], pagination }))
  })
  onTestFinished(() => server.close())
  const { models } = createClient({ url: server.url, fetch })
  await models.create("w", { name: "m", fileset: "f" }, { wait: 0 })
  await models.create("w", { name: "m", fileset: "f" })
  expect(await Array.fromAsync(models.list("w", { sort: "name" }))).toEqual([{ name: "of the page" }])
  expect((await models.page("w", { page: 2 })).data).toHaveLength(1)
  expect(await models.get("w", "m")).toMatchObject({ name: "m" })
  await models.update("w", "m", { project: "p" })
  await models.analyze("w", "m", { wait: 300 })
  await models.remove("w", "m")
  const base = "/apis/models/v2/workspaces/w/models"
  expect(server.requests.map(({ method, url, body }) => `${method} ${url} ${body.toString()}`)).toEqual([
    `POST ${base}?wait=0 {"name":"m","fileset":"f"}`,
    `POST ${base} {"name":"m","fileset":"f"}`,
    `GET ${base}?sort=name&page=1&page_size=100 `,
    `GET ${base}?page=2 `,
    `GET ${base}/m `,
    `PATCH ${base}/m {"project":"p"}`,
    `POST ${base}/m/analyze?wait=300 `,
    `DELETE ${base}/m `,
  ])
})

it("client.models.analyze has no time limit of its own", async () => {
  const gate = Promise.withResolvers<void>()
  const server = await startLoopbackServer(async (_request, response) => {
    await gate.promise
    response.end('{"name":"m"}')
  })
  onTestFinished(() => server.close())
  const { models } = createClient({ url: server.url, fetch, timeout: 10 })
  const created = models.create("w", { name: "m", fileset: "f" })
  const analyzed = models.analyze("w", "m")
  // A call with the limit ends first.
  await expect(models.get("w", "m")).rejects.toMatchObject({ code: "server_unreachable" })
  gate.resolve()
  expect(await created).toEqual({ name: "m" })
  expect(await analyzed).toEqual({ name: "m" })
})
