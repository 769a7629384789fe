import { createHash } from "node:crypto"
import { makeFileset, must, NEW, OLD, readFileset } from "./make-fileset.ts"
import type { Answer, Operation, Send } from "./operation.ts"

export const HUB = "/apis/files/v2/hf"
const base64 = (text: string) => Buffer.from(text).toString("base64")
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
const TUS = { "tus-resumable": "1.0.0" }
const PIECE = { ...TUS, "content-type": "application/offset+octet-stream" }

async function makeUpload(send: Send, fileset: string, length: number): Promise<string> {
  const headers = { ...TUS, "upload-length": String(length), "upload-metadata": `path ${base64("a/b")}` }
  const { headers: given } = await must(send("POST", `${fileset}/uploads`, { headers }))
  return new URL(given.get("location") ?? "", "http://localhost").pathname
}

const offsetOf = ({ status, headers }: Answer): unknown => [status, headers.get("upload-offset")]

export const onUploads: readonly Operation[] = [
  {
    name: "POST an upload",
    async prepare({ send }, id) {
      const fileset = await makeFileset(send, id)
      const headers = { ...TUS, "upload-length": "10", "upload-metadata": `path ${base64("a/b")}` }
      return { run: () => send("POST", `${fileset}/uploads`, { headers }), read: () => readFileset(send, id, ["a/b"]) }
    },
  },
  {
    name: "PATCH an upload",
    async prepare({ send }, id) {
      const fileset = await makeFileset(send, id)
      const location = await makeUpload(send, fileset, OLD.length * 2)
      await must(send("PATCH", location, { headers: { ...PIECE, "upload-offset": "0" }, body: OLD }))
      const checksum = `sha256 ${createHash("sha256").update("x".repeat(500)).digest("base64")}`
      const headers = { ...PIECE, "upload-offset": String(OLD.length), "upload-checksum": checksum }
      return {
        run: () => send("PATCH", location, { headers, body: "x".repeat(500) }),
        read: async () => offsetOf(await send("HEAD", location, { headers: TUS })),
      }
    },
  },
  {
    name: "PATCH the last piece of an upload",
    async prepare({ send }, id) {
      const fileset = await makeFileset(send, id)
      const location = await makeUpload(send, fileset, OLD.length)
      await must(send("PATCH", location, { headers: { ...PIECE, "upload-offset": "0" }, body: OLD.slice(0, 500) }))
      const headers = { ...PIECE, "upload-offset": "500" }
      // A continued upload ends with the file, whatever failed: that the file appears later is its purpose.
      return {
        run: () => send("PATCH", location, { headers, body: OLD.slice(500) }),
        read: () => readFileset(send, id, ["a/b"]),
      }
    },
  },
  {
    name: "DELETE an upload",
    async prepare({ send }, id) {
      const location = await makeUpload(send, await makeFileset(send, id), OLD.length)
      await must(send("PATCH", location, { headers: { ...PIECE, "upload-offset": "0" }, body: "half" }))
      return {
        run: () => send("DELETE", location, { headers: TUS }),
        read: async () => offsetOf(await send("HEAD", location, { headers: TUS })),
      }
    },
  },
]

/** Asks the batch API of Git LFS for the address of an upload, as clients of the hub do. Undefined: the object exists. */
export async function askForUpload(send: Send, id: string, text: string) {
  const json = {
    operation: "upload",
    transfers: ["basic", "multipart"],
    objects: [{ oid: sha256(text), size: text.length }],
  }
  const answer = await must(send("POST", `${HUB}/default/${id}.git/info/lfs/objects/batch`, { json }))
  const { objects } = JSON.parse(answer.text) as {
    readonly objects: readonly [{ readonly actions?: { readonly upload: { readonly href: string } } }]
  }
  return { answer, upload: objects[0].actions?.upload.href.replace(/^https?:\/\/[^/]+/, "") }
}

async function startObject(send: Send, id: string, text: string): Promise<string> {
  const { upload } = await askForUpload(send, id, text)
  if (upload === undefined) throw new Error("The object is there before it was sent.")
  return upload
}

const header = { key: "header", value: { summary: "change" } }

/** Commits files to a fileset through the API of the hub. */
export const commit = (send: Send, id: string, lines: readonly object[]) =>
  send("POST", `${HUB}/api/models/default/${id}/commit/main`, {
    headers: { "content-type": "application/x-ndjson" },
    body: [header, ...lines].map((line) => JSON.stringify(line)).join("\n"),
  })

export const onHub: readonly Operation[] = [
  {
    name: "PUT an LFS object",
    async prepare({ send }, id) {
      await makeFileset(send, id)
      const href = await startObject(send, id, OLD)
      const isThere = async () => (await askForUpload(send, id, OLD)).upload === undefined
      return { run: () => send("PUT", href, { body: OLD }), read: isThere, wanted: true }
    },
  },
  {
    name: "commit an LFS object, a file and a deletion",
    async prepare({ send }, id) {
      await makeFileset(send, id, { gone: OLD, over: OLD })
      await must(send("PUT", await startObject(send, id, NEW), { body: NEW }))
      const lines = [
        { key: "lfsFile", value: { path: "a/large", algo: "sha256", oid: sha256(NEW), size: NEW.length } },
        { key: "file", value: { path: "over", content: base64("small"), encoding: "base64" } },
        { key: "deletedFile", value: { path: "gone" } },
      ]
      return { run: () => commit(send, id, lines), read: () => readFileset(send, id, ["a/large", "over", "gone"]) }
    },
  },
]
