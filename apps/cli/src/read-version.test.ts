import { expect, it } from "vitest"
import { isVersionAsked, readVersion } from "./read-version.ts"
import { runCommand } from "./testing/run-command.ts"

it("a command line that only asks for the version needs no other module", async () => {
  expect(readVersion()).toMatch(/^\d+\.\d+\.\d+/)
  expect([["--version"], ["-V"]].every(isVersionAsked)).toBe(true)
  expect([[], ["serve"], ["-V", "serve"], ["ls", "--version"]].some(isVersionAsked)).toBe(false)
  expect((await runCommand(["-V", "--json"])).stdout).toBe(`${readVersion()}\n`)
})
