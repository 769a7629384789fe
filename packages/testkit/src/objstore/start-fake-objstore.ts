import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createBucketAccess } from "./bucket-access.ts"
import { createBucket } from "./buckets.ts"
import { objstoreSettings, type FakeObjstoreOptions } from "./fake-objstore-options.ts"
import type { FakeObjstore } from "./fake-objstore.ts"
import { createFaults } from "./faults.ts"
import { createRequestListener } from "./request-listener.ts"
import { createRequestLog } from "./request-log.ts"

/**
 * An S3-compatible object store on a free port of 127.0.0.1. It refuses what the real ones refuse: signatures of version 2
 * and 4 are computed, digests and conditions compared, keys taken byte by byte.
 */
export async function startFakeObjstore(options: FakeObjstoreOptions = {}): Promise<FakeObjstore> {
  const settings = objstoreSettings(options)
  const buckets = new Map(Object.entries(settings.buckets).map(([name, bucket]) => [name, createBucket(name, bucket)]))
  const [first] = buckets.keys()
  if (first === undefined) throw new TypeError("The object store has no bucket; name one in `buckets`.")
  const log = createRequestLog()
  const { take, ...faults } = createFaults()
  const listener = createRequestListener({ buckets, settings, log, takeFaults: take })

  let connections = 0
  const server = createServer({ keepAliveTimeout: IDLE_MS }, listener)
    // A client with `Expect: 100-continue` gets its answer after the signature was checked.
    .on("checkContinue", listener)
    .on("connection", (socket) => {
      connections++
      socket.once("close", () => connections--)
    })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    region: settings.region,
    accessKeyId: settings.accessKeyId,
    secretAccessKey: settings.secretAccessKey,
    bucket: first,
    requests: log.requests,
    faults,
    ...createBucketAccess(buckets, first, settings.now),
    openConnections: () => connections,
    inFlight: log.inFlight,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Approximate time for which S3 keeps an idle connection. */
const IDLE_MS = 20_000
