import { AssayError } from "@assay/schemas"
import * as fc from "fast-check"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { datasetReferenceOf, filesUrlOf, parseFilesUrl } from "./files-url.ts"

const partsOf = (text: string) => {
  const { workspace, name, path } = parseFilesUrl(text, "mine")
  return [workspace, name, path]
}
function refusalOf(work: () => unknown): AssayError {
  try {
    work()
  } catch (error) {
    if (error instanceof AssayError) return error
  }
  throw new Error("it was taken")
}

describe("a files_url", () => {
  it.each([
    ["hf://datasets/team/questions/a/rows.jsonl", ["team", "questions", "a/rows.jsonl"]],
    ["assay://datasets/team/questions/rows.csv", ["team", "questions", "rows.csv"]],
    ["ASSAY://datasets/team/questions", ["team", "questions", undefined]],
    ["hf://datasets/team/questions/", ["team", "questions", undefined]],
    ["hf://datasets/team/questions/folder/", ["team", "questions", "folder/"]],
    ["hf://datasets/team/questions/**/part-?.jsonl", ["team", "questions", "**/part-?.jsonl"]],
    ["team/questions", ["team", "questions", undefined]],
    ["team/questions#a/rows.jsonl", ["team", "questions", "a/rows.jsonl"]],
    ["questions#rows.jsonl", ["mine", "questions", "rows.jsonl"]],
  ])("%s is read as %j", verifies("launch.files-url"), (text, parts) => {
    expect(partsOf(text)).toEqual(parts)
  })

  it(
    "with the same namespace and name is read as both",
    verifies("launch.files-url", "brief.condition.files-url"),
    () => {
      expect(partsOf("hf://datasets/team/team/rows.jsonl")).toEqual(["team", "team", "rows.jsonl"])
    },
  )

  it.each([
    ["nds://datasets/team/questions/rows.jsonl", "assay://datasets/team/questions/rows.jsonl"],
    ["hf://team/questions/rows.jsonl", "assay://datasets/team/questions/rows.jsonl"],
    ["hf://datasets/team/questions#rows.jsonl", "hf://datasets/team/questions/rows.jsonl"],
    ["team/questions/rows.jsonl", "assay://datasets/team/questions/rows.jsonl"],
    ["questions", "assay://datasets/mine/questions"],
    ["./folder/rows.csv", "assay://datasets/mine/<name>/rows.csv"],
    ["rows.csv", "assay://datasets/mine/<name>/rows.csv"],
    ["hf://datasets/team", "assay://datasets/mine/<name>/<path>"],
    ["hf://datasets/team/questions/../secret", "assay://datasets/mine/<name>/<path>"],
    ["hf://datasets/team/questions/a//b", "assay://datasets/mine/<name>/<path>"],
    ["", "assay://datasets/mine/<name>/<path>"],
  ])("such as %j is refused with the form that is meant", verifies("launch.files-url"), (text, meant) => {
    const { code, message, context } = refusalOf(() => parseFilesUrl(text, "mine"))
    expect(code).toBe("dataset_format")
    expect(message).toContain(`write 'files_url: ${meant}'`)
    expect(context["remedy"]).toContain(`"files_url": "${meant}"`)
  })

  it("is split into the parts that it was made of", () => {
    const segment = fc.stringMatching(/^[\w-]{1,12}$/)
    fc.assert(
      fc.property(segment, segment, fc.array(segment, { minLength: 1, maxLength: 4 }), (workspace, name, path) => {
        const text = `assay://datasets/${workspace}/${name}/${path.join("/")}`
        expect(parseFilesUrl(text, "mine")).toEqual({ text, workspace, name, path: path.join("/") })
      }),
    )
  })

  it("is parsed or refused with a coded error, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        try {
          parseFilesUrl(text, "mine")
        } catch (error) {
          expect(error).toMatchObject({ name: "AssayError", code: "dataset_format" })
        }
      }),
    )
  })
})

describe("a dataset", () => {
  it.each([
    [{ format: "jsonl" }, "it has none"],
    [{ files_url: 7 }, "its files_url is not a text"],
    [["hf://datasets/team/q/rows.jsonl"], "it is not an object"],
    [null, "it is not an object"],
    [{ files_url: "rows" }, "the namespace is missing"],
  ])(
    "such as %j is refused in the words that people know",
    verifies("brief.condition.dataset-format", "launch.files"),
    (dataset, fault) => {
      const { code, message } = refusalOf(() => filesUrlOf(dataset, "mine"))
      expect(code).toBe("dataset_format")
      expect(message).toContain(
        `Dataset ${JSON.stringify(dataset)} is not in the expected format; it needs to have the files_url property set`,
      )
      expect(message).toContain(fault)
    },
  )

  it("may be the text of an address", () => {
    expect(filesUrlOf("team/questions#rows.jsonl", "mine").path).toBe("rows.jsonl")
  })

  it("is shown without its keys, and truncated", () => {
    const { message } = refusalOf(() => filesUrlOf({ hf_token: "hf_secret1234", filler: "x".repeat(10_000) }, "mine"))
    expect(message).not.toContain("hf_secret1234")
    expect(message.length).toBeLessThan(1000)
  })
})

describe("the dataset of a job", () => {
  it.each(["./rows.csv", "../data", "/data/rows.csv", "~/rows.csv", "C:\\rows.csv", "."])(
    "stays a text and is not a fileset if it is the local path %j",
    (path) => {
      expect(datasetReferenceOf({ files_url: path, limit: 3 }, "ns")).toBe(path)
      expect(datasetReferenceOf(path, "ns")).toBe(path)
      expect(() => parseFilesUrl(path, "ns")).toThrow(expect.objectContaining({ code: "dataset_format" }))
    },
  )

  it.each(["assay://datasets/ns/name/folder/", "ns/name", "name#path"])("is parsed if it is the address %j", (text) =>
    expect(datasetReferenceOf({ files_url: text }, "ns")).toEqual(parseFilesUrl(text, "ns")),
  )

  it.each([undefined, null, {}, { files_url: 1 }, [], "s3://bucket/rows.csv"])("is refused if it is %j", (dataset) =>
    expect(() => datasetReferenceOf(dataset, "ns")).toThrow(expect.objectContaining({ code: "dataset_format" })),
  )
})
