import { setTimeout as sleep } from "node:timers/promises"
import { AssayError, type StorageConfiguration } from "@assay/schemas"
import { createTransport, openStorage, probeStorage, type RemoteStorageContext } from "@assay/storage"
import {
  type FakeHub,
  type FakeObjstore,
  type FakeRepository,
  type ObjstoreFault,
  startFakeHub,
  startFakeObjstore,
  verifies,
} from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { classifyStorageError } from "./storage-finding.ts"
import { findInError } from "./find-in-error.ts"

/** Opens and reads a remote storage, and returns its error. Waits take no time. */
async function remoteFailure(
  config: StorageConfiguration,
  secrets: Readonly<Record<string, string>> = {},
  remote: Partial<RemoteStorageContext> = {},
): Promise<unknown> {
  const context: RemoteStorageContext = {
    transport: createTransport(),
    now: () => Date.now(),
    random: () => 0,
    sleep: (_, signal) => sleep(1, undefined, { signal }),
    workspace: "default",
    async resolveSecret({ name }) {
      const value = secrets[name]
      if (value !== undefined) return value
      throw new AssayError("secret_not_readable", `Secret '${name}' is not there; create it.`)
    },
    ...remote,
  }
  try {
    const { storage } = await openStorage(config, { remote: context })
    await probeStorage(storage)
  } catch (error) {
    return error
  }
  throw new Error("nothing failed")
}

const FILES = { "rows.jsonl": Buffer.from('{"a":1}\n') }
const REPOSITORIES: readonly FakeRepository[] = [
  { id: "acme/gated", type: "dataset", gated: "manual", files: FILES },
  { id: "acme/model", gated: "auto", files: FILES },
  { id: "acme/private", type: "dataset", private: true, files: FILES },
  { id: "acme/closed", type: "dataset", disabled: true, files: FILES },
  { id: "acme/open", type: "dataset", files: FILES },
]

describe("a refusal of the hub", () => {
  let hub: FakeHub
  beforeAll(async () => {
    hub = await startFakeHub({ repositories: REPOSITORIES, tokens: { hf_stranger: [] } })
  })
  afterAll(() => hub.close())

  const hubFailure = (repo_id: string, more: object = {}) => {
    const config = { type: "hub", repo_id, repo_type: "dataset", endpoint: hub.url, ...more } as StorageConfiguration
    return remoteFailure(config, { token: "hf_stranger", wrong: "hf_unknown" })
  }

  it.each([
    ["acme/gated", {}, "gated_dataset"],
    ["acme/gated", { token_secret: "token" }, "gated_dataset"],
    ["acme/model", { repo_type: "model" }, "gated_repository"],
    ["acme/private", {}, "hub_not_found"],
    ["acme/nowhere", {}, "hub_not_found"],
    ["acme/open", { revision: "v9" }, "hub_not_found"],
    ["acme/closed", {}, "hub_disabled"],
    ["acme/open", { token_secret: "wrong" }, "storage_auth"],
  ] as const)("for %s with %j is %s", verifies("condition.storage"), async (id, more, code) => {
    const error = await hubFailure(id, more)
    expect(classifyStorageError(error)).toBe(code)
    expect(findInError(new AssayError("storage_not_usable", "Not usable.", { cause: error }))?.code).toBe(code)
  })

  it(
    "because of a gated dataset has advice with the page to ask for access",
    verifies("brief.condition.gated"),
    async () => {
      const found = findInError(await hubFailure("acme/gated"))
      expect(found?.advice).toBe(`Ask for access at ${hub.url}/datasets/acme/gated.`)
      expect(found?.message).toContain("dataset 'acme/gated'")
    },
  )

  it("because of too many requests is a limit of the hub, not of an inference endpoint", async () => {
    hub.faults.add({ fault: { kind: "refuse", status: 429, message: "Too many requests" } })
    const found = findInError(await hubFailure("acme/open"))
    hub.faults.clear()
    expect(found).toMatchObject({ code: "rate_limited", title: "The hub limits the rate", isAdviceAll: true })
  })
})

describe("a refusal of an object store", () => {
  let store: FakeObjstore
  beforeAll(async () => {
    store = await startFakeObjstore()
  })
  afterAll(() => store.close())

  const SECRETS = { id: "fake-access-key", key: "fake-secret-key", other: "AKIAWRONG" }
  const configuration = (more: object) =>
    ({
      type: "objstore",
      bucket: store.bucket,
      region: store.region,
      endpoint_url: store.endpoint,
      access_key_id_secret: "id",
      secret_access_key_secret: "key",
      ...more,
    }) as StorageConfiguration

  it.each([
    [{ bucket: "elsewhere" }, "storage_not_found"],
    [{ access_key_id_secret: "other" }, "storage_auth"],
    [{ secret_access_key_secret: "other" }, "storage_auth"],
    [{ region: "eu-west-1" }, "storage_region"],
    [{ endpoint_url: "http://127.0.0.1:1" }, "datastore_unreachable"],
  ] as const)("with %j is %s", verifies("condition.storage"), async (more, code) => {
    expect(classifyStorageError(await remoteFailure(configuration(more), SECRETS))).toBe(code)
  })

  it("because of the clock is storage_clock", verifies("condition.storage"), async () => {
    const now = () => Date.now() + 60 * 60_000
    expect(classifyStorageError(await remoteFailure(configuration({}), SECRETS, { now }))).toBe("storage_clock")
  })

  it.each<readonly [ObjstoreFault, string]>([
    [{ kind: "refuse", status: 403, code: "AccessDenied" }, "storage_auth"],
    [{ kind: "refuse", status: 400, code: "ExpiredToken" }, "storage_auth"],
    [{ kind: "refuse", status: 503, code: "SlowDown" }, "rate_limited"],
    [{ kind: "refuse", status: 501, code: "NotImplemented" }, "storage_incompatible"],
    [{ kind: "refuse", status: 507, code: "XMinioStorageFull" }, "disk_full"],
    [{ kind: "redirect", status: 301, to: "http://127.0.0.1:9", region: "eu-west-1" }, "storage_region"],
    [{ kind: "proxy-page", status: 502 }, "datastore_unreachable"],
    [{ kind: "hang-up" }, "datastore_unreachable"],
  ])("by %j is %s", verifies("condition.storage"), async (fault, code) => {
    store.faults.add({ fault })
    const error = await remoteFailure(configuration({}), SECRETS)
    store.faults.clear()
    expect(classifyStorageError(error)).toBe(code)
  })

  it("because of the region has advice with the right one", async () => {
    const found = findInError(await remoteFailure(configuration({ region: "eu-west-1" }), SECRETS))
    expect(found?.advice).toBe("The bucket is in region 'us-east-1'.")
  })
})

it("An error without a storage has no storage condition", () => {
  expect(classifyStorageError(new AssayError("model_not_found", "No such model."))).toBeUndefined()
  expect(classifyStorageError(new Error("what"))).toBeUndefined()
})
