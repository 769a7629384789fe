import { verifies } from "@assay/testkit"
import { checkRepoAccess, createRepo, listDatasets, listModels, listSpaces, uploadFile } from "@huggingface/hub"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createTestToken } from "../../testing/create-tokens.ts"
import { startHub, type TestHub } from "../../testing/start-hub.ts"
import { ENTITIES, FILES } from "../../testing/start-test-server.ts"
import { HUB_PREFIX } from "../hub-address.ts"

let hub: TestHub
let admin: string
beforeAll(async () => {
  hub = await startHub()
  admin = (await createTestToken(hub.server, "admin", { workspace: "*", role: "admin" })).token
  await hub.server.call("POST", ENTITIES, { json: { name: "hidden" }, headers: { authorization: `Bearer ${admin}` } })
  for (const [ws, name, purpose, custom_fields] of [
    ["default", "bert", "model", {}],
    ["default", "bart", "model", {}],
    ["hidden", "bert-secret", "model", {}],
    ["default", "news", "dataset", { language: "en", size: 3 }],
    ["default", "notes", "dataset", { language: "de" }],
    ["default", "page", "generic", {}],
  ] as const) {
    await hub.server.call("POST", `${FILES}/${ws}/filesets`, {
      json: { name, purpose, custom_fields, project: purpose === "dataset" ? "vision" : "" },
      headers: { authorization: `Bearer ${admin}` },
    })
  }
})
afterAll(() => hub[Symbol.asyncDispose]())

/** The client checks that tokens begin with `hf_`. Nothing replaces its requests. */
const of = (token: string) => ({ hubUrl: hub.url, accessToken: `hf_${token}` })
const viewer = () => of(hub.token("viewer"))
const get = (path: string) =>
  hub.server.call("GET", HUB_PREFIX + path, { headers: { authorization: `Bearer ${hub.token("viewer")}` } })
async function names(found: AsyncIterable<{ readonly name: string }>): Promise<readonly string[]> {
  return (await Array.fromAsync(found)).map(({ name }) => name)
}

describe("lists of repositories", () => {
  it(
    "have the filesets of their purpose that the token may see, newest first",
    verifies("hub.list", "hub.token-prefix"),
    async () => {
      expect(await names(listModels(viewer()))).toEqual(["default/bart", "default/bert"])
      expect(await names(listModels(of(admin)))).toEqual(["hidden/bert-secret", "default/bart", "default/bert"])
      expect(await names(listDatasets(viewer()))).toEqual(["default/notes", "default/news"])
      expect(await names(listSpaces(viewer()))).toEqual(["default/page"])
      const [first] = await Array.fromAsync(listModels({ ...viewer(), additionalFields: ["createdAt", "author"] }))
      expect(first).toMatchObject({ private: true, gated: false, author: "default", createdAt: expect.any(String) })
    },
  )

  it("are searched by parts of ids, workspaces and tags", verifies("hub.list"), async () => {
    const searched = (search: object) => names(listModels({ ...of(admin), search }))
    expect(await searched({ query: "BERT" })).toEqual(["hidden/bert-secret", "default/bert"])
    expect(await searched({ query: "hidden/bert" })).toEqual(["hidden/bert-secret"])
    expect(await searched({ query: "bert", owner: "default" })).toEqual(["default/bert"])
    expect(await searched({ owner: "nowhere" })).toEqual([])
    const tagged = (...tags: string[]) => names(listDatasets({ ...viewer(), search: { tags } }))
    expect(await tagged("language:en")).toEqual(["default/news"])
    expect(await tagged("project:vision", "language:de")).toEqual(["default/notes"])
    expect(await tagged("language")).toEqual([])
    expect((await get("/api/datasets/default/news")).json.tags).toEqual(["project:vision", "language:en"])
    expect((await get("/api/models?gated=True")).json).toEqual([])
  })

  it("come in pages, each with the address of the next one", verifies("hub.list"), async () => {
    const first = await get("/api/models?limit=1&sort=id&direction=1&expand=sha&expand=private&search=b")
    expect(first.json).toMatchObject([{ id: "default/bart", sha: expect.stringMatching(/^[0-9a-f]{40}$/) }])
    const [, next = ""] = /^<(.+)>; rel="next"$/.exec(String(first.headers.link)) ?? []
    expect(next.startsWith(`${hub.url}/api/models?`)).toBe(true)
    const second = await get(next.slice(hub.url.length))
    expect(second.json).toMatchObject([{ id: "default/bert" }])
    expect(second.headers.link).toBeUndefined()
  })

  it("have commits and files if they are asked for", verifies("hub.list"), async () => {
    const editor = of(hub.token("editor"))
    await uploadFile({ ...editor, repo: "default/bert", file: { path: "a.txt", content: new Blob(["a"]) } })
    const [, bert] = await Array.fromAsync(listModels({ ...viewer(), additionalFields: ["sha", "filePaths"] }))
    expect(bert).toMatchObject({ name: "default/bert", filePaths: ["a.txt"], sha: expect.any(String) })
    expect((await get("/api/models?full=True")).json[1].siblings).toEqual([{ rfilename: "a.txt" }])
    expect((await get("/api/models")).json[1]).not.toHaveProperty("sha")
  })

  it("refuse what no fileset records, and orders that do not exist", verifies("hub.list.refused"), async () => {
    for (const [query, word] of [
      ["pipeline_tag=text-generation", "pipeline_tag"],
      ["inference_provider=all", "inference_provider"],
      ["sort=lastModified", "lastModified"],
      ["sort=constructor", "constructor"],
    ] as const) {
      const { status, headers } = await get(`/api/models?${query}`)
      expect([status, headers["x-error-message"]]).toEqual([400, expect.stringContaining(`'${word}'`)])
    }
    const hostile = [
      "p=-1",
      "p=1e9",
      "limit=-1",
      "search=%00",
      "filter=:",
      "filter=a%00:b",
      `filter=${"x".repeat(5000)}:y`,
    ]
    for (const query of hostile)
      expect([query, (await get(`/api/models?${query}`)).status < 500]).toEqual([query, true])
    expect((await get("/api/models?limit=0")).status).toBe(422)
  })
})

describe("a repository of a hub client", () => {
  it("is checked for access with checkRepoAccess and auth-check", verifies("hub.auth-check"), async () => {
    await checkRepoAccess({ ...viewer(), repo: "default/bert" })
    await expect(checkRepoAccess({ ...viewer(), repo: "hidden/bert-secret" })).rejects.toMatchObject({
      statusCode: 404,
    })
    expect((await get("/api/models/default/bert/auth-check")).status).toBe(200)
    expect((await get("/api/models/default/none/auth-check")).headers["x-error-code"]).toBe("RepoNotFound")
    expect((await get("/api/models/default/bert/auth-check/write")).status).toBe(403)
  })

  it(
    "makes its workspace at first use for an admin of all workspaces only",
    verifies("hub.workspace-first-use"),
    async () => {
      const created = (token: string) => createRepo({ ...of(token), repo: { type: "dataset", name: "new-team/rows" } })
      await expect(created(hub.token("editor"))).rejects.toMatchObject({ statusCode: 404 })
      expect(await created(admin)).toMatchObject({ id: "new-team/rows" })
      await expect(created(admin)).rejects.toMatchObject({ statusCode: 409 })
      const impossible = createRepo({ ...of(admin), repo: { type: "dataset", name: "No_Team/rows" } })
      await expect(impossible).rejects.toMatchObject({ statusCode: 422 })
      expect(await names(listDatasets({ ...of(admin), search: { owner: "new-team" } }))).toEqual(["new-team/rows"])
    },
  )
})
