import { FILES, startTestServer, type Answer, type TestServer } from "./start-test-server.ts"

/** Path of the fileset of `startFilesServer`. */
export const BYTES = `${FILES}/default/filesets/bytes`

/** Starts a server with an empty fileset `default/bytes`, a file limit of 1,000,000 bytes and an idle limit of 0.3 s for uploads. */
export async function startFilesServer(): Promise<TestServer> {
  const server = await startTestServer({ ASSAY_UPLOAD_IDLE_SECONDS: "0.3", ASSAY_MAX_UPLOAD_BYTES: "1000000" })
  await server.call("POST", `${FILES}/default/filesets`, { json: { name: "bytes" } })
  return server
}

export interface FileCalls {
  readonly put: (path: string, body: string | Uint8Array, headers?: Readonly<Record<string, string>>) => Promise<Answer>
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>
}

/** Returns calls to the files of `default/bytes`. Paths are sent unchanged. */
export function fileCalls(server: () => TestServer): FileCalls {
  return {
    put: (path, body, headers = {}) => server().call("PUT", `${BYTES}/-/${path}`, { body, headers }),
    get: (path, headers = {}) => server().call("GET", `${BYTES}/-/${path}`, { headers }),
  }
}
