import type { Grant } from "@assay/schemas"
import { EXAMPLE_ENDPOINT, EXAMPLE_JOB, EXAMPLE_UPLOAD, OPERATIONS } from "@assay/openapi"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createTokens } from "../testing/create-tokens.ts"
import { ENTITIES, startTestServer, type TestServer } from "../testing/start-test-server.ts"
import { sendExample } from "../testing/walk-operations.ts"

const GRANTS: Readonly<Record<string, readonly Grant[]>> = {
  root: [{ workspace: "*", role: "admin" }],
  viewer: [{ workspace: "default", role: "viewer" }],
  outside: [{ workspace: "hidden", role: "admin" }],
}

/** Operations that need no token. They name nothing that is stored here; uploads of objects have a token of their own in their address. */
const PUBLIC =
  /^(?:GET \/|GET \/health\S*|(?:GET|DELETE) \/session|GET \/session\/oidc\S*|GET \S+\/info\/refs|(?:PUT|POST) \/apis\/files\/v2\/hf\/lfs\/\S+)$/
/** Operations without a workspace, which any token may call. Lists have only what it may see. */
const OF_ANYBODY =
  /^(?:GET \/status|GET \/cluster-info|POST \/mcp|GET \/v1\/(?:audit|audit\/export|changes|tokens|namespaces|datastore\/namespaces|datasets)|GET \/v1\/evaluation\/(?:targets|configs|jobs)|GET \/apis\/entities\/v2\/(?:workspaces|spending)|GET \/apis\/files\/v2\/hf\/api\/(?:whoami-v2|models|datasets|spaces)|POST \/apis\/files\/v2\/hf\/api\/validate-yaml)$/
/** Operations with a body that change nothing. */
const READS = /^(?:GET \S+|POST \S+\/(?:validate|infer-schema|try-schema|paths-info\/\{rev\}))$/

let server: TestServer
let fake: FakeInference
beforeAll(async () => {
  fake = await startFakeInference()
  server = await startTestServer({ ASSAY_AUTH: "tokens", ASSAY_ALLOWED_INFERENCE_HOSTS: "127.0.0.1" })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await fake.close()
})

it(
  "Every operation refuses whoever has no token, a token of another workspace, or a viewer's token for a change",
  verifies("auth.bearer", "auth.viewer", "auth.hidden"),
  async () => {
    const tokens = await createTokens(server, GRANTS)
    const headersOf = (who: string) => (who === "nobody" ? {} : { authorization: `Bearer ${tokens.get(who)}` })
    await server.call("POST", ENTITIES, { json: { name: "hidden" }, headers: headersOf("root") })
    const known = new Map([[EXAMPLE_ENDPOINT, `${fake.url}/v1`]])
    const wrong: unknown[] = []
    // Requests of S3 are signed, which its own tests do.
    const keys = Object.keys(OPERATIONS).filter((key) => !key.includes(" /s3"))
    for (const key of keys) {
      const isPublic = PUBLIC.test(key)
      const ask = async (who: string) => {
        const { status } = await sendExample(server, key, known, headersOf(who))
        const isFree = isPublic || (who !== "nobody" && OF_ANYBODY.test(key)) || (who === "viewer" && READS.test(key))
        const isRefused = who === "nobody" ? status === 401 : status >= 400
        if (status >= 500 || (!isFree && !isRefused) || (isPublic && status === 401)) wrong.push([key, who, status])
      }
      await Promise.all(["nobody", "outside", "viewer"].map(ask))
      // The next operations find what this one makes.
      const { json, headers } = await sendExample(server, key, known, headersOf("root"))
      if (key === "POST /v1/evaluation/jobs") known.set(EXAMPLE_JOB, json.id)
      if (headers["tus-resumable"] !== undefined && headers.location !== undefined)
        known.set(EXAMPLE_UPLOAD, headers.location.split("/").at(-1) ?? "")
    }
    expect(wrong).toEqual([])
    expect(keys.length).toBeGreaterThan(150)
  },
)
