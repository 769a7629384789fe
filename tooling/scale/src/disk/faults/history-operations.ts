import { FILES, makeFileset, must, NEW, OLD, readFileset } from "./make-fileset.ts"
import { seen, type Operation, type Send } from "./operation.ts"

interface HistoryAnswer {
  readonly data: readonly { readonly ended_at: string }[]
  readonly versions: readonly { readonly gone: unknown }[]
}

/** Reads the changes of a fileset and of a path. Without what a full disk may take: it removes kept bytes before it refuses a write. */
async function readHistory(send: Send, id: string, path?: string): Promise<unknown> {
  const { status, json } = await send("GET", `${FILES}/${id}/history${path === undefined ? "" : `?path=${path}`}`)
  const { data, versions } = json as HistoryAnswer
  return [
    status,
    data.map((change) => ({ ...change, ended_at: "" })),
    versions.map((version) => ({ ...version, gone: "" })),
  ]
}

/** Reads a fileset and what became of its files. */
async function readKept(send: Send, id: string, paths: readonly string[]): Promise<unknown> {
  return [
    await readFileset(send, id, paths),
    await Promise.all([undefined, ...paths].map((path) => readHistory(send, id, path))),
  ]
}

/** Milliseconds after which new files are counted, and between two moments that differ. */
const COUNTED_MS = 700
const MOMENT_MS = 5
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Creates a fileset whose files are counted. Returns its address, and the moment at which it has them. */
async function makeCounted(send: Send, id: string, files: Readonly<Record<string, string>>) {
  const fileset = await makeFileset(send, id, files)
  await wait(MOMENT_MS)
  const moment = new Date().toISOString()
  await wait(COUNTED_MS)
  return { fileset, moment }
}

/** Returns an operation that restores one path, or all files, after `change`. */
function restoring(name: string, path: string | undefined, change: (send: Send, fileset: string) => Promise<unknown>) {
  const operation: Operation = {
    name,
    async prepare({ send }, id) {
      const { fileset, moment: revision } = await makeCounted(send, id, { "a/b": OLD, c: OLD })
      await change(send, fileset)
      await wait(COUNTED_MS)
      return {
        run: () => send("POST", `${fileset}/restore`, { json: { revision, path } }),
        read: () => readKept(send, id, ["a/b", "c"]),
      }
    },
  }
  return operation
}

const replace = (send: Send, fileset: string) => must(send("PUT", `${fileset}/-/a/b`, { body: NEW }))
const remove = (send: Send, fileset: string) => must(send("DELETE", `${fileset}/-/a/b`))

export const onHistory: readonly Operation[] = [
  {
    name: "PUT over a file that is kept",
    async prepare({ send }, id) {
      const { fileset } = await makeCounted(send, id, { "a/b": OLD })
      return {
        run: () => send("PUT", `${fileset}/-/a/b`, { body: NEW }),
        read: () => readKept(send, id, ["a/b"]),
      }
    },
  },
  {
    name: "DELETE a file that is kept",
    async prepare({ send }, id) {
      const { fileset } = await makeCounted(send, id, { "a/b": OLD })
      return { run: () => send("DELETE", `${fileset}/-/a/b`), read: () => readKept(send, id, ["a/b"]) }
    },
  },
  restoring("restore a replaced file", "a/b", replace),
  restoring("restore a deleted file", "a/b", remove),
  restoring("restore all files", undefined, async (send, fileset) => {
    await replace(send, fileset)
    await must(send("DELETE", `${fileset}/-/c`))
    await must(send("PUT", `${fileset}/-/d`, { body: NEW }))
  }),
  {
    name: "purge kept files",
    async prepare({ send }, id) {
      const { fileset } = await makeCounted(send, id, { "a/b": OLD, c: OLD })
      await replace(send, fileset)
      await must(send("DELETE", `${fileset}/-/c`))
      return { run: () => send("DELETE", `${fileset}/history`), read: () => readKept(send, id, ["a/b", "c"]) }
    },
  },
  {
    name: "read a kept file and its changes",
    async prepare({ send }, id) {
      const { fileset, moment: from } = await makeCounted(send, id, { "a.jsonl": '{"a":1}\n{"a":2}\n'.repeat(500) })
      await must(send("PUT", `${fileset}/-/a.jsonl`, { body: '{"a":1}\n{"a":3}\n'.repeat(500) }))
      const get = () => send("GET", `${fileset}/diff/rows?from=${from}&path=a.jsonl&limit=5`)
      return { run: get, read: async () => seen(await get()) }
    },
  },
]
