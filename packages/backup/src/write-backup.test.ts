import { expect, it } from "vitest"
import { describeNotIncluded } from "./write-backup.ts"

it("the report of a backup names an object store, and filesets whose files are elsewhere", async () => {
  const source = { database: { kind: "sqlite", file: "registry.db" }, storageFolder: undefined } as const
  const countElsewhere = async () => [
    { storage_type: "hub", filesets: 2 },
    { storage_type: "objstore", filesets: 5 },
  ]
  expect(await describeNotIncluded(source, { countElsewhere })).toEqual({
    missing: [expect.stringContaining("object store")],
    elsewhere: [expect.stringMatching(/^The files of 2 filesets on storage of the type hub/)],
  })
})
