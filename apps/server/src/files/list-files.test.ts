import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { BYTES, fileCalls, startFilesServer } from "../testing/start-files-server.ts"
import { FILES, type TestServer } from "../testing/start-test-server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startFilesServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const { put, get } = fileCalls(() => server)

describe("DELETE and listing of files", () => {
  it("deletes a file only if its conditions hold", verifies("files.delete.conditions"), async () => {
    await put("kept", "x")
    const { headers } = await get("kept")
    const remove = (conditions: Readonly<Record<string, string>>) =>
      server.call("DELETE", `${BYTES}/-/kept`, { headers: conditions })
    const etag = headers["etag"] ?? ""
    for (const wrong of [
      { "if-match": '"other"' },
      { "if-none-match": etag },
      { "if-none-match": "*" },
      { "if-unmodified-since": "Sat, 01 Jan 2000 00:00:00 GMT" },
    ]) {
      expect([wrong, (await remove(wrong)).status]).toEqual([wrong, 412])
    }
    expect((await get("kept")).text).toBe("x")
    expect((await remove({ "if-match": etag })).status).toBe(200)
    expect((await remove({ "if-match": "*" })).status).toBe(404)
  })

  it(
    "returns the deleted file, also to a request with a JSON content type and no body",
    verifies("files.delete.answers-record", "clients.delete-empty-json"),
    async () => {
      await put("gone", "x")
      const headers = { "content-type": "application/json" }
      const answer = await server.call("DELETE", `${BYTES}/-/gone`, { headers })
      expect([answer.status, answer.json.path]).toEqual([200, "gone"])
      expect((await get("gone")).status).toBe(404)
    },
  )

  it(
    "lists files below a path in code-point order, in pages",
    verifies(
      "files.list.route",
      "files.list.order",
      "files.list.path",
      "files.list.pages",
      "files.list.no-path",
      "files.list.trailing-slash",
      "files.list.include-cache-status",
    ),
    async () => {
      const fileset = `${FILES}/default/filesets/listed`
      await server.call("POST", `${FILES}/default/filesets`, { json: { name: "listed" } })
      for (const path of ["a", "ab", "a-/x", "b/1", "b/2", "b.txt", "z\u{1F600}", "z\uFF5E"]) {
        await server.call("PUT", `${fileset}/-/${path.split("/").map(encodeURIComponent).join("/")}`, { body: "x" })
      }
      const paths = async (query: string) => {
        const { json } = await server.call("GET", `${fileset}/files${query}`)
        return [json.data.map((file: { path: string }) => file.path), json.next_page_token] as const
      }
      const all = ["a", "a-/x", "ab", "b.txt", "b/1", "b/2", "z\uFF5E", "z\u{1F600}"]
      expect(await paths("?include_cache_status=false")).toEqual([all, undefined])
      expect(await paths("?path=")).toEqual([all, undefined])
      expect(await paths("?path=a")).toEqual([["a"], undefined])
      expect(await paths("?path=b")).toEqual([["b/1", "b/2"], undefined])
      expect(await paths("?path=b/")).toEqual([["b/1", "b/2"], undefined])
      const [first, token] = await paths("?limit=5")
      expect(first).toEqual(all.slice(0, 5))
      expect(await paths(`?limit=5&page_token=${token}`)).toEqual([all.slice(5), undefined])
      expect((await server.call("GET", `${fileset}/files?page_token=forged`)).json.code).toBe("bad_page_token")
    },
  )

  it(
    "lists one level of a folder, and finds files in all levels, in pages",
    verifies("files.list.level", "files.list.contains"),
    async () => {
      const fileset = `${FILES}/default/filesets/levels`
      await server.call("POST", `${FILES}/default/filesets`, { json: { name: "levels" } })
      for (const path of ["a.txt", "b/1.txt", "b/c/2.txt", "d.txt"]) {
        await server.call("PUT", `${fileset}/-/${path}`, { body: "xyz" })
      }
      const list = async (query: string) => (await server.call("GET", `${fileset}/files?${query}`)).json
      const paths = (page: { data: readonly { path: string }[] }) => page.data.map(({ path }) => path)
      const root = await list("recursive=false")
      expect([paths(root), root.folders]).toEqual([["a.txt", "d.txt"], [{ path: "b/", files: 2, bytes: 6 }]])
      const first = await list("recursive=false&limit=2")
      const rest = await list(`recursive=false&limit=2&page_token=${first.next_page_token}`)
      expect([paths(first), first.folders.length, paths(rest), rest.folders]).toEqual([["a.txt"], 1, ["d.txt"], []])
      expect(paths(await list("path=b&recursive=false"))).toEqual(["b/1.txt"])
      expect(paths(await list("contains=2.TXT"))).toEqual(["b/c/2.txt"])
      const both = await server.call("GET", `${fileset}/files?contains=2&recursive=false`)
      expect([both.status, both.json.detail[0].loc]).toEqual([422, ["query", "contains"]])
      // The token of one listing is none of another.
      expect((await list(`recursive=false&path=b&page_token=${first.next_page_token}`)).code).toBe("bad_page_token")
    },
  )
})
