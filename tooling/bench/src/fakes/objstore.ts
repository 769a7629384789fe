// The fake object store as a separate process. Argument: its options as JSON, with objects to create: `{"objects": {"key": bytes}}`.
import process from "node:process"
import { startFakeObjstore, type FakeObjstoreOptions } from "@assay/testkit"

interface Arguments extends FakeObjstoreOptions {
  readonly objects?: Readonly<Record<string, number>>
  /** Number of keys of ten bytes, for listings. */
  readonly keys?: number
}

const { objects = {}, keys = 0, ...options } = JSON.parse(process.argv[2] ?? "{}") as Arguments
const server = await startFakeObjstore({ buckets: { files: { publicRead: true } }, ...options })
for (const [key, size] of Object.entries(objects)) server.write(key, { size, seed: 1 })
for (let index = 0; index < keys; index += 1) server.write(`part-${index % 100}/file-${index}.bin`, "0123456789")
process.stdout.write(`${server.endpoint}\n`)
process.on("SIGTERM", () => process.exit(0))
