import { describe, expect, it } from "vitest"
import { parseUploadChecksum, parseUploadMetadata } from "./tus-headers.ts"

describe("Upload-Metadata", () => {
  it.each([
    ["a value that is not base64", "path !!!", "'!!!' of path in Upload-Metadata is not the base64 of UTF-8 text"],
    ["a path that is not UTF-8", "path //4=", "'//4=' of path in Upload-Metadata is not the base64 of UTF-8 text"],
    ["two paths", "path YQ==,path Yg==", "has the key 'path' twice"],
  ])("with %s is refused, so that no other file is written", (_case, header, message) => {
    expect(() => parseUploadMetadata(header)).toThrow(message)
  })

  it("may have keys of the client without a value, or with any bytes", () => {
    expect(parseUploadMetadata("path YQ, is_private,thumbnail //4=")).toEqual({ path: "a", sha256: undefined })
  })
})

describe("Upload-Checksum", () => {
  it.each(["sha256", "sha256 AAAA", "md5 !!!", "sha1 AAAAAAAAAAAAAAAAAAAAAA=="])(
    "that is not a digest is refused as such, not as a piece with damaged bytes: %s",
    (header) => {
      expect(() => parseUploadChecksum(header)).toThrow(/is not a digest of (sha256|md5|sha1) in base64/)
    },
  )
})
