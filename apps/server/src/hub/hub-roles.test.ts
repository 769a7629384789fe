import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createTestToken } from "../testing/create-tokens.ts"
import { startHub, type TestHub } from "../testing/start-hub.ts"
import { FILES } from "../testing/start-test-server.ts"
import { HUB_PREFIX } from "./hub-address.ts"

const ROLES = ["nobody", "elsewhere", "viewer", "editor"] as const
type Who = (typeof ROLES)[number]

let hub: TestHub
let elsewhere: string
beforeAll(async () => {
  hub = await startHub()
  elsewhere = (await createTestToken(hub.server, "elsewhere", { workspace: "system", role: "admin" })).token
  await hub.server.call("POST", `${FILES}/default/filesets`, { json: { name: "a" }, headers: headersOf("editor") })
})
afterAll(() => hub[Symbol.asyncDispose]())

function headersOf(who: Who): Record<string, string> {
  if (who === "nobody") return {}
  return { authorization: `Bearer ${who === "elsewhere" ? elsewhere : hub.token(who)}` }
}
const as = (who: Who, method: string, path: string, json?: object) =>
  hub.server.call(method, HUB_PREFIX + path, { headers: headersOf(who), ...(json === undefined ? {} : { json }) })

const A = "/api/models/default/a"
const MOVE = { fromRepo: "default/none", toRepo: "default/new" }
const TO_ELSEWHERE = { fromRepo: "default/a", toRepo: "system/a" }

/** Every operation, and the status for each role in the order of `ROLES`. */
const OPERATIONS: readonly (readonly [method: string, path: string, statuses: readonly number[], json?: object])[] = [
  ["GET", "/api/models", [401, 200, 200, 200]],
  ["GET", `${A}/auth-check`, [401, 404, 200, 200]],
  ["GET", `${A}/auth-check/write`, [401, 404, 403, 200]],
  ["PUT", `${A}/settings`, [401, 404, 403, 200], { private: true }],
  ["PUT", `${A}/settings`, [401, 404, 403, 400], { private: false }],
  ["PUT", `${A}/settings`, [401, 404, 403, 400], { visibility: "public" }],
  ["PUT", `${A}/settings`, [401, 404, 403, 400], { gated: "manual" }],
  ["PUT", `${A}/settings`, [401, 404, 403, 400], { discussionsDisabled: true }],
  ["POST", "/api/repos/move", [401, 404, 403, 404], MOVE],
  ["POST", "/api/repos/move", [401, 404, 403, 404], TO_ELSEWHERE],
  ["POST", "/api/repos/move", [401, 400, 400, 400], { fromRepo: "default/a/b", toRepo: "default/c" }],
  ["POST", "/api/repos/move", [401, 404, 403, 400], { fromRepo: "default/a", toRepo: "default/.." }],
  ["POST", `${A}/branch/x`, [401, 400, 400, 400], {}],
  ["POST", `${A}/tag/main`, [401, 404, 403, 200], { tag: "v1" }],
  ["DELETE", `${A}/tag/v1`, [401, 404, 403, 200]],
  ["POST", `${A}/super-squash/main`, [401, 404, 403, 200], {}],
  ["GET", `${A}/discussions?p=0`, [401, 400, 400, 400]],
  ["GET", "/api/buckets/default/a/tree", [401, 400, 400, 400]],
  ["GET", "/api/organizations/default/settings/repositories?limit=9", [401, 400, 400, 400]],
  ["POST", `${A}/duplicate`, [401, 400, 400, 400], {}],
  ["GET", "/api/spaces/default/a/runtime", [401, 400, 400, 400]],
  ["GET", "/default/a.git/info/lfs/locks", [401, 404, 501, 501]],
  ["POST", "/default/a.git/info/lfs/locks", [401, 404, 501, 501], { path: "a" }],
  ["POST", "/default/a.git/info/lfs/locks/verify", [401, 404, 501, 501], {}],
  ["POST", "/default/a.git/info/lfs/locks/x/unlock", [401, 404, 501, 501], {}],
  ["GET", "/default/a.git/info/refs?service=git-upload-pack", [200, 200, 200, 200]],
]

describe("the hub", () => {
  it(
    "returns to each role what it may get, and errors with the hub's header fields",
    verifies("hub.auth-check", "hub.settings", "hub.move", "hub.refused", "hub.error-headers"),
    async () => {
      for (const [method, path, statuses, json] of OPERATIONS) {
        for (const [index, who] of ROLES.entries()) {
          const { status, headers } = await as(who, method, path, json)
          expect([who, method, path, json, status]).toEqual([who, method, path, json, statuses[index]])
          if (status < 400) continue
          expect([path, headers["x-error-message"], headers["x-request-id"]]).toEqual([
            path,
            expect.stringMatching(/./),
            expect.stringMatching(/./),
          ])
        }
      }
    },
  )

  it("renames a repository, which keeps its files", verifies("hub.move"), async () => {
    const moved = { fromRepo: "default/a", toRepo: "default/b", type: "model" }
    expect((await as("editor", "POST", "/api/repos/move", moved)).status).toBe(200)
    expect((await as("viewer", "GET", A)).headers["x-error-code"]).toBe("RepoNotFound")
    expect((await as("viewer", "GET", "/api/datasets/default/b")).status).toBe(200)
    await as("editor", "POST", "/api/repos/create", { name: "a" })
    expect((await as("editor", "POST", "/api/repos/move", moved)).status).toBe(409)
  })

  it("takes a token as a password only for Git LFS", verifies("hub.lfs-login"), async () => {
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` })
    const lock = (headers: Record<string, string>) =>
      hub.server.call("GET", `${HUB_PREFIX}/default/b.git/info/lfs/locks`, { headers })
    const token = hub.token("viewer")
    for (const text of [`me:${token}`, `:hf_${token}`, `${token}:`, token])
      expect([text, (await lock(basic(text))).status]).toEqual([text, 501])
    for (const text of [`${token}:x`, "", ":", `me:${token}:`, "me:\u0000"]) {
      const { status, headers } = await lock(basic(text))
      expect([text, status, headers["www-authenticate"], headers["lfs-authenticate"]]).toEqual([
        text,
        401,
        'Basic realm="assay"',
        'Basic realm="assay"',
      ])
    }
    const headers = basic(`me:${token}`)
    for (const path of [
      `${HUB_PREFIX}/api/models`,
      `${HUB_PREFIX}/default/b/resolve/main/a`,
      `${FILES}/default/filesets`,
    ]) {
      const refused = await hub.server.call("GET", path, { headers })
      expect([path, refused.status, refused.headers["www-authenticate"]]).toEqual([path, 401, 'Bearer realm="assay"'])
    }
  })
})
