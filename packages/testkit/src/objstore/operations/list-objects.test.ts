import { ListObjectsV2Command, type ListObjectsV2CommandInput, type S3Client } from "@aws-sdk/client-s3"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type FakeObjstore, startFakeObjstore } from "../start-fake-objstore.ts"
import { connectS3 } from "../testing/connect-s3.ts"

const Bucket = "files"

let server: FakeObjstore
let client: S3Client

beforeAll(async () => {
  server = await startFakeObjstore()
  client = connectS3(server)
})
beforeEach(() => {
  for (const key of server.objects()) server.delete(key)
})
afterAll(() => server.close())

interface Listed {
  readonly keys: readonly (string | undefined)[]
  readonly prefixes: readonly (string | undefined)[]
  readonly token: string | undefined
}

async function list(input: Partial<ListObjectsV2CommandInput> = {}): Promise<Listed> {
  const page = await client.send(new ListObjectsV2Command({ Bucket, ...input }))
  expect(page.KeyCount).toBe((page.Contents?.length ?? 0) + (page.CommonPrefixes?.length ?? 0))
  expect(page.IsTruncated).toBe(page.NextContinuationToken !== undefined)
  return {
    keys: page.Contents?.map(({ Key }) => Key) ?? [],
    prefixes: page.CommonPrefixes?.map(({ Prefix }) => Prefix) ?? [],
    token: page.NextContinuationToken,
  }
}

describe("listings of the fake object store", () => {
  it("are sorted by the bytes of UTF-8, not by the units of UTF-16", async () => {
    for (const key of ["b", "\u{1f600}", "\uff5e", "a", "Z", "a/"]) server.write(key, "")
    expect((await list()).keys).toEqual(["Z", "a", "a/", "b", "\uff5e", "\u{1f600}"])
  })

  it("can begin with a prefix, and after a key, which is left out", async () => {
    for (const key of ["ds1/a", "ds1/b", "ds10/a", "ds2"]) server.write(key, "")
    expect((await list({ Prefix: "ds1" })).keys).toEqual(["ds1/a", "ds1/b", "ds10/a"])
    expect((await list({ Prefix: "ds1/" })).keys).toEqual(["ds1/a", "ds1/b"])
    expect((await list({ StartAfter: "ds1/a" })).keys).toEqual(["ds1/b", "ds10/a", "ds2"])
    expect((await list({ StartAfter: "ds1/aa", Prefix: "ds1" })).keys).toEqual(["ds1/b", "ds10/a"])
    expect((await list({ Prefix: "none" })).keys).toEqual([])
  })

  it("come in pages of at most a thousand", async () => {
    const keys = Array.from({ length: 2001 }, (_, index) => `k${String(index).padStart(5, "0")}`)
    for (const key of keys) server.write(key, "")
    const first = await list({ MaxKeys: 5000 })
    const second = await list({ ContinuationToken: first.token })
    const third = await list({ ContinuationToken: second.token })
    expect([first, second, third].map((page) => page.keys.length)).toEqual([1000, 1000, 1])
    expect([...first.keys, ...second.keys, ...third.keys]).toEqual(keys)
    expect(third.token).toBeUndefined()
    await expect(list({ ContinuationToken: "made up" })).rejects.toMatchObject({ name: "InvalidArgument" })
  })

  it("list a common prefix up to the delimiter once, also across pages", async () => {
    for (const key of ["a", "b/1", "b/2", "b/", "c/1", "d"]) server.write(key, "")
    expect(await list({ Delimiter: "/" })).toMatchObject({ keys: ["a", "d"], prefixes: ["b/", "c/"] })
    const page = await list({ Delimiter: "/", MaxKeys: 2 })
    expect(page).toMatchObject({ keys: ["a"], prefixes: ["b/"] })
    const rest = await list({ Delimiter: "/", ContinuationToken: page.token })
    expect(rest).toMatchObject({ keys: ["d"], prefixes: ["c/"], token: undefined })
    const below = await list({ Delimiter: "/", Prefix: "b/", MaxKeys: 1 })
    expect(below.keys).toEqual(["b/"])
    expect((await list({ Delimiter: "/", Prefix: "b/", ContinuationToken: below.token })).keys).toEqual(["b/1", "b/2"])
  })

  it("escape names for XML, and percent-encode them if the request wants it", async () => {
    const keys = ['<a> & "b"', "a\tb\nc", "d+e f/ä"]
    for (const key of keys) server.write(key, "")
    expect((await list()).keys).toEqual(keys)
    expect((await list({ EncodingType: "url" })).keys).toEqual(["%3Ca%3E+%26+%22b%22", "a%09b%0Ac", "d%2Be+f/%C3%A4"])
  })
})
