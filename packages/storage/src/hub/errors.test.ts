import { isAssayError } from "@assay/schemas"
import { startFakeHub, type FakeHubOptions, type HubFault } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { parseFilePath } from "../file-path.ts"
import { probeStorage } from "../open-storage.ts"
import { listPaths, readAll } from "../testing/ask.ts"
import { openTestHub, type TestHubOptions } from "../testing/open-test-hub.ts"
import { sampleBytes } from "../testing/sample-bytes.ts"

const TOKEN = "hf_fakefakefakefake"
const FILES = { file: sampleBytes(100), large: { bytes: sampleBytes(1000), lfs: true } }

async function start(repository: Partial<NonNullable<FakeHubOptions["repositories"]>[number]> = {}) {
  const repositories = [{ id: "acme/net", files: FILES, ...repository }]
  const hub = await startFakeHub({ repositories, tokens: { [TOKEN]: [], hf_reader: ["acme/net"] } })
  onTestFinished(() => hub.close())
  return hub
}

/** Returns code and message of an error, and checks that it contains no secret. */
async function failure(work: Promise<unknown>): Promise<readonly [string, string]> {
  const error = await work.then(
    () => undefined,
    (caught: unknown) => caught,
  )
  if (!isAssayError(error)) throw new Error(`It did not fail as it should: ${String(error)}`)
  const all = JSON.stringify([error.message, error.context, String(error.cause)])
  expect(all).not.toContain(TOKEN)
  expect(all).not.toContain("Signature=")
  return [error.code, error.message]
}

const open = (endpoint: string, options: Partial<TestHubOptions> = {}) => openTestHub({ endpoint, ...options })

describe("an error of hub storage", () => {
  it("says that a repository is missing or private", async () => {
    const hub = await start({ private: true })
    expect(await failure(open(hub.url))).toEqual([
      "upstream_missing",
      `Could not open (hub storage, model 'acme/net' at ${hub.url}): it is private or missing (401: Invalid username or password.); check repo_id and repo_type, and set token_secret for a private one.`,
    ])
    const [code, message] = await failure(open(hub.url, { token: TOKEN }))
    expect(code).toBe("upstream_missing")
    expect(message).toContain("not open to the token in secret 'hub-token' (404: Repository not found)")
  })

  it("says that a repository is gated, and where to request access", async () => {
    const hub = await start({ type: "dataset", gated: "manual" })
    const config = { repo_type: "dataset" } as const
    const page = `${hub.url}/datasets/acme/net`
    const anonymous = await open(hub.url, { config })
    const [code, message] = await failure(probeStorage(anonymous.storage))
    expect(code).toBe("upstream_gated")
    expect(message).toContain("Could not read 'file' (hub storage, dataset 'acme/net' at")
    expect(message).toContain(`ask for access at ${page}, and set token_secret to a token of the account that has it.`)
    const stranger = await open(hub.url, { config, token: TOKEN })
    const [refusal, reason] = await failure(probeStorage(stranger.storage))
    expect(refusal).toBe("upstream_gated")
    expect(reason).toContain(`the token in secret 'hub-token' has no access`)
    expect(reason).toContain(`ask for it at ${page} with the account of the token`)
    const admitted = await open(hub.url, { config, token: "hf_reader" })
    await probeStorage(admitted.storage)
  })

  it("says that the hub refuses the token", async () => {
    const hub = await start()
    expect(await failure(open(hub.url, { token: "hf_gone" }))).toEqual([
      "upstream_refused",
      `Could not open (hub storage, model 'acme/net' at ${hub.url}): the hub refuses the token in secret 'hub-token' (401: Invalid credentials in Authorization header); set the secret to a token that is valid and may read there.`,
    ])
  })

  it("says that the hub has closed a repository", async () => {
    const hub = await start({ disabled: true })
    const [code, message] = await failure(open(hub.url))
    expect(code).toBe("upstream_missing")
    expect(message).toContain("the hub has closed it (403: Access to this resource is disabled.)")
  })

  it("says that a revision does not exist or no longer exists", async () => {
    const hub = await start()
    const [code, message] = await failure(open(hub.url, { config: { revision: "v/2" } }))
    expect([code, message]).toEqual(["upstream_missing", expect.stringContaining("it has no revision 'v/2'")])
    const { storage } = await open(hub.url, { config: { revision: "0".repeat(40) } })
    for (const work of [
      () => readAll(storage, "file"),
      () => listPaths(storage),
      () => storage.stat(parseFilePath("file")),
    ]) {
      const [gone, reason] = await failure(work())
      expect([gone, reason]).toEqual(["upstream_missing", expect.stringContaining(`no revision '${"0".repeat(40)}'`)])
    }
  })

  it("says that a file does not exist", async () => {
    const hub = await start()
    const { storage } = await open(hub.url)
    const target = `(hub storage, model 'acme/net' at ${hub.url}): the file does not exist; its listing shows which files exist.`
    expect(await failure(readAll(storage, "a/b"))).toEqual(["not_found", `Could not read 'a/b' ${target}`])
    expect(await failure(storage.stat(parseFilePath("a/b")))).toEqual(["not_found", `Could not stat 'a/b' ${target}`])
  })

  it("says that an address does not answer", async () => {
    const [code, message] = await failure(open("http://127.0.0.1:9"))
    expect(code).toBe("upstream_failed")
    expect(message).toMatch(/^Could not open \(hub storage, .*\): no answer came from http:\/\/127.0.0.1:9: /)
  })

  const FAULTS: readonly (readonly [string, HubFault, string, string])[] = [
    ["a page for people", { kind: "page", status: 200 }, "upstream_failed", "no proxy or login is in between"],
    ["no such address", { kind: "page", status: 404 }, "upstream_missing", "does not know the address (404: no reason"],
    ["a request that it can't read", { kind: "refuse", status: 400 }, "upstream_misconfigured", "check endpoint"],
    [
      "missing permission",
      { kind: "refuse", status: 403, message: "Forbidden" },
      "upstream_refused",
      "set token_secret",
    ],
    ["a failure", { kind: "refuse", status: 500 }, "upstream_failed", "500: Something went wrong."],
    ["throttling", { kind: "refuse", status: 429 }, "upstream_failed", "set token_secret, which allows more requests"],
    [
      "throttling until a time",
      { kind: "refuse", status: 429, headers: { ratelimit: '"api";r=0;t=55' } },
      "upstream_failed",
      "(429: Something went wrong. Again in 55 s.)",
    ],
    ["something else than JSON", { kind: "body", text: "{" }, "upstream_failed", "names no commit"],
    ["no commit", { kind: "body", text: '{"sha":"main"}' }, "upstream_failed", "names no commit"],
    ["a body without end", { kind: "cut", after: 5 }, "upstream_failed", "the answer broke off 4 times"],
  ]
  it.each(FAULTS)("is thrown if the hub returns %s", async (_title, fault, code, says) => {
    const hub = await start()
    hub.faults.add({ fault })
    const [found, message] = await failure(open(hub.url))
    expect([found, message]).toEqual([code, expect.stringContaining(says)])
  })

  it("never contains the token that the hub repeats", async () => {
    const hub = await start()
    hub.faults.add({ fault: { kind: "refuse", status: 403, message: `Bearer ${TOKEN} and ${TOKEN} are no good` } })
    const [code, message] = await failure(open(hub.url, { token: TOKEN }))
    expect([code, message]).toEqual(["upstream_refused", expect.stringContaining("*** are no good")])
  })

  it("says that the host of large files refuses, without showing its address", async () => {
    const hub = await start()
    const { storage } = await open(hub.url)
    hub.faults.add({ when: ({ host }) => host === "cdn", fault: { kind: "refuse", status: 403 } })
    const [code, message] = await failure(readAll(storage, "large"))
    expect(code).toBe("upstream_failed")
    expect(message).toContain(`${hub.objectUrl}, to which the hub sends for its bytes, answered 403`)
  })
})
