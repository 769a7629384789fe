import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ENTITIES, FILES, SECRETS, startTestServer, type TestServer } from "../testing/start-test-server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const create = (json: object) => server.call("POST", ENTITIES, { json })

describe("the routes for workspaces", () => {
  it(
    "have default and system from the start, and can't delete them",
    verifies("workspaces.built-in.exist", "workspaces.built-in.stay"),
    async () => {
      const { json } = await server.call("GET", ENTITIES)
      expect(json.data.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(["default", "system"]))
      for (const name of ["default", "system"]) {
        expect((await server.call("DELETE", `${ENTITIES}/${name}?cascade=true`)).json.code).toBe("in_use")
      }
    },
  )

  it(
    "create, get, update and list",
    verifies(
      "workspaces.create.route",
      "workspaces.get.route",
      "workspaces.update.route",
      "workspaces.list.route",
      "requests.duplicate-name",
    ),
    async () => {
      const created = await create({ name: "team-a", description: "ours" })
      expect(created.status).toBe(201)
      expect(created.json).toMatchObject({ name: "team-a", description: "ours" })
      expect((await create({ name: "team-a" })).status).toBe(409)
      expect((await server.call("PUT", `${ENTITIES}/team-a`, { json: { description: "new" } })).json.description).toBe(
        "new",
      )
      expect((await server.call("GET", `${ENTITIES}/team-a`)).json.description).toBe("new")
    },
  )

  it.each(["a", "A-team", "1team", "two--dashes", "dash-", "with space", `x${"y".repeat(63)}`])(
    "refuse the name '%s'",
    verifies("workspaces.name"),
    async (name) => {
      const answer = await create({ name })
      expect([answer.status, answer.json.detail[0].loc]).toEqual([422, ["body", "name"]])
    },
  )

  it.each(["ab", "a.b+c_d@e-f", `x${"y".repeat(62)}`])(
    "accept the name '%s'",
    verifies("workspaces.name"),
    async (name) => {
      expect((await create({ name })).status).toBe(201)
      expect((await server.call("GET", `${ENTITIES}/${encodeURIComponent(name)}`)).json.name).toBe(name)
    },
  )

  it("read null in a creation as a field that is not given", verifies("requests.null-is-absent"), async () => {
    const nothing = { description: null, project: null }
    const bodies: Readonly<Record<string, object>> = {
      [ENTITIES]: { name: "nulls", description: null },
      [`${ENTITIES}/nulls/projects`]: { name: "nulls", description: null },
      [`${FILES}/default/filesets`]: {
        name: "nulls",
        ...nothing,
        storage: null,
        purpose: null,
        metadata: { model: null },
      },
      [`${SECRETS}/default/secrets`]: { name: "n@lls+", description: null, value: "x" },
      "/apis/models/v2/workspaces/default/models": { name: "nulls", ...nothing, fileset: null, spec: null },
      "/apis/guardrails/v2/workspaces/default/configs": { name: "nulls", ...nothing, data: null },
    }
    for (const [path, json] of Object.entries(bodies)) {
      const made = await server.call("POST", path, { json })
      expect([path, made.json.name, made.json.description]).toEqual([path, Object(json)["name"], ""])
    }
    const nameless = await server.call("POST", ENTITIES, { json: { name: null } })
    expect([nameless.status, nameless.json.detail[0].loc]).toEqual([422, ["body", "name"]])
  })

  it("return pages of 100, at most 1000", verifies("workspaces.list.page-size"), async () => {
    expect((await server.call("GET", ENTITIES)).json.pagination.page_size).toBe(100)
    expect((await server.call("GET", `${ENTITIES}?page_size=1000`)).status).toBe(200)
    expect((await server.call("GET", `${ENTITIES}?page_size=1001`)).status).toBe(422)
  })

  it("filter, search and sort, and return the criteria", verifies("workspaces.list.filters"), async () => {
    const json = { name: "wanted", description: "vision of 2026" }
    expect((await server.call("POST", `${ENTITIES}?wait_role_propagation=false`, { json })).status).toBe(201)
    const asked = await server.call(
      "GET",
      `${ENTITIES}?filter[name]=wanted&search[description]=VISION&sort=-created_at`,
    )
    expect(asked.json).toMatchObject({ data: [{ name: "wanted" }], sort: "-created_at", filter: { name: "wanted" } })
    const found = async (query: string) =>
      (await server.call("GET", `${ENTITIES}?${query}`)).json.data.map(({ name }: { name: string }) => name)
    expect(await found("filter[name][like]=WANT&filter[created_at][gte]=2020-01-01")).toEqual(["wanted"])
    expect(await found('filter={"$or":[{"name":"wanted"},{"description":{"$like":"%"}}]}')).toEqual(["wanted"])
    expect(await found('filter=entity_type:"fileset"')).toEqual([])
    const unknown = await server.call("GET", `${ENTITIES}?filter[colour]=red`)
    expect([unknown.status, unknown.json.code]).toEqual([400, "unknown_filter_field"])
    expect((await server.call("GET", `${ENTITIES}?sort=size`)).status).toBe(422)
  })

  it(
    "delete an empty workspace, and a full one only with cascade",
    verifies("workspaces.delete.in-use", "workspaces.delete.cascade", "workspaces.delete.answers-record"),
    async () => {
      await create({ name: "full" })
      await server.call("POST", `${FILES}/full/filesets`, { json: { name: "kept" } })
      const refused = await server.call("DELETE", `${ENTITIES}/full`)
      expect([refused.status, refused.json.code]).toEqual([409, "in_use"])
      const answer = await server.call("DELETE", `${ENTITIES}/full?cascade=true`)
      expect([answer.status, answer.json.name]).toEqual([200, "full"])
      expect((await server.call("GET", `${ENTITIES}/full`)).status).toBe(404)
    },
  )
})

describe("the routes for projects", () => {
  it(
    "create, get, list, update and delete",
    verifies(
      "projects.create.route",
      "projects.get.route",
      "projects.list.route",
      "projects.update.route",
      "projects.shape",
      "projects.delete.answers-record",
    ),
    async () => {
      const base = `${ENTITIES}/default/projects`
      const created = await server.call("POST", base, { json: { name: "p1", description: "first" } })
      expect(created.status).toBe(201)
      expect(Object.keys(created.json).toSorted()).toEqual([
        "created_at",
        "description",
        "id",
        "name",
        "updated_at",
        "workspace",
      ])
      expect((await server.call("POST", base, { json: { name: "p1" } })).status).toBe(409)
      expect((await server.call("GET", base)).json.data).toEqual([created.json])
      expect((await server.call("GET", `${base}?filter[name][$like]=P1`)).json.data).toEqual([created.json])
      expect((await server.call("GET", `${base}?filter[description]=other`)).json.data).toEqual([])
      expect(
        (await server.call("PUT", `${base}/p1`, { json: { name: "p1", description: "new" } })).json.description,
      ).toBe("new")
      expect((await server.call("PUT", `${base}/p1`, { json: { name: "p2", description: "" } })).status).toBe(422)
      expect((await server.call("GET", `${base}/p1`)).json.description).toBe("new")
      const deleted = await server.call("DELETE", `${base}/p1`)
      expect([deleted.status, deleted.json.name]).toEqual([200, "p1"])
      expect((await server.call("GET", `${base}/p1`)).status).toBe(404)
    },
  )
})
