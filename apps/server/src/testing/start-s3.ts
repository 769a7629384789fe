import { S3Client } from "@aws-sdk/client-s3"
import type { Grant } from "@assay/schemas"
import { createTestToken } from "./create-tokens.ts"
import type { TestAccessKey } from "./sign-s3.ts"
import { ENTITIES, FILES, startTestServer, type TestServer } from "./start-test-server.ts"

/** A server with tokens and a fileset `default/a`, and access keys for clients of S3. */
export interface S3TestServer extends AsyncDisposable {
  readonly server: TestServer
  /** The URL for clients of S3. */
  readonly endpoint: string
  /** The bearer token of the admin. */
  readonly root: string
  /** Creates a token with an access key. */
  key(...grants: readonly Grant[]): Promise<TestAccessKey & { readonly token: string }>
  /** Returns the SDK of AWS with an access key. It does not try again. */
  client(key: TestAccessKey, more?: object): S3Client
}

export async function startS3(env: Readonly<Record<string, string>> = {}): Promise<S3TestServer> {
  const server = await startTestServer({ ASSAY_AUTH: "tokens", ...env })
  const { token: root } = await createTestToken(server, "root", { workspace: "*", role: "admin" })
  const headers = { authorization: `Bearer ${root}` }
  await server.call("POST", ENTITIES, { json: { name: "hidden" }, headers })
  for (const ws of ["default", "hidden"])
    await server.call("POST", `${FILES}/${ws}/filesets`, { json: { name: "a" }, headers })
  const endpoint = `${server.url}/s3`
  const clients: S3Client[] = []
  return {
    server,
    endpoint,
    root,
    async key(...grants) {
      const made = await server.call("POST", "/v1/tokens", { json: { name: "s3", grants, s3: true }, headers })
      return made.json as TestAccessKey & { readonly token: string }
    },
    client({ access_key: accessKeyId, secret: secretAccessKey }, more = {}) {
      const credentials = { accessKeyId, secretAccessKey }
      const client = new S3Client({
        endpoint,
        region: "us-east-1",
        forcePathStyle: true,
        maxAttempts: 1,
        credentials,
        ...more,
      })
      clients.push(client)
      return client
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.destroy()
      await server[Symbol.asyncDispose]()
    },
  }
}
