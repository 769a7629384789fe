import { FILES, makeFileset, must, NEW, OLD, readFileset } from "./make-fileset.ts"
import { seen, type Operation } from "./operation.ts"

export const onFiles: readonly Operation[] = [
  {
    name: "PUT a new file in new folders",
    async prepare({ send }, id) {
      const fileset = await makeFileset(send, id)
      return {
        run: () => send("PUT", `${fileset}/-/a/b/c`, { body: NEW }),
        read: () => readFileset(send, id, ["a/b/c"]),
      }
    },
  },
  {
    name: "PUT over a file",
    async prepare({ send }, id) {
      const fileset = await makeFileset(send, id, { a: OLD })
      return { run: () => send("PUT", `${fileset}/-/a`, { body: NEW }), read: () => readFileset(send, id, ["a"]) }
    },
  },
  {
    name: "PUT a new file only if none exists",
    async prepare({ send }, id) {
      const fileset = await makeFileset(send, id)
      const headers = { "if-none-match": "*" }
      return {
        run: () => send("PUT", `${fileset}/-/a/b`, { body: NEW, headers }),
        read: () => readFileset(send, id, ["a/b"]),
      }
    },
  },
  {
    name: "DELETE a file",
    async prepare({ send }, id) {
      const fileset = await makeFileset(send, id, { "a/b": OLD, c: OLD })
      return { run: () => send("DELETE", `${fileset}/-/a/b`), read: () => readFileset(send, id, ["a/b", "c"]) }
    },
  },
  {
    name: "GET a file",
    async prepare({ send }, id) {
      const fileset = await makeFileset(send, id, { a: OLD })
      const get = () => send("GET", `${fileset}/-/a`)
      return { run: get, read: async () => seen(await get()) }
    },
  },
  {
    name: "list files",
    async prepare({ send }, id) {
      const fileset = await makeFileset(send, id, { a: OLD, "b/c": OLD })
      const get = () => send("GET", `${fileset}/files`)
      return { run: get, read: async () => seen(await get()) }
    },
  },
  {
    name: "read rows of a file",
    async prepare({ send }, id) {
      const fileset = await makeFileset(send, id, { "a.jsonl": '{"a":1}\n{"a":2}\n'.repeat(500) })
      const get = () => send("GET", `${fileset}/rows?path=a.jsonl&limit=5`)
      return { run: get, read: async () => seen(await get()) }
    },
  },
]

export const onFilesets: readonly Operation[] = [
  {
    name: "POST a fileset",
    prepare: async ({ send }, id) => ({
      run: () => send("POST", FILES, { json: { name: id } }),
      read: async () => seen(await send("GET", `${FILES}/${id}`)),
    }),
  },
  {
    name: "rename a fileset",
    async prepare({ send }, id) {
      const fileset = await makeFileset(send, id, { "a/b": OLD })
      return {
        run: () => send("PATCH", fileset, { json: { name: `${id}-new` } }),
        read: () => Promise.all([readFileset(send, id, ["a/b"]), readFileset(send, `${id}-new`, ["a/b"])]),
      }
    },
  },
  {
    name: "DELETE a fileset",
    async prepare({ send }, id) {
      const fileset = await makeFileset(send, id, { "a/b": OLD, c: OLD })
      return { run: () => send("DELETE", fileset), read: () => readFileset(send, id, ["a/b", "c"]) }
    },
  },
  {
    name: "DELETE a workspace with its filesets",
    async prepare({ send }, id) {
      const all = "/apis/entities/v2/workspaces"
      const [files, secrets] = ["files", "secrets"].map((api) => `/apis/${api}/v2/workspaces/${id}`) as [string, string]
      await must(send("POST", all, { json: { name: id } }))
      await must(send("POST", `${files}/filesets`, { json: { name: "set" } }))
      await must(send("PUT", `${files}/filesets/set/-/a/b`, { body: OLD }))
      await must(send("POST", `${secrets}/secrets`, { json: { name: "key", value: "hidden" } }))
      const reads = [`${all}/${id}`, `${files}/filesets/set`, `${files}/filesets/set/-/a/b`, `${secrets}/secrets/key`]
      return {
        run: () => send("DELETE", `${all}/${id}?cascade=true`),
        read: () => Promise.all(reads.map(async (path) => seen(await send("GET", path)))),
      }
    },
  },
]

/** Returns an operation that creates, changes or deletes one record at an address. */
function record(
  name: string,
  all: string,
  bodies: (id: string) => { readonly first: object; readonly change?: object },
) {
  const address = (id: string) => `${all}/${id}`
  const operations: Operation[] = [
    {
      name: `POST a ${name}`,
      prepare: async ({ send }, id) => ({
        run: () => send("POST", all, { json: bodies(id).first }),
        read: async () => seen(await send("GET", address(id))),
      }),
    },
    {
      name: `DELETE a ${name}`,
      async prepare({ send }, id) {
        await must(send("POST", all, { json: bodies(id).first }))
        return {
          run: () => send("DELETE", address(id)),
          read: async () => seen(await send("GET", address(id))),
        }
      },
    },
  ]
  return operations
}

export const onRecords: readonly Operation[] = [
  ...record("secret", "/apis/secrets/v2/workspaces/default/secrets", (name) => ({ first: { name, value: "hidden" } })),
  ...record("guardrail", "/apis/guardrails/v2/workspaces/default/configs", (name) => ({
    first: { name, data: { models: [], rails: {} } },
  })),
  {
    name: "POST a token",
    prepare: async ({ send }, id) => ({
      run: () => send("POST", "/v1/tokens", { json: { name: id, grants: [{ workspace: "default", role: "viewer" }] } }),
      read: async () => (await send("GET", "/v1/tokens")).text.includes(`"${id}"`),
    }),
  },
  {
    name: "DELETE a token",
    async prepare({ send }, id) {
      const made = await must(
        send("POST", "/v1/tokens", { json: { name: id, grants: [{ workspace: "default", role: "viewer" }] } }),
      )
      const token = made.json as { readonly id: string; readonly token: string }
      return {
        run: () => send("DELETE", `/v1/tokens/${token.id}`),
        read: async () => (await send("GET", "/v1/tokens")).text.includes(`"${id}"`),
      }
    },
  },
]
