import { describe, expect, it } from "vitest"
import { foreignLines } from "./faults/foreign-words.ts"
import { repositoryFiles } from "./reading/repository-files.ts"
import { readText } from "./reading/repository.ts"

const OWN_FILE = "tooling/checks/src/words.test.ts"
const BINARY = /\.(png|jpg|ico|woff2|parquet|gguf|safetensors|gz|zst|zip)$/

describe("the words of the repository", () => {
  it.each([
    "see /work/notes.md",
    "in /root/project",
    "from registry.example.org",
    "as agreed in this session",
    "left over from the coding session",
  ])("are found at fault: %s", (line) => {
    expect(foreignLines("a.md", `fine\n${line}`)).toEqual([`a.md:2: ${line}`])
  })

  it("accept everything else", () => {
    expect(
      foreignLines(
        "a.md",
        "frameworks/root/x\nregistry.files.write\n/var/lib/assay\nour homework/ai\nends the session",
      ),
    ).toEqual([])
  })

  it("describe the repository only", () => {
    const texts = repositoryFiles(/./).filter((path) => path !== OWN_FILE && !BINARY.test(path))
    expect(texts.flatMap((path) => foreignLines(path, readText(path)))).toEqual([])
  })
})
