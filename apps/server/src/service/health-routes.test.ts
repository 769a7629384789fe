import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startTestServer, type TestServer } from "../testing/start-test-server.ts"
import { PAGE_POLICY } from "../console/console-routes.ts"

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ ASSAY_REVISION: "abc123" })
})
afterAll(() => server[Symbol.asyncDispose]())

describe("the routes of the service", () => {
  it(
    "return that the server is live, ready and healthy",
    verifies("service.health-live", "service.health-ready", "service.status", "service.cluster-info"),
    async () => {
      expect((await server.call("GET", "/health/live")).json).toEqual({ status: "live" })
      expect((await server.call("GET", "/health/ready")).json).toEqual({ status: "ready" })
      expect((await server.call("GET", "/health")).json).toEqual({ status: "ready" })
      expect((await server.call("GET", "/status")).json).toMatchObject({ status: "healthy" })
      expect((await server.call("GET", "/cluster-info")).json).toEqual({
        platform_version: expect.any(String),
        revision: "abc123",
      })
    },
  )

  it(
    "describe every route in OpenAPI 3.1, with each schema once",
    verifies("service.openapi", "brief.versioning.files", "brief.versioning.description"),
    async () => {
      const { json } = await server.call("GET", "/openapi.json")
      expect([json.openapi, json.info.version]).toEqual(["3.1.0", "1.0.0"])
      const paths = Object.keys(json.paths)
      expect(paths).toEqual(
        expect.arrayContaining([
          "/apis/files/v2/workspaces/{workspace}/filesets",
          "/apis/secrets/v2/workspaces/{workspace}/secrets/{name}",
        ]),
      )
      const file = json.paths["/apis/files/v2/workspaces/{workspace}/filesets/{name}/-/{path}"]
      expect(Object.keys(file).toSorted()).toEqual(["delete", "get", "put"])
      expect(file.get.parameters.map(({ name }: { name: string }) => name)).toEqual(["workspace", "name", "path"])
      expect(file.put.requestBody.content).toHaveProperty(["application/octet-stream"])
      expect(Object.keys(json.components.schemas)).toEqual(
        expect.arrayContaining(["Fileset", "FilesetFilter", "StorageConfiguration", "ErrorBody", "ValidationIssue"]),
      )
      expect(JSON.stringify(json)).not.toContain('"$id"')
      const references = JSON.stringify(json).match(/#\/components\/schemas\/\w+/g) ?? []
      expect(references.length).toBeGreaterThan(20)
      for (const reference of new Set(references))
        expect(json.components.schemas).toHaveProperty(reference.split("/").at(-1) ?? "")
    },
  )

  it("serve the reference page and its files without other hosts", verifies("service.docs"), async () => {
    const page = await server.call("GET", "/docs/")
    expect([page.status, page.text.includes("swagger-ui")]).toEqual([200, true])
    const addresses = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address)
    expect(addresses.length).toBeGreaterThan(3)
    for (const address of addresses) expect(address).not.toMatch(/^(https?:)?\/\//)
  })

  it("link from / to the reference page if no console was built", verifies("service.home"), async () => {
    await using server = await startTestServer({}, undefined, { consoleFolder: "/nowhere" })
    const page = await server.call("GET", "/", { headers: { accept: "text/html,application/xhtml+xml" } })
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"])
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'")
    const addresses = [...page.text.matchAll(/href="([^"]+)"/g)].map(([, address = ""]) => address)
    expect(addresses).toContain("/docs")
    for (const address of addresses) expect((await server.call("GET", address)).status).toBe(200)
    const { json, headers } = await server.call("GET", "/")
    expect([Object.values(json.links), headers["vary"]]).toEqual([addresses, "Accept"])
  })

  it(
    "show the reference page without a token, and how to create one",
    verifies("service.home", "service.docs"),
    async () => {
      const closed = await startTestServer({ ASSAY_AUTH: "tokens" }, undefined, { consoleFolder: "/nowhere" })
      try {
        const home = await closed.call("GET", "/", { headers: { accept: "text/html" } })
        expect([home.status, home.text.includes("assay token create")]).toEqual([200, true])
        const page = await closed.call("GET", "/docs/")
        expect(page.status).toBe(200)
        const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address)
        expect(files).toContain("./static/swagger-initializer.js")
        for (const file of [...files, "./json"]) {
          expect((await closed.call("GET", new URL(file, "http://any/docs/").pathname)).status).toBe(200)
        }
        expect((await closed.call("GET", "/status")).status).toBe(401)
      } finally {
        await closed[Symbol.asyncDispose]()
      }
    },
  )

  it("let browsers load the files of the reference page without TLS", verifies("service.docs"), async () => {
    const { headers } = await server.call("GET", "/docs/")
    // Without TLS, `upgrade-insecure-requests` would make browsers load them from https URLs that do not exist.
    expect(headers["content-security-policy"]).toBe(PAGE_POLICY)
    expect(PAGE_POLICY).toContain("default-src 'self'")
    expect(PAGE_POLICY).not.toMatch(/upgrade-insecure-requests|validator|unsafe|https/)
  })

  it("count requests for Prometheus", verifies("service.metrics"), async () => {
    await server.call("GET", "/status")
    const answer = await server.call("GET", "/metrics")
    expect(answer.headers["content-type"]).toContain("text/plain")
    expect(answer.text).toMatch(
      /assay_http_request_duration_seconds_count\{method="GET",route="\/status",status="200"\} [1-9]/,
    )
  })

  it("return the usual error body for unknown paths", verifies("errors.body"), async () => {
    const answer = await server.call("GET", "/apis/nothing")
    expect([answer.status, answer.json.code]).toEqual([404, "not_found"])
  })

  it("refuse foreign host names if there is no auth", async () => {
    const answer = await server.call("GET", "/status", { headers: { host: "evil.example" } })
    expect([answer.status, answer.json.code]).toEqual([403, "forbidden"])
    expect((await server.call("GET", "/status", { headers: { host: "localhost:1234" } })).status).toBe(200)
  })
})
