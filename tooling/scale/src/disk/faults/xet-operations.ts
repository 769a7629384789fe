import { xetBodies } from "@assay/testkit"
import { makeFileset, must, readFileset } from "./make-fileset.ts"
import type { Operation, Send } from "./operation.ts"
import { commit, HUB } from "./upload-operations.ts"

/** Creates a fileset, and returns the chunks of a file for it and how they are sent. */
export async function startChunks(send: Send, id: string) {
  await makeFileset(send, id)
  const bytes = Buffer.from(`${id} `.repeat(5000))
  const bodies = xetBodies(bytes)
  const { json } = await must(send("GET", `${HUB}/api/models/default/${id}/xet-write-token/main`))
  const { casUrl, accessToken } = json as { readonly casUrl: string; readonly accessToken: string }
  const address = new URL(casUrl).pathname
  const headers = { authorization: `Bearer ${accessToken}` }
  const post = (path: string, body: Buffer) =>
    send("POST", `${address}${path}`, { headers, body: new Uint8Array(body) })
  const { sha256, size, xorb, xorbHash, shard } = bodies
  return {
    text: bytes.toString(),
    sendXorb: () => post(`/v1/xorbs/default/${xorbHash}`, xorb),
    sendShard: () => post("/v1/shards", shard),
    commit: () => commit(send, id, [{ key: "lfsFile", value: { path: "a/large", algo: "sha256", oid: sha256, size } }]),
    read: () => readFileset(send, id, ["a/large"]),
  }
}

export const onXet: readonly Operation[] = [
  {
    // A xorb without a shard is never seen, except that it is not inserted again.
    name: "POST a xorb",
    async prepare({ send }, id) {
      const chunks = await startChunks(send, id)
      return { run: chunks.sendXorb, read: chunks.read }
    },
  },
  {
    name: "POST a shard",
    async prepare({ send }, id) {
      const chunks = await startChunks(send, id)
      await must(chunks.sendXorb())
      return { run: chunks.sendShard, read: chunks.read }
    },
  },
  {
    name: "commit a file of chunks",
    async prepare({ send }, id) {
      const chunks = await startChunks(send, id)
      await must(chunks.sendXorb())
      await must(chunks.sendShard())
      return { run: chunks.commit, read: chunks.read }
    },
  },
  {
    name: "send chunks and commit their file",
    async prepare({ send }, id) {
      const chunks = await startChunks(send, id)
      const run = async () => {
        for (const step of [chunks.sendXorb, chunks.sendShard]) {
          const answer = await step()
          if (answer.status !== 200) return answer
        }
        return chunks.commit()
      }
      return { run, read: chunks.read }
    },
  },
]
