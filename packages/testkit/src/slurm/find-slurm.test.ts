import { expect, it } from "vitest"
import { findSlurm } from "./find-slurm.ts"

it("findSlurm names the missing packages", () => {
  const reason = "not installed: munge, slurmctld, slurmd, slurm-client"
  expect(findSlurm({ path: "" })).toEqual({ isThere: false, reason })
})
