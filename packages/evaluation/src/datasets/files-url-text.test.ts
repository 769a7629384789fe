import { describe, expect, it } from "vitest"
import { filesUrlText } from "./files-url-text.ts"
import { parseFilesUrl } from "./parse-files-url.ts"

describe("what a dataset names", () => {
  it.each(["./rows.csv", "../data", "/data/rows.csv", "~/rows.csv", "C:\\rows.csv", "."])(
    "is left to the world where it is the place %j of a machine, and is no fileset",
    (place) => {
      expect(filesUrlText({ files_url: place, limit: 3 }, "ns")).toBe(place)
      expect(filesUrlText(place, "ns")).toBe(place)
      expect(() => parseFilesUrl(place, "ns")).toThrow(expect.objectContaining({ code: "dataset_format" }))
    },
  )

  it.each(["assay://datasets/ns/name/folder/", "ns/name", "name#path"])("is the text %j itself", (text) =>
    expect(filesUrlText({ files_url: text }, "ns")).toBe(text),
  )

  it.each([undefined, null, {}, { files_url: 1 }, [], "s3://bucket/rows.csv"])("is a fault in %j", (dataset) =>
    expect(() => filesUrlText(dataset, "ns")).toThrow(expect.objectContaining({ code: "dataset_format" })),
  )
})
