import { setTimeout as sleep } from "node:timers/promises"
import type { ObjstoreStorageConfiguration } from "@assay/schemas"
import { Agent } from "undici"
import { onTestFinished, vi } from "vitest"
import { createTransport } from "@assay/http/node"
import type { HttpRequest, Transport } from "@assay/http"
import type { RemoteStorageContext } from "../open-storage.ts"
import type { Storage } from "../storage.ts"
import { openObjstoreStorage } from "../objstore/open.ts"

/** A store on this machine, and its credentials. */
export interface TestStore {
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly bucket: string
  close(): Promise<void>
}

export interface TestObjstore<Store extends TestStore> {
  readonly store: Store
  readonly storage: Storage
  /** Milliseconds waited before each retry, in order. */
  readonly waits: readonly number[]
  /** Returns the number of requests in flight. A store that is not reading notices late that a request was ended. */
  readonly running: () => number
}

export interface TestObjstoreOptions extends Partial<ObjstoreStorageConfiguration> {
  readonly remote?: Partial<RemoteStorageContext> | undefined
  readonly isWithoutSecrets?: boolean | undefined
  /** Milliseconds that the store may be silent. Default 30,000, more than a busy machine needs. */
  readonly silenceMs?: number | undefined
  /** Selects the responses that are lost although the store executed the request. */
  readonly loses?: ((request: HttpRequest) => boolean) | undefined
}

/** Multiples of it are evenly spread between 0 and 1. */
const GOLDEN = 0.618_033_988_75

/** Opens a storage over a store for the current test. Every wait is shortened to a moment. */
export async function openTestObjstore<Store extends TestStore>(
  starting: Store | Promise<Store>,
  { remote, loses, isWithoutSecrets = false, silenceMs = 30_000, ...config }: TestObjstoreOptions = {},
): Promise<TestObjstore<Store>> {
  const store = await starting
  const waits: number[] = []
  let turn = 0
  const dispatcher = new Agent()
  onTestFinished(async () => {
    await dispatcher.destroy()
    await store.close()
  })
  const transport = createTransport({ dispatcher, firstByteMs: silenceMs, idleMs: silenceMs })
  const secrets: Record<string, string> = { id: store.accessKeyId, key: store.secretAccessKey }
  const opened = await openObjstoreStorage(
    {
      type: "objstore",
      bucket: store.bucket,
      region: store.region,
      endpoint_url: store.endpoint,
      ...(isWithoutSecrets ? {} : { access_key_id_secret: "id", secret_access_key_secret: "key" }),
      read_chunk_size: 4000,
      ...config,
    },
    {
      transport: loses === undefined ? transport : losingAnswers(transport, loses),
      now: vi.getRealSystemTime,
      random: () => (turn = (turn + GOLDEN) % 1),
      async sleep(milliseconds, signal) {
        waits.push(milliseconds)
        await sleep(1, undefined, { signal })
      },
      workspace: "default",
      resolveSecret: async ({ name }) => secrets[name] ?? "",
      ...remote,
    },
  )
  const running = () => Object.values(dispatcher.stats).reduce((sum, { running }) => sum + running, 0)
  return { store, storage: opened.storage, waits, running }
}

function losingAnswers(transport: Transport, loses: (request: HttpRequest) => boolean): Transport {
  return async (request, signal) => {
    const response = await transport(request, signal)
    if (!loses(request)) return response
    await response.body.toArray()
    throw Object.assign(new Error("lost on the way"), { code: "ECONNRESET" })
  }
}
