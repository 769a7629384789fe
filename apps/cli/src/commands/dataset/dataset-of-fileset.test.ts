import type { Fetch } from "@assay/client"
import { createHttpFetch } from "@assay/http/node"
import { verifies } from "@assay/testkit"
import { beforeAll, describe, expect, it } from "vitest"
import { serveCommands } from "../../testing/serve-commands.ts"

const SCHEMA = { type: "object", properties: { stars: { type: "integer" } } }

const { folder, assay, assayWith } = serveCommands()
beforeAll(async () => {
  folder.write("reviews/train/a.jsonl", '{"stars": 1}\n{"stars": "two"}\n')
  folder.write("reviews/test.csv", "stars\n3\n4\n")
  folder.write("any.json", "{}")
  folder.write("text.json", '{"schema": {"properties": {"stars": {"type": "string"}}}}')
  const metadata = JSON.stringify({ dataset: { schema: SCHEMA } })
  await assay("fileset", "create", "reviews", "--purpose", "dataset", "--metadata", metadata)
  await assay("push", "./reviews", "reviews")
})

describe("assay dataset with a fileset", () => {
  it(
    "checks rows against the metadata of the fileset",
    verifies("cli.dataset", "contents.validate.command", "cli.exit.no"),
    async () => {
      const { exitCode, stdout, stderr } = await assay("dataset", "validate", "default/reviews")
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" })
      expect(stdout).toMatch(/^default\/reviews#test\.csv +2 +0 +\/schema$/m)
      expect(stdout).toContain('\ndefault/reviews#train/a.jsonl:2:13 /stars must be integer; it is "two"\n')
    },
  )

  it("accepts a file or a folder of the fileset", verifies("cli.dataset", "cli.address"), async () => {
    expect((await assay("dataset", "validate", "default/reviews#test.csv")).exitCode).toBe(0)
    const { exitCode, stdout } = await assay("dataset", "validate", "reviews#train/", "--json")
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ rows: 2, files: [{ path: "train/a.jsonl", invalid: 1 }] })
  })

  it("lets the server read the rows if no option replaces the metadata", async () => {
    const asked: string[] = []
    const send = createHttpFetch()
    const fetch: Fetch = (url, init) => {
      asked.push(new URL(url).pathname.split("/filesets/").pop() ?? "")
      return send(url, init)
    }
    for (const verb of ["validate", "infer-schema", "profile"]) {
      await assayWith(["dataset", verb, "default/reviews"], { fetch })
    }
    expect(asked).toEqual([
      "reviews",
      "reviews/validate",
      "reviews",
      "reviews/infer-schema",
      "reviews",
      "reviews/profile",
    ])
  })

  it("checks rows against --schema or --metadata if they are given", verifies("cli.dataset"), async () => {
    expect((await assay("dataset", "validate", "default/reviews", "--schema", "any.json")).exitCode).toBe(0)
    const { stdout } = await assay("dataset", "validate", "default/reviews", "--metadata", "text.json", "--json")
    expect(JSON.parse(stdout)).toMatchObject({ rows: 4, invalid: 1 })
  })

  it("prints rows, an inferred schema and a profile", verifies("cli.dataset"), async () => {
    expect((await assay("dataset", "head", "reviews#test.csv")).stdout).toBe('{"stars":3}\n{"stars":4}\n')
    const inferred = JSON.parse((await assay("dataset", "infer-schema", "reviews#test.csv")).stdout)
    expect(inferred.properties).toEqual({ stars: { type: "integer" } })
    expect((await assay("dataset", "profile", "reviews#")).stdout).toMatch(/^\/stars +integer 3, string 1 /m)
  })

  it("fails if the fileset or the file does not exist", verifies("cli.exit.fixable"), async () => {
    const fileset = await assay("dataset", "validate", "nothing")
    expect(fileset.exitCode).toBe(2)
    expect(fileset.stderr).toContain("Fileset 'nothing' not found")
    const file = await assay("dataset", "head", "reviews#nothing.csv")
    expect(file.exitCode).toBe(2)
    expect(file.stderr).toContain("nothing.csv")
  })
})
