import { expect, it } from "vitest"
import { failureLine } from "./failure-line.ts"

it.each([
  [
    "==> 00000-1.log <==\nerror: no rows\n\nCorrect it at the place that the message names.\n[this process ended: exit code 2]\n",
    "error: no rows",
  ],
  ["shard 0: task 6_0, start 1, on node1\n", undefined],
  ["shard 0: task 6_0, start 1, on node1\nslurmstepd: oom\n", "slurmstepd: oom"],
  [
    "==> 00000-1.log <==\nerror: first\n==> 00000-2.log <==\nKilled\n[this process ended: killed by SIGKILL]\n",
    "Killed",
  ],
  ["--- pod run-0-x: Error\n… 10 lines are left out …\n", undefined],
  ["error: one\nerror: two\n  assay config\n", "error: two"],
])("the failure of a shard is the line of its last attempt that says why: %j", (output, line) => {
  expect(failureLine(output)).toBe(line)
})
