import { openSync } from "node:fs"
import { failCalls } from "@assay/testkit"
import { expect, it } from "vitest"
import { errorOf, failureOf } from "./thread-failure.ts"

it.each([
  ["ENOSPC", "disk_full"],
  ["EMFILE", "unavailable"],
  ["EIO", "upstream_failed"],
])("An error %s of a thread's disk is %s for the request that waits for the thread", (code, ours) => {
  failCalls("openSync", code).fail(1)
  let thrown: unknown
  try {
    openSync("any", "r")
  } catch (error) {
    thrown = error
  }
  expect(errorOf(failureOf(thrown))).toMatchObject({ code: ours })
})
