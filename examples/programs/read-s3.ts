// Lists a bucket and prints the first bytes of one file. Run with the keys of an account that may read it:
//   AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… node examples/programs/read-s3.ts BUCKET PATH [ENDPOINT]
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { createTransport, openStorage, parseFilePath } from "@assay/storage"

const [bucket, name, endpoint] = process.argv.slice(2)
if (bucket === undefined || name === undefined) throw new Error("Usage: node read-s3.ts BUCKET PATH [ENDPOINT]")

// A configuration names secrets and never holds their values.
const secrets: Readonly<Record<string, string | undefined>> = {
  "key-id": process.env["AWS_ACCESS_KEY_ID"],
  key: process.env["AWS_SECRET_ACCESS_KEY"],
}
const { storage } = await openStorage(
  {
    type: "objstore",
    bucket,
    ...(endpoint === undefined ? {} : { endpoint_url: endpoint }),
    access_key_id_secret: "key-id",
    secret_access_key_secret: "key",
  },
  {
    remote: {
      workspace: "default",
      resolveSecret: async (secret) => secrets[secret.name] ?? "",
      transport: createTransport(),
      now: () => Date.now(),
      random: () => Math.random(),
      sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
    },
  },
)

for await (const { path, size } of storage.list({ prefix: "" })) console.log(`${path}  ${size} bytes`)
const { bytes } = await storage.read(parseFilePath(name), { range: { kind: "from", start: 0, end: 15 } })
for await (const piece of bytes) process.stdout.write(piece)
console.log()
