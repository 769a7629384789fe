import { WORKSPACE_NAME_PATTERN } from "@assay/schemas"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { bucketName, parseBucketName } from "./bucket-name.ts"
import { ownEtag, s3Etag } from "./s3-etag.ts"

const WORKSPACE = new RegExp(WORKSPACE_NAME_PATTERN, "u")
const text = fc.string({ unit: fc.constantFrom("a", "b", ".", "-", "1"), minLength: 2, maxLength: 8 })

it("The bucket of a fileset names its workspace and its name, and no other fileset", () => {
  expect(bucketName({ ws: "default", name: "reviews.v2" })).toBe("default.reviews.v2")
  expect(bucketName({ ws: "team.a", name: "b" })).toBe("team.a--b")
  fc.assert(
    fc.property(
      text.filter((ws) => WORKSPACE.test(ws)),
      text,
      (ws, name) => {
        expect(parseBucketName(bucketName({ ws, name }))).toEqual({ ws, name })
      },
    ),
    { numRuns: 1000 },
  )
})

it.each(["", "a", ".a", "a.", "--a", "a--", "."])("'%s' is not the name of a bucket", (bucket) => {
  expect(() => parseBucketName(bucket)).toThrow(expect.objectContaining({ code: "not_found" }))
})

it("An ETag for S3 clients has a hyphen, and is ours again in a condition", () => {
  expect(s3Etag('"abc"')).toBe('"abc-a"')
  expect(s3Etag(null)).toBeNull()
  expect(['"abc-a"', " abc-a ", "*", '"abc"', "d41d8cd98f00b204e9800998ecf8427e"].map(ownEtag)).toEqual([
    '"abc"',
    '"abc"',
    "*",
    '"-"',
    '"-"',
  ])
})
