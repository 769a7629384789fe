import { verifies } from "@assay/testkit"
import { downloadFile, uploadFile } from "@huggingface/hub"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ENTITIES, FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const form = (fields: Readonly<Record<string, string>>) => ({
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams(fields).toString(),
})

describe("namespaces of the platform's first version", () => {
  it("are the workspaces", verifies("platform-v1.namespaces"), async () => {
    const made = await server.call("POST", "/v1/namespaces", { json: { id: "team-docs", description: "docs" } })
    expect(made.status).toBe(201)
    expect(made.json).toEqual({
      id: "team-docs",
      description: "docs",
      project: null,
      custom_fields: {},
      ownership: null,
      created_at: expect.any(String),
      updated_at: made.json.created_at,
    })
    expect((await server.call("GET", `${ENTITIES}/team-docs`)).json.description).toBe("docs")
    expect((await server.call("GET", "/v1/namespaces/team-docs")).json).toEqual(made.json)
    const changed = await server.call("PATCH", "/v1/namespaces/team-docs", {
      json: { id: "team-docs", description: "more" },
    })
    expect(changed.json).toMatchObject({ id: "team-docs", description: "more" })
    const listed = await server.call("GET", "/v1/namespaces?filter[id]=team-docs&sort=-created_at")
    expect(listed.json).toMatchObject({ object: "list", data: [changed.json], filter: { id: "team-docs" } })
    const like = await server.call("GET", "/v1/namespaces?filter[id][$like]=AM-DO")
    expect(like.json).toMatchObject({ data: [{ id: "team-docs" }], filter: { id: { $like: "AM-DO" } } })
    const removed = await server.call("DELETE", "/v1/namespaces/team-docs")
    expect(removed.json).toMatchObject({ id: "team-docs", message: "Resource deleted successfully." })
    expect((await server.call("GET", "/v1/namespaces/team-docs")).status).toBe(404)
  })

  it("refuse fields that a workspace does not store, by name", verifies("platform-v1.namespaces"), async () => {
    const { status, json } = await server.call("POST", "/v1/namespaces", {
      json: { id: "kept-not", custom_fields: { sandbox: "true" } },
    })
    expect([status, json.detail[0].loc]).toEqual([422, ["body", "custom_fields"]])
    expect((await server.call("GET", "/v1/namespaces/kept-not")).status).toBe(404)
  })

  it("can't be deleted while they contain files", verifies("platform-v1.namespaces"), async () => {
    await server.call("POST", "/v1/namespaces", { json: { id: "holding" } })
    await server.call("POST", `${FILES}/holding/filesets`, { json: { name: "f" } })
    for (const path of ["/v1/namespaces/holding", "/v1/datastore/namespaces/holding"]) {
      expect((await server.call("DELETE", path)).json.code).toBe("in_use")
    }
  })

  it("are the namespaces of the data store too, which accepts forms", verifies("platform-v1.data-store"), async () => {
    const made = await server.call("POST", "/v1/datastore/namespaces", form({ namespace: "stored" }))
    expect([made.status, made.json.namespace]).toEqual([201, "stored"])
    expect((await server.call("POST", "/v1/datastore/namespaces", { json: { namespace: "stored" } })).status).toBe(409)
    expect((await server.call("GET", "/v1/datastore/namespaces/stored")).json).toEqual(made.json)
    expect((await server.call("GET", "/v1/datastore/namespaces")).json.data).toContainEqual(made.json)
    expect((await server.call("DELETE", "/v1/datastore/namespaces/stored")).status).toBe(200)
  })

  it(
    "are created at their first use, in the data store and by a dataset",
    verifies("platform-v1.first-use"),
    async () => {
      const made = await server.call("POST", "/v1/hf/api/repos/create", {
        json: { name: "reviews", organization: "first-use", type: "dataset" },
      })
      expect([made.status, made.json.id]).toEqual([200, "first-use/reviews"])
      expect((await server.call("GET", "/v1/datastore/namespaces/first-use")).status).toBe(200)
      const json = { name: "more", namespace: "second-use", files_url: "hf://datasets/second-use/more" }
      expect((await server.call("POST", "/v1/datasets", { json })).status).toBe(200)
      const bad = { json: { ...json, namespace: "No Name", files_url: "hf://datasets/No Name/more" } }
      expect((await server.call("POST", "/v1/datasets", bad)).status).toBe(422)
    },
  )

  it("can't be created by a page of another site", verifies("platform-v1.data-store"), async () => {
    const { headers, body } = form({ namespace: "foreign" })
    const sent = { headers: { ...headers, origin: "https://elsewhere.example" }, body }
    expect((await server.call("POST", "/v1/datastore/namespaces", sent)).status).toBe(403)
  })
})

describe("datasets of the platform's first version", () => {
  const files_url = "hf://datasets/default/reviews"

  it(
    "are filesets whose files are read and written through the hub endpoint",
    verifies("platform-v1.datasets", "platform-v1.hub"),
    async () => {
      const hub = { hubUrl: `${server.url}/v1/hf`, accessToken: "hf_unused" }
      const repo = { type: "dataset" as const, name: "default/reviews" }
      await server.call("POST", "/v1/hf/api/repos/create", { json: { name: "reviews", type: "dataset" } })
      await uploadFile({ ...hub, repo, file: { path: "a.jsonl", content: new Blob(['{"a":1}\n']) } })
      const body = { name: "reviews", namespace: "default", files_url, description: "r", format: "json", limit: 5 }
      const made = await server.call("POST", "/v1/datasets", { json: body })
      expect([made.status, made.json]).toMatchObject([
        200,
        { ...body, hf_endpoint: null, split: null, custom_fields: {}, project: "", ownership: null },
      ])
      const blob = await downloadFile({ ...hub, repo, path: "a.jsonl" })
      expect(await blob?.text()).toBe('{"a":1}\n')
      const fileset = await server.call("GET", `${FILES}/default/filesets/reviews`)
      expect(fileset.json).toMatchObject({ purpose: "dataset", description: "r" })
    },
  )

  it("keep fields that an update does not name", verifies("platform-v1.datasets"), async () => {
    await server.call("POST", "/v1/datasets", {
      json: { name: "kept", files_url: "hf://datasets/default/kept", split: "train", custom_fields: { team: "a" } },
    })
    const path = "/v1/datasets/default/kept"
    const changed = await server.call("PATCH", path, { json: { format: "squad" } })
    expect(changed.json).toMatchObject({ format: "squad", split: "train", custom_fields: { team: "a" } })
    const whole = { name: "kept", namespace: "default", format: "squad" }
    expect((await server.call("PATCH", path, { json: whole })).status).toBe(200)
    const renamed = await server.call("PATCH", path, { json: { ...whole, namespace: "other" } })
    expect([renamed.status, renamed.json.detail[0].loc]).toEqual([422, ["body", "namespace"]])
    const emptied = await server.call("PATCH", path, { json: { custom_fields: null } })
    expect(emptied.json).toMatchObject({ format: "squad", split: "train", custom_fields: {} })
    const listed = await server.call("GET", "/v1/datasets?filter[namespace]=default&filter[name]=kept")
    expect(listed.json).toMatchObject({
      object: "list",
      data: [{ name: "kept" }],
      filter: { namespace: "default", name: "kept" },
    })
    const removed = await server.call("DELETE", path)
    expect(removed.json).toMatchObject({ id: changed.json.id, message: "Resource deleted successfully." })
    expect((await server.call("GET", path)).status).toBe(404)
  })

  it.each([
    "file:///etc",
    "hf://datasets/default/other",
    "hf://models/default/reviews",
    "https://elsewhere.example/x",
    "hf://datasets/a/b/c",
  ])("can name only their own files: %s", verifies("platform-v1.datasets"), async (wrong) => {
    const { status, json } = await server.call("POST", "/v1/datasets", { json: { name: "wrong", files_url: wrong } })
    expect([status, json.detail[0].loc]).toEqual([422, ["body", "files_url"]])
    expect((await server.call("GET", "/v1/datasets/default/wrong")).status).toBe(404)
  })

  it(
    "can have their files on another hub if the server may connect to it",
    verifies("platform-v1.datasets"),
    async () => {
      const { status, json } = await server.call("POST", "/v1/datasets", {
        json: { name: "remote", files_url: "hf://datasets/org/remote", hf_endpoint: "http://169.254.169.254" },
      })
      expect([status, json.code]).toEqual([400, "host_not_allowed"])
    },
  )
})
