import * as fc from "fast-check"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { neutralStorage, neutralStorageType, vendorStorage } from "./wire-names.ts"

describe("neutralStorage", () => {
  it.each([
    ["ngc", "catalog"],
    ["huggingface", "hub"],
    ["s3", "objstore"],
    ["catalog", "catalog"],
    ["hub", "hub"],
    ["objstore", "objstore"],
    ["local", "local"],
  ])("reads the type %s as %s", verifies("wire.vendor-names.storage"), (word, neutral) => {
    expect(neutralStorageType(word)).toBe(neutral)
    expect(neutralStorage({ type: word, other: word })).toEqual({ type: neutral, other: word })
  })

  it.each([
    ["s3v4", "v4"],
    ["s3", "v2"],
    ["v4", "v4"],
    ["v2", "v2"],
  ])("reads the signature %s as %s", verifies("wire.vendor-names.signature"), (word, neutral) => {
    expect(neutralStorage({ type: "s3", signature_version: word })).toEqual({
      type: "objstore",
      signature_version: neutral,
    })
  })

  it("reads a storage without a type as a local one", verifies("brief.storage.local.type"), () => {
    expect(neutralStorage({ path: "/data" })).toEqual({ type: "local", path: "/data" })
  })

  it.each([null, undefined, "s3", 5, ["s3"], { type: null }, { type: "tape" }, { type: "toString" }, { type: ["s3"] }])(
    "leaves %j unchanged, for the schema to refuse",
    (value) => {
      expect(neutralStorage(value)).toEqual(value)
    },
  )
})

describe("vendorStorage", () => {
  it("writes the vendors' words", verifies("wire.vendor-names.answers"), () => {
    expect(vendorStorage({ type: "objstore", bucket: "b", signature_version: "v2" })).toEqual({
      type: "s3",
      bucket: "b",
      signature_version: "s3",
    })
    expect(vendorStorage({ type: "catalog", org: "o" })).toEqual({ type: "ngc", org: "o" })
    expect(vendorStorage({ type: "hub", repo_id: "r" })).toEqual({ type: "huggingface", repo_id: "r" })
    expect(vendorStorage({ type: "local", path: "/data" })).toEqual({ type: "local", path: "/data" })
  })

  it("is undone by neutralStorage", verifies("wire.vendor-names.storage", "wire.vendor-names.signature"), () => {
    const storage = fc.record(
      {
        type: fc.constantFrom("local", "catalog", "hub", "objstore"),
        signature_version: fc.constantFrom("v4", "v2"),
        bucket: fc.constantFrom("s3", "ngc", "v4"),
      },
      { requiredKeys: ["type"] },
    )
    fc.assert(
      fc.property(storage, (storage) => {
        expect(neutralStorage(vendorStorage(storage))).toEqual(storage)
      }),
    )
  })
})
