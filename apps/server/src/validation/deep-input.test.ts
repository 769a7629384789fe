import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { verifies } from "@assay/testkit"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { HUB_PREFIX } from "../hub/hub-address.ts"
import { FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const FILESETS = `${FILES}/default/filesets`
const JSON_TYPE = { "content-type": "application/json" }
const RUNS = { numRuns: 30 }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.call("POST", FILESETS, { json: { name: "flat", custom_fields: { team: "a" } } })
})
afterAll(() => server[Symbol.asyncDispose]())

const lists = (depth: number) => "[".repeat(depth) + "]".repeat(depth)
const objects = (depth: number) => '{"a":'.repeat(depth) + "1" + "}".repeat(depth)
const filterBy = (value: string) => server.call("GET", `${FILESETS}?filter=${encodeURIComponent(value)}`)

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
}

/** Returns all routes that accept JSON, from the OpenAPI description. */
async function jsonRoutes(): Promise<readonly (readonly [method: string, path: string])[]> {
  const { paths } = (await server.call("GET", "/openapi.json")).json as {
    paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  }
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { requestBody }]) => requestBody !== undefined && "application/json" in requestBody.content)
      .map(([method]) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, "default")] as const),
  )
}

describe("JSON deeper than 64 levels", () => {
  it("is refused by every route that accepts JSON", verifies("input.depth"), async () => {
    const routes = await jsonRoutes()
    expect(routes.length).toBeGreaterThan(25)
    for (const [method, path] of routes) {
      for (const body of [objects(65), lists(100_000), `{"name":"x","custom_fields":${"[".repeat(200_000)}`]) {
        const answer = await server.call(method, path, { body, headers: JSON_TYPE })
        // Clients of OpenAI's API know 400.
        expect([method, path, answer.status]).toEqual([method, path, path.includes("/openai/v1/") ? 400 : 422])
        expect(answer.text).toContain("deeper than 64 levels")
        expect(answer.text.length).toBeLessThan(1000)
      }
    }
  })

  it(
    "is refused from exactly the 65th level on, and stored and returned up to the 64th",
    verifies("input.depth"),
    async () => {
      let count = 0
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 130 }), fc.boolean(), async (depth, isList) => {
          const name = `deep-${count++}`
          // The body itself and the map are two levels.
          const value = isList ? lists(depth) : objects(depth)
          const body = `{"name":"${name}","custom_fields":{"a":${value}}}`
          const answer = await server.call("POST", FILESETS, { body, headers: JSON_TYPE })
          expect([depth, answer.status]).toEqual([depth, depth + 2 > 64 ? 422 : 200])
          if (depth + 2 > 64) return
          const read = await server.call("GET", `${FILESETS}/${name}`)
          expect(read.json.custom_fields).toEqual({ a: JSON.parse(value) })
        }),
        RUNS,
      )
      expect((await filterBy('{"custom_fields.team":"a"}')).json.data).toHaveLength(1)
    },
  )

  it("is refused in the lines of a hub commit", verifies("input.depth"), async () => {
    const commit = (value: string) =>
      server.call("POST", `${HUB_PREFIX}/api/models/default/flat/commit/main`, {
        headers: { "content-type": "application/x-ndjson" },
        body: `{"key":"header","value":{"summary":"x"}}\n{"key":"file","value":${value}}`,
      })
    for (const value of [objects(100), lists(100_000), "[".repeat(2_000_000)]) {
      const answer = await commit(value)
      expect([answer.status, answer.json.code]).toEqual([422, "invalid_request"])
      expect(answer.json.error).toContain("deeper than 64 levels")
    }
  })

  it(
    "is refused in every form of a filter, with a response of a few hundred bytes",
    verifies("input.depth"),
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 65, max: 300 }), async (depth) => {
          const filters = [
            `{"$not":`.repeat(depth) + "{}" + "}".repeat(depth),
            `{"$and":[`.repeat(depth) + "{}" + "]}".repeat(depth),
            `${"(".repeat(depth)}name:"a"${")".repeat(depth)}`,
          ]
          const queries = [
            ...filters.map((filter) => `filter=${encodeURIComponent(filter)}`),
            `filter[$or]=${lists(depth)}`,
            `filter${"[$not]".repeat(depth)}[name]=a`,
          ]
          for (const query of queries) {
            const answer = await server.call("GET", `${FILESETS}?${query}`)
            expect([query.slice(0, 30), answer.status]).toEqual([query.slice(0, 30), 422])
            expect(answer.text.length).toBeLessThan(1000)
          }
        }),
        RUNS,
      )
    },
  )
})

describe("a record that was stored before there was a limit", () => {
  it.each([1100, 3000])(
    "can be read, listed and skipped by filters with %i levels",
    verifies("filter.stored-deep"),
    async (depth) => {
      await server.call("POST", FILESETS, { json: { name: `old-${depth}` } })
      const database = new DatabaseSync(join(server.folder, "data", "registry.db"), { timeout: 5000 })
      const update = database.prepare("update filesets set custom_fields = ?, metadata = ? where name = ?")
      update.run(`{"team":"b","deep":${lists(depth)}}`, `{"dataset":{"schema":${objects(depth)}}}`, `old-${depth}`)
      database.close()
      const paths = [
        `${FILESETS}/old-${depth}`,
        `${FILESETS}?page_size=100`,
        `${FILESETS}?filter[custom_fields][team]=a`,
        `${FILESETS}?filter=custom_fields.team~"a"`,
        `${FILESETS}?filter={"custom_fields.n":{"$gt":1}}`,
        `${FILESETS}?filter=-custom_fields.team:"x"&page_size=100`,
        `${FILESETS}?filter[metadata.dataset.schema]=x`,
      ]
      for (const path of paths) {
        const answer = await server.call("GET", path.replaceAll('"', "%22"))
        expect([path, answer.status]).toEqual([path, 200])
      }
      expect((await filterBy('{"custom_fields.team":"a"}')).json.data).toHaveLength(1)
      const changed = await server.call("PATCH", `${FILESETS}/old-${depth}`, { json: { description: "changed" } })
      expect(changed.status).toBe(200)
      expect((await server.call("DELETE", `${FILESETS}/old-${depth}`)).status).toBe(200)
    },
  )
})

describe("a body with many parts", () => {
  it(
    "is refused before it is parsed, and a body with many errors gets a short response",
    verifies("input.parts", "errors.bounded"),
    async () => {
      const post = (body: string) => server.call("POST", FILESETS, { body, headers: JSON_TYPE })
      const parts = await post(`{"name":"x","custom_fields":{"a":[${"[],".repeat(5_000_000)}1]}}`)
      expect([parts.status, parts.json.detail[0].type]).toEqual([422, "json_too_many_parts"])
      const garbage = await server.call("POST", `${HUB_PREFIX}/default/flat.git/info/lfs/objects/batch`, {
        body: `{"objects":[${"1,".repeat(7_000_000)}1]}`,
        headers: { "content-type": "application/vnd.git-lfs+json" },
      })
      expect(garbage.status).toBe(422)
      const wrong = await post(JSON.stringify(Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`k${i}`, i]))))
      expect(wrong.status).toBe(422)
      expect(wrong.json.detail.length).toBeLessThanOrEqual(51)
      expect(wrong.json.detail.at(-1)).toMatchObject({
        type: "too_many_issues",
        msg: expect.stringMatching(/^19\d\d more/),
      })
    },
  )

  it(
    "is refused as a form with more than 10,000 fields, and read in one pass below that",
    verifies("input.parts"),
    async () => {
      const form = (fields: number) =>
        server.call("POST", `${HUB_PREFIX}/api/repos/create`, {
          body: Array.from({ length: fields }, (_, index) => `f${index}=x`).join("&"),
          headers: { "content-type": "application/x-www-form-urlencoded" },
        })
      expect((await form(1_000_000)).json.error).toContain("more than 10000 fields")
      expect((await form(9_000)).json.error).toContain("name")
    },
  )
})
