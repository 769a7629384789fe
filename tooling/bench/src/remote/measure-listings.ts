import { ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3"
import { atMost, type Measurement } from "../bench.ts"
import { inTurns } from "../measure/in-turns.ts"
import { openObjstore } from "./open-objstore.ts"
import { startFakeStore } from "./start-fake-store.ts"

const KEYS = 100_000

/** Measures a listing of 100,000 keys by the adapter and by bare paged calls. */
export async function listings(): Promise<readonly Measurement[]> {
  const store = await startFakeStore({ keys: KEYS })
  const storage = await openObjstore(store.url)
  const client = new S3Client({
    endpoint: store.url,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: { accessKeyId: "fake-access-key", secretAccessKey: "fake-secret-key" },
  })
  const timed = async (list: () => Promise<number>) => {
    const started = performance.now()
    const count = await list()
    if (count !== KEYS) throw new Error(`listed ${count} keys instead of ${KEYS}`)
    return (performance.now() - started) / 1000
  }
  const [mine, bare] = await inTurns([
    () =>
      timed(async () => {
        let count = 0
        for await (const _file of storage.list()) count += 1
        return count
      }),
    () =>
      timed(async () => {
        let count = 0
        let token: string | undefined
        do {
          const more = token === undefined ? {} : { ContinuationToken: token }
          const page = await client.send(new ListObjectsV2Command({ Bucket: "files", ...more }))
          count += page.Contents?.length ?? 0
          token = page.NextContinuationToken
        } while (token !== undefined)
        return count
      }),
  ])
  client.destroy()
  await store.stop()
  return [
    atMost(
      { work: "time to list 100,000 keys", does: "By the adapter, to paged calls of @aws-sdk/client-s3." },
      mine / bare,
      1.2,
      `${mine.toFixed(2)} s to ${bare.toFixed(2)} s`,
    ),
  ]
}
