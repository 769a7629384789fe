import { describe, expect, it } from "vitest"
import { mergeFiles, type ProgramFile } from "./merge-files.ts"

const entry = (name: string, ...imports: string[]): ProgramFile => ({ name, size: 1000, imports, isEntry: true })
const file = (name: string, size: number, ...imports: string[]): ProgramFile => ({
  name,
  size,
  imports,
  isEntry: false,
})
const merged = (files: readonly ProgramFile[]) => mergeFiles(files).map((group) => group.toSorted())

describe("files of a program", () => {
  it("are merged if the same entries load them", () => {
    const shared = [file("parse", 50_000), file("print", 1000), file("read", 1000, "parse")]
    expect(merged([entry("ls", "print", "read"), entry("rm", "print", "read"), ...shared])).toEqual([
      ["parse", "print", "read"],
    ])
  })

  it("stay apart if an entry would load much code that it does not need", () => {
    const shared = [file("large", 500_000), file("small", 1000)]
    expect(merged([entry("ls", "small"), entry("run", "small", "large"), ...shared])).toEqual([])
    const tiny = [file("large", 500), file("small", 1000)]
    expect(merged([entry("ls", "small"), entry("run", "small", "large"), ...tiny])).toEqual([["large", "small"]])
  })

  it("stay apart if an entry would load a large file that only the other one needs", () => {
    const shared = [file("data", 900_000), file("reader", 1000, "data"), file("small", 1000)]
    const entries = [entry("ls", "small"), entry("run", "small", "reader"), entry("check", "small", "reader")]
    expect(merged([...entries, ...shared])).toEqual([["data", "reader"]])
  })

  it("are not merged with one that needs them through the file of an entry", () => {
    const shared = [file("base", 100), file("top", 100, "middle")]
    expect(merged([entry("run", "top"), entry("middle", "base"), ...shared])).toEqual([])
    expect(merged([entry("run", "top"), entry("middle", "base"), file("base", 100), file("top", 100, "base")])).toEqual(
      [["base", "top"]],
    )
  })

  it("are not merged with one that loads them later", () => {
    const agent = file("agent", 100)
    const transport = file("transport", 100)
    const entries = [entry("ls", "transport", "agent"), entry("rm", "transport", "agent")]
    expect(merged([...entries, agent, transport])).toEqual([["agent", "transport"]])
    expect(merged([...entries, agent, { ...transport, later: ["agent"] }])).toEqual([])
  })

  it("of entries stay as they are", () => {
    expect(merged([entry("main", "run"), { ...entry("run"), isEntry: true }])).toEqual([])
  })
})
