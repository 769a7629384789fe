import { stat } from "node:fs/promises"
import { isAssayError } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { localError } from "./errors.ts"

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: as the system says it`), { code, errno: -1, syscall: "write" })
}

describe("localError", () => {
  it.each([
    ["ENOSPC", "disk_full"],
    ["EDQUOT", "disk_full"],
    ["EFBIG", "disk_full"],
    ["ENAMETOOLONG", "bad_path"],
    ["ENOTDIR", "path_conflict"],
    ["EISDIR", "path_conflict"],
    ["EACCES", "upstream_failed"],
    ["EIO", "upstream_failed"],
    ["EMFILE", "unavailable"],
    ["EWHATEVER", "upstream_failed"],
  ])("converts %s to a %s that names operation, path and code, and keeps the cause", (system, ours) => {
    const cause = systemError(system)
    const error = localError(cause, "write", "a/b")
    if (!isAssayError(error)) throw new Error("It is none of ours.")
    expect(error.code).toBe(ours)
    expect(error.message).toMatch(new RegExp(`^Local storage could not write 'a/b': .+ \\(${system}\\)\\.$`))
    expect(error.cause).toBe(cause)
  })

  it("reads the errors that the system really throws", async () => {
    const thrown = await stat("/nowhere/at/all").catch((error: unknown) => error)
    expect(isAssayError(localError(thrown, "stat", "a"), "not_found")).toBe(true)
  })

  it("returns other errors unchanged", () => {
    for (const other of [new Error("of the sender"), Object.assign(new Error("x"), { code: "ENOSPC" }), "text", null]) {
      expect(localError(other, "write", "a")).toBe(other)
    }
  })
})
