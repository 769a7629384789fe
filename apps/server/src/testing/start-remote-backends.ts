import {
  startFakeCatalog,
  startFakeHub,
  startFakeObjstore,
  type FakeCatalog,
  type FakeHub,
  type FakeObjstore,
} from "@assay/testkit"

/** One of each remote backend, with accessible and refused content in each. */
export interface RemoteBackends extends AsyncDisposable {
  readonly hub: FakeHub
  readonly catalog: FakeCatalog
  readonly objstore: FakeObjstore
}

/** Secrets that give access to private content, by their names in the tests; and one that gives access to nothing. */
export const REMOTE_SECRETS = {
  "hub-token": "hf_opens-the-repositories-of-the-test",
  "catalog-key": "nvapi-opens-the-assets-of-the-test",
  "store-id": "AKIDOPENSTHEBUCKETS",
  "store-key": "opens/the/buckets+of/the/test",
  wrong: "hf_opens-nothing-in-the-whole-world",
} as const

/** Returns a storage configuration for each backend, with the secrets that it needs. The one of the object store has no prefix. */
export const remoteStorages = ({ hub, catalog, objstore }: RemoteBackends) =>
  ({
    hub: { type: "hub", repo_id: "team/open", endpoint: hub.url },
    catalog: {
      type: "catalog",
      org: "org",
      team: "team",
      target: "open",
      api_key_secret: "catalog-key",
      host: catalog.url,
    },
    objstore: {
      type: "objstore",
      bucket: "files",
      region: objstore.region,
      endpoint_url: objstore.endpoint,
      access_key_id_secret: "store-id",
      secret_access_key_secret: "store-key",
    },
  }) as const

/** Size of each large file in bytes. */
export const LARGE_SIZE = 3_000_000

/** Several files of each size, because a file that was read once can be cached. */
const SMALL = ["a.txt", "b.txt", "c.txt"]
const LARGE = ["folder/large.bin", "large-1", "large-2", "large-3", "large-4"]

export async function startRemoteBackends(): Promise<RemoteBackends> {
  const small = Buffer.from("hello")
  const large = Buffer.alloc(LARGE_SIZE, "large ")
  const files: Readonly<Record<string, Uint8Array>> = Object.fromEntries([
    ...SMALL.map((path) => [path, small]),
    ...LARGE.map((path) => [path, large]),
  ])
  const hub = await startFakeHub({
    repositories: [
      { id: "team/open", files },
      { id: "team/private", private: true, files },
      { id: "team/gated", gated: "manual", files },
    ],
    tokens: { [REMOTE_SECRETS["hub-token"]]: ["team/private"] },
  })
  const asset = { org: "org", team: "team", kind: "resource", versions: [{ id: "1.0", files }] } as const
  const catalog = await startFakeCatalog({
    assets: [
      { ...asset, name: "open" },
      { ...asset, name: "licensed", needsLicence: true },
    ],
    keys: [{ value: REMOTE_SECRETS["catalog-key"] }],
  })
  const objstore = await startFakeObjstore({
    buckets: { files: {}, public: { publicRead: true } },
    accessKeyId: REMOTE_SECRETS["store-id"],
    secretAccessKey: REMOTE_SECRETS["store-key"],
  })
  for (const [key, bytes] of Object.entries(files)) {
    objstore.write(`data/${key}`, bytes)
    objstore.write(key, bytes, { bucket: "public" })
  }
  return {
    hub,
    catalog,
    objstore,
    async [Symbol.asyncDispose]() {
      await Promise.all([hub.close(), catalog.close(), objstore.close()])
    },
  }
}
