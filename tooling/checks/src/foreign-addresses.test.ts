import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { foreignAddresses } from "./faults/foreign-addresses.ts"
import { repositoryFiles } from "./reading/repository-files.ts"
import { parseSource, readSource } from "./reading/source-file.ts"
import { sourceKind } from "./reading/source-kind.ts"

const OWN_FILE = "tooling/checks/src/foreign-addresses.test.ts"

describe("the addresses in tests", () => {
  it("are rejected if they belong to another machine", () => {
    const text =
      'fetch("https://api.vendor.com/v1"); fetch(`http://8.8.8.8:80/${path}`); open("postgres://u:p@db.vendor.net/x")'
    expect(foreignAddresses(parseSource("a.ts", text))).toEqual([
      "a.ts: api.vendor.com",
      "a.ts: 8.8.8.8",
      "a.ts: db.vendor.net",
    ])
  })

  it("are accepted if they are local or reserved for examples", () => {
    const text =
      'f("http://127.0.0.1:1", "http://[::1]:2", `http://${host}/`, "https://a.example.com", "http://server/x")'
    expect(foreignAddresses(parseSource("a.ts", text))).toEqual([])
  })

  it("are local, so that a test starts what it needs", verifies("start.self-contained"), () => {
    const paths = repositoryFiles(/^(packages|apps|tooling)\/[^/]+\/src\/.*\.tsx?$/).filter(
      (path) => path !== OWN_FILE && (sourceKind(path) !== "source" || path.startsWith("packages/testkit/")),
    )
    expect(paths.map(readSource).flatMap(foreignAddresses)).toEqual([])
  })
})
