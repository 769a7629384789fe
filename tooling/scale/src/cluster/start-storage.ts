import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3"
import { findSwift, startFakeObjstore, startSwift } from "@assay/testkit"
import { startGateway, type Gateway } from "./start-gateway.ts"

/** An S3 server behind a gateway that can refuse requests. */
export interface ObjectStorage {
  readonly kind: "swift" | "fake"
  readonly gateway: Gateway
  /** Returns the value of ASSAY_DEFAULT_STORAGE for a process that reaches the gateway by this address. */
  settingFor(address: string): string
  /** The secrets that the setting names. They belong to the workspace `system`. */
  readonly secrets: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** Starts OpenStack Swift if it is installed, else the object store of the tests. */
export async function startStorage(): Promise<ObjectStorage> {
  const store = await startStore()
  const gateway = await startGateway(store.endpoint)
  return {
    kind: store.kind,
    gateway,
    settingFor: (address) =>
      JSON.stringify({
        type: "s3",
        bucket: store.bucket,
        region: store.region,
        endpoint_url: `http://${address}`,
        access_key_id_secret: "id",
        secret_access_key_secret: "key",
      }),
    secrets: { id: store.accessKeyId, key: store.secretAccessKey },
    async close() {
      await gateway.close()
      await store.close()
    },
  }
}

async function startStore() {
  if (!findSwift().isThere) return { kind: "fake" as const, ...(await startFakeObjstore()) }
  const swift = await startSwift()
  const { endpoint, region, ...credentials } = swift
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: "scale" }))
  client.destroy()
  return { kind: "swift" as const, bucket: "scale", ...swift }
}
