import { freePorts, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { REMOTE_SECRETS, startRemoteBackends, type RemoteBackends } from "../testing/start-remote-backends.ts"
import { FILES, SECRETS, startTestServer, type Answer, type TestServer } from "../testing/start-test-server.ts"

const BASE = `${FILES}/default/filesets`

let server: TestServer
let remote: RemoteBackends
let closedPort: string
const answers: Answer[] = []
beforeAll(async () => {
  remote = await startRemoteBackends()
  // Other programs get an ephemeral port again as soon as it is closed.
  closedPort = `http://127.0.0.1:${(await freePorts(1))[0]}`
  server = await startTestServer({ ASSAY_LOG_LEVEL: "trace", ASSAY_ALLOWED_HOSTS: "127.0.0.1" })
  for (const [name, value] of Object.entries(REMOTE_SECRETS)) {
    await server.call("POST", `${SECRETS}/default/secrets`, { json: { name, value } })
  }
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await remote[Symbol.asyncDispose]()
})

async function create(name: string, storage: object): Promise<Answer> {
  const answer = await server.call("POST", BASE, { json: { name, storage } })
  answers.push(answer)
  return answer
}

const hub = (repo_id: string, more = {}) => ({ type: "hub", repo_id, endpoint: remote.hub.url, ...more })
const catalog = (target: string, more = {}) => ({
  type: "catalog",
  org: "org",
  team: "team",
  target,
  api_key_secret: "catalog-key",
  host: remote.catalog.url,
  ...more,
})
const objstore = (bucket: string, more = {}) => ({
  type: "objstore",
  bucket,
  region: remote.objstore.region,
  endpoint_url: remote.objstore.endpoint,
  access_key_id_secret: "store-id",
  secret_access_key_secret: "store-key",
  ...more,
})

describe("creating a fileset on remote storage", () => {
  it(
    "returns the current commit of the branch of a hub",
    verifies(
      "brief.storage.hub.revision-resolved",
      "brief.storage.hub.original-revision",
      "brief.storage.hub.revision",
      "storage.external.probed",
    ),
    async () => {
      const answer = await create("of-hub", hub("team/open"))
      expect([answer.status, answer.json.storage]).toEqual([
        200,
        {
          ...hub("team/open"),
          repo_type: "model",
          revision: remote.hub.repository("team/open").find("main")?.sha,
          original_revision: "main",
          read_chunk_size: 1_048_576,
        },
      ])
      expect(remote.hub.requests.some(({ url }) => url.includes("a.txt"))).toBe(true)
    },
  )

  it(
    "returns the current latest version of a catalog asset",
    verifies(
      "brief.storage.catalog.version",
      "brief.storage.catalog.original-version",
      "brief.storage.catalog.api-key",
      "storage.external.probed",
    ),
    async () => {
      const answer = await create("of-catalog", catalog("open"))
      expect(answer.status).toBe(200)
      expect(answer.json.storage).toMatchObject({ version: "1.0", original_version: "latest", target_type: "resource" })
      expect((await create("with-words", { ...catalog("open"), type: "ngc" })).json.storage.type).toBe("catalog")
    },
  )

  it(
    "accepts a bucket, also with a prefix below which there are no files",
    verifies("brief.storage.objstore.explicit", "brief.storage.objstore.endpoint"),
    async () => {
      for (const prefix of ["data", "nothing/there"]) {
        const answer = await create(`of-${prefix.length}`, objstore("files", { prefix }))
        expect([answer.status, answer.json.storage.prefix]).toEqual([200, prefix])
      }
    },
  )

  it("reads a public bucket without any secret", verifies("storage.objstore.anonymous"), async () => {
    const { access_key_id_secret: _id, secret_access_key_secret: _key, ...anonymous } = objstore("public")
    expect((await create("of-everybody", anonymous)).status).toBe(200)
    expect((await server.call("GET", `${BASE}/of-everybody/-/a.txt`)).text).toBe("hello")
  })

  const refused: readonly (readonly [string, () => object, RegExp])[] = [
    [
      "a token that the hub does not know",
      () => hub("team/private", { token_secret: "wrong" }),
      /refuses the token in secret 'wrong'/,
    ],
    ["a gated repository", () => hub("team/gated", { token_secret: "hub-token" }), /gated[^]*ask for it at/],
    ["a private repository without a token", () => hub("team/private"), /private or missing[^]*token_secret/],
    ["a revision that is not there", () => hub("team/open", { revision: "v9" }), /no revision 'v9'/],
    [
      "a key that the catalog does not know",
      () => catalog("open", { api_key_secret: "store-key" }),
      /key in secret 'store-key'/,
    ],
    [
      "a key of another kind",
      () => catalog("open", { api_key_secret: "hub-token" }),
      /'hub-token' is a token of Hugging Face/,
    ],
    ["a licence that is not accepted", () => catalog("licensed"), /licence is not accepted[^]*accept it/],
    ["an asset that is not there", () => catalog("missing"), /check org, team, target/],
    ["a version that is not there", () => catalog("open", { version: "9" }), /version '?9/],
    [
      "a key that does not go with its id",
      () => objstore("files", { secret_access_key_secret: "wrong" }),
      /check the secret of `secret_access_key_secret`/,
    ],
    ["a bucket that is not there", () => objstore("missing"), /bucket 'missing'/],
    ["another region than the bucket's", () => objstore("files", { region: "eu-west-9" }), /region/],
    [
      "a closed bucket without secrets",
      () => ({ ...objstore("files"), access_key_id_secret: undefined, secret_access_key_secret: undefined }),
      /secret/,
    ],
  ]
  it.each(refused)("refuses %s with 400 and a remedy, and stores nothing", async (_, storage, message) => {
    const answer = await create("refused", storage())
    expect([answer.status, answer.json.code]).toEqual([400, "storage_not_usable"])
    expect(answer.json.detail).toMatch(message)
    expect((await server.call("GET", `${BASE}/refused`)).status).toBe(404)
  })

  it.each([
    ["hub", () => hub("team/open", { endpoint: closedPort })],
    ["catalog", () => catalog("open", { host: closedPort })],
    ["objstore", () => objstore("files", { endpoint_url: closedPort })],
  ])("returns 502 while the %s is down, and stores nothing", verifies("errors.upstream"), async (_, storage) => {
    const answer = await create("refused", storage())
    expect([answer.status, answer.json.code]).toEqual([502, "upstream_failed"])
    expect(answer.json.detail).toContain(closedPort)
    expect(answer.json.detail).toContain("the connection was refused")
    expect((await server.call("GET", `${BASE}/refused`)).status).toBe(404)
  })

  it(
    "refuses half of a pair of secrets, and never uses credentials of the machine",
    verifies(
      "storage.objstore.both-secrets",
      "storage.objstore.sdk-auth",
      "brief.storage.objstore.explicit",
      "brief.storage.objstore.ambient",
    ),
    async () => {
      const half = await create("refused", { ...objstore("files"), access_key_id_secret: undefined })
      expect([half.status, half.json.detail[0].loc]).toEqual([422, ["body", "storage"]])
      const ambient = await create("refused", { ...objstore("files"), use_sdk_auth: true })
      expect([ambient.status, ambient.json.code]).toEqual([400, "storage_not_allowed"])
    },
  )

  it("names a missing secret before any request to the backend", async () => {
    const asked = remote.hub.requests.length
    const answer = await create("refused", hub("team/open", { token_secret: "nowhere/none" }))
    expect([answer.status, answer.json.code]).toEqual([400, "secret_not_readable"])
    expect(answer.json.detail).toContain("'nowhere/none'")
    expect(remote.hub.requests).toHaveLength(asked)
  })

  it(
    "shows no secret in a response or the log, even if the backend repeats it in its errors",
    verifies("secrets.value-never-returned"),
    async () => {
      const said = `Bearer ${REMOTE_SECRETS["hub-token"]}`
      remote.hub.faults.add({ times: 2, fault: { kind: "refuse", status: 500, message: said } })
      remote.hub.faults.add({
        fault: { kind: "refuse", status: 401, message: said, headers: { "x-error-message": said } },
      })
      remote.catalog.faults.add({ fault: { kind: "refuse", status: 403, echo: true } })
      expect((await create("echo", hub("team/private", { token_secret: "hub-token" }))).status).toBe(400)
      expect((await create("echo", catalog("open"))).status).toBe(400)
      remote.hub.faults.clear()
      remote.catalog.faults.clear()
      expect(answers.length).toBeGreaterThan(20)
      const outputs = [server.log(), ...answers.map(({ text, headers }) => text + JSON.stringify(headers))]
      for (const value of Object.values(REMOTE_SECRETS)) {
        for (const output of outputs) {
          expect(output).not.toContain(value)
          expect(output).not.toContain(Buffer.from(value).toString("base64").slice(0, 20))
          expect(output).not.toContain(Buffer.from(value).toString("hex").slice(0, 30))
        }
      }
    },
  )
})

/** Returns an address of this machine on which no program listens. */
