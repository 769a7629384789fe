import { gunzipSync, brotliDecompressSync, zstdDecompressSync } from "node:zlib"
import { startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { JOBS, launchQuestions, untilJob } from "../testing/evaluation-launch.ts"
import { ENTITIES, FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ ASSAY_ALLOWED_ORIGINS: "https://console.example" })
  for (let index = 0; index < 20; index++)
    await server.call("POST", `${FILES}/default/filesets`, { json: { name: `f${index}`, description: "A fileset" } })
  await server.call("PUT", `${FILES}/default/filesets/f0/-/a.json`, { body: JSON.stringify({ a: "b".repeat(5000) }) })
})
afterAll(() => server[Symbol.asyncDispose]())

const LIST = `${FILES}/default/filesets?page_size=100`
const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
  server.call(method, path, { headers })

describe("answers of the server", () => {
  it("are compressed in the best coding that the client accepts", verifies("service.compression"), async () => {
    const plain = await get(LIST)
    expect([plain.headers["content-encoding"], plain.headers.vary]).toEqual([undefined, "Origin, Accept-Encoding"])
    for (const [accepted, coding, decode] of [
      ["gzip, deflate, br, zstd", "zstd", zstdDecompressSync],
      ["gzip, br", "br", brotliDecompressSync],
      ["br;q=0, GZIP;q=0.1", "gzip", gunzipSync],
    ] as const) {
      const { headers, bytes } = await get(LIST, { "accept-encoding": accepted })
      expect([headers["content-encoding"], headers.vary, headers["content-type"]]).toEqual([
        coding,
        "Origin, Accept-Encoding",
        plain.headers["content-type"],
      ])
      expect(Number(headers["content-length"])).toBe(bytes.length)
      expect(bytes.length).toBeLessThan(plain.bytes.length / 5)
      expect(decode(bytes).toString()).toBe(plain.text)
    }
    for (const accepted of ["identity", "deflate", "gzip;q=0", "gzip; q=0.000", "*", "x".repeat(8000)]) {
      const { headers, text } = await get(LIST, { "accept-encoding": accepted })
      expect([accepted.slice(0, 20), headers["content-encoding"], text === plain.text]).toEqual([
        accepted.slice(0, 20),
        undefined,
        true,
      ])
    }
  })

  it(
    "are not compressed if they are small, files, heads or for pages of other sites",
    verifies("service.compression"),
    async () => {
      const all = { "accept-encoding": "gzip, br, zstd" }
      const plain = [
        await get(`${ENTITIES}/default`, all),
        await get(`${FILES}/default/filesets/f0/-/a.json`, all),
        await get(`${FILES}/default/filesets/f0/-/a.json`, { ...all, range: "bytes=0-2999" }),
        await get(LIST, all, "HEAD"),
        await get(LIST, { ...all, origin: "https://attacker.example" }),
        await get(LIST, { ...all, "sec-fetch-site": "cross-site" }),
      ]
      expect(plain.map(({ headers }) => headers["content-encoding"])).toEqual(plain.map(() => undefined))
      const own = await get(LIST, { ...all, origin: "https://console.example" })
      expect(own.headers["content-encoding"]).toBe("zstd")
    },
  )

  it(
    "flow as they come if they are events, and errors are compressed like others",
    verifies("service.compression"),
    async () => {
      const fake = await startFakeInference()
      try {
        const id = await launchQuestions(server.url, { fake, count: 3 })
        await untilJob(server.url, id, ["COMPLETED"])
        const events = await get(`${JOBS}/${id}/events`, { "accept-encoding": "gzip, br, zstd" })
        expect([events.headers["content-encoding"], events.text]).toEqual([
          undefined,
          expect.stringContaining("event: status"),
        ])
      } finally {
        await fake.close()
      }
      const wrong = { "content-type": "application/json", "accept-encoding": "gzip" }
      const body = JSON.stringify(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`unknown-${at}`, at])))
      const refused = await server.call("POST", `${FILES}/default/filesets`, { headers: wrong, body })
      expect([refused.status, refused.headers["content-encoding"]]).toEqual([422, "gzip"])
      expect(JSON.parse(gunzipSync(refused.bytes).toString()).detail.length).toBeGreaterThan(10)
    },
  )
})
