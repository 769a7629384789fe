import { isAssayError } from "@assay/schemas"
import { type ObjstoreFault, startFakeObjstore, startLoopbackServer, verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { parseFilePath } from "../file-path.ts"
import type { Storage } from "../storage.ts"
import { codeOf, listPaths, readAll, writeAll } from "../testing/ask.ts"
import { openTestObjstore, type TestObjstoreOptions } from "../testing/open-test-objstore.ts"

const FILE = parseFilePath("folder/file")

/** All operations that send a request. */
const ASKING: readonly ((storage: Storage) => Promise<unknown>)[] = [
  (storage) => storage.stat(FILE),
  (storage) => listPaths(storage),
  (storage) => readAll(storage, FILE),
  (storage) => writeAll(storage, FILE, Buffer.from("x")),
  (storage) => storage.delete(FILE),
]

/** Expects every operation to fail with this code and message. */
async function expectFailures(storage: Storage, code: string, message: string | RegExp): Promise<void> {
  for (const ask of ASKING) {
    const error = await ask(storage).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) })
    expect(error).toMatchObject({
      message: expect.stringMatching(/^Could not (stat|list|read|write|delete)( 'folder\/file')? \(objstore storage, /),
    })
  }
}

describe("a refusal of an object store", () => {
  it.each<[string, TestObjstoreOptions, string, RegExp]>([
    ["a missing bucket", { bucket: "other" }, "upstream_missing", /the bucket does not exist; check `bucket`/],
    [
      "an unknown key id",
      { remote: { resolveSecret: async ({ name }) => `wrong-${name}` } },
      "upstream_refused",
      /does not know the access key id; set the secret of `access_key_id_secret`/,
    ],
    [
      "a wrong secret",
      { remote: { resolveSecret: async ({ name }) => (name === "id" ? "fake-access-key" : "wrong-key") } },
      "upstream_refused",
      /says that the signature is wrong; check the secret of `secret_access_key_secret`/,
    ],
    [
      "another region",
      { region: "eu-west-1" },
      "upstream_misconfigured",
      /the bucket is in region 'us-east-1', but was requested in 'eu-west-1'; set `region` to 'us-east-1'/,
    ],
    [
      "a clock that is fast",
      { remote: { now: () => Date.now() + 42 * 60_000 } },
      "upstream_misconfigured",
      /the clock of this machine is 42 minutes ahead of the store's/,
    ],
    [
      "a clock that is slow",
      { remote: { now: () => Date.now() - 120 * 60_000 }, signature_version: "v2" },
      "upstream_misconfigured",
      /the clock of this machine is 120 minutes behind the store's/,
    ],
  ])("is recognized: %s", async (title, options, code, message) => {
    const { storage } = await openTestObjstore(startFakeObjstore(), options)
    if (title !== "a missing bucket") return expectFailures(storage, code, message)
    await expect(listPaths(storage)).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
    return expect(storage.delete(FILE)).rejects.toMatchObject({ code })
  })

  it.each(["v2", "v4"] as const)("names the supported signature instead of %s", async (version) => {
    const other = version === "v2" ? "v4" : "v2"
    const { storage } = await openTestObjstore(startFakeObjstore({ signatures: [other] }), {
      signature_version: version,
    })
    const message = `does not support signatures of version ${version}; set \`signature_version\` to '${other}'`
    await expectFailures(storage, "upstream_misconfigured", message)
  })

  it.each<[string, ObjstoreFault, string, RegExp]>([
    [
      "a redirect to another region",
      { kind: "redirect", status: 301, to: "http://127.0.0.1:1", region: "eu-west-1" },
      "upstream_misconfigured",
      /set `region` to 'eu-west-1'/,
    ],
    [
      "a redirect to another address",
      { kind: "redirect", status: 307, to: "http://127.0.0.1:1" },
      "upstream_misconfigured",
      /it is at another address, http:\/\/127\.0\.0\.1:1;/,
    ],
    [
      "missing permission",
      { kind: "refuse", status: 403, code: "AccessDenied" },
      "upstream_refused",
      /no permission to do this \(AccessDenied\)/,
    ],
    ["a page of a proxy", { kind: "proxy-page", status: 403 }, "upstream_refused", /status 403/],
    [
      "an error page of a gateway",
      { kind: "proxy-page", status: 502 },
      "upstream_failed",
      /does not come from an object store \(status 502, text\/html\); check `endpoint_url` and/,
    ],
    ["throttling", { kind: "refuse", status: 503, code: "SlowDown" }, "upstream_failed", /status 503.*try later/],
    [
      "an unsupported operation",
      { kind: "refuse", status: 405, code: "MethodNotAllowed" },
      "upstream_misconfigured",
      /does not support this operation/,
    ],
    ["an unknown error", { kind: "refuse", status: 418, code: "Teapot" }, "upstream_failed", /status 418 \(Teapot: /],
    ["a closed connection", { kind: "hang-up" }, "upstream_failed", /there was no response: the connection broke off/],
  ])("is recognized: %s", async (_title, fault, code, message) => {
    const { store, storage } = await openTestObjstore(startFakeObjstore())
    store.write(FILE, "x")
    store.faults.add({ fault })
    await expectFailures(storage, code, message)
  })

  it("says that a store is busy, also if its response has no body", async () => {
    const busy = await startLoopbackServer((_request, response) => {
      response.writeHead(503, { "content-type": "application/xml" }).end()
    })
    const account = { endpoint: busy.url, region: "us-east-1", bucket: "files", close: () => busy.close() }
    const keys = { accessKeyId: "id-of-the-test", secretAccessKey: "secret-of-the-test" }
    const { storage } = await openTestObjstore(Promise.resolve({ ...account, ...keys }))
    await expect(storage.stat(FILE)).rejects.toMatchObject({
      code: "upstream_failed",
      message: expect.stringContaining("it returned status 503 repeatedly; try later"),
    })
  })

  it("is not_found if only the file is missing", verifies("files.path.folder"), async () => {
    const { storage } = await openTestObjstore(startFakeObjstore())
    for (const ask of [() => storage.stat(FILE), () => storage.read(FILE)])
      expect(await codeOf(ask())).toBe("not_found")
  })

  it("is reported for a redirect, which is not followed", async () => {
    const elsewhere = await startLoopbackServer((_request, response) => void response.end())
    const { store, storage } = await openTestObjstore(startFakeObjstore())
    store.faults.add({ fault: { kind: "redirect", status: 307, to: elsewhere.url } })
    await expectFailures(storage, "upstream_misconfigured", elsewhere.url)
    expect(elsewhere.requests).toEqual([])
    await elsewhere.close()
  })

  it("is reported differently from a store that can't be reached", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore())
    await store.close()
    await expectFailures(
      storage,
      "upstream_failed",
      /there was no response: the connection was refused.*Check `endpoint_url`/,
    )
  })

  it.each(["v2", "v4"] as const)(
    "contains no secret, even if the server sends it back for a %s request",
    async (version) => {
      const echo = await startLoopbackServer(({ method, url, headers }, response) => {
        const said = `${method} ${url} ${JSON.stringify(headers)} secret-of-the-test id-of-the-test`
        response.writeHead(400, { "content-type": "application/xml", "x-said": "1" })
        response.end(
          `<Error><Code>Odd</Code><Message>${said.replaceAll(/[<&]/g, "")}</Message><StringToSign>${said}</StringToSign></Error>`,
        )
      })
      const account = { endpoint: echo.url, region: "us-east-1", bucket: "files", close: () => echo.close() }
      const keys = { accessKeyId: "id-of-the-test", secretAccessKey: "secret-of-the-test" }
      const { storage } = await openTestObjstore(Promise.resolve({ ...account, ...keys }), {
        signature_version: version,
      })
      for (const ask of ASKING) {
        const error = await ask(storage).catch((caught: unknown) => caught)
        expect(isAssayError(error, "upstream_failed")).toBe(true)
        const shown = JSON.stringify([error, String(error), Object.entries(error as object), (error as Error).cause])
        for (const { headers } of echo.requests) {
          const signature = /(?:Signature=|:)([^,:]+)$/.exec(headers.authorization ?? "")?.[1] ?? "none"
          expect(signature.length).toBeGreaterThan(20)
          for (const secret of [signature, keys.accessKeyId, keys.secretAccessKey]) expect(shown).not.toContain(secret)
        }
      }
    },
  )
})
