import { describe, expect, it } from "vitest"
import { changelogFaults } from "./faults/changelog-faults.ts"
import { readManifests } from "./reading/manifest.ts"
import { repositoryFiles } from "./reading/repository-files.ts"
import { readText } from "./reading/repository.ts"

const LONG_ENTRY = `- ${"word ".repeat(31).trim()}.`

describe("the changelog", () => {
  it("is rejected without a section of the version, with an empty one, or with entries of more than 30 words", () => {
    const good = "# Changelog\n\n## 1.1.0\n\n- One.\n\n## 1.0.0\n\n- Zero.\n"
    expect(changelogFaults(good, ["1.1.0"])).toEqual([])
    expect(changelogFaults(good, ["1.1.0", "1.2.0"])).toEqual([
      "Packages have several versions: 1.1.0, 1.2.0.",
      "CHANGELOG.md has no entry for version 1.2.0.",
    ])
    expect(changelogFaults("# Changelog\n\n## 1.1.0\n\n## 1.0.0\n\n- Zero.\n", ["1.1.0"])).toEqual([
      "CHANGELOG.md has no entry for version 1.1.0.",
    ])
    expect(changelogFaults(`${good}${LONG_ENTRY}\n`, ["1.1.0"])).toEqual([
      "CHANGELOG.md: an entry has 31 words, at most 30 are allowed: word word word word word…",
    ])
  })

  it("has entries for the one version of all packages", () => {
    const versions = new Set(readManifests().map((one) => one.version ?? "none"))
    expect(changelogFaults(readText("CHANGELOG.md"), [...versions])).toEqual([])
  })

  it("is the only one of the repository", () => {
    expect(repositoryFiles(/(^|\/)CHANGELOG\.md$/)).toEqual(["CHANGELOG.md"])
  })
})
