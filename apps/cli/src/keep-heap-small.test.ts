import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, it } from "vitest"

const MODULE = new URL("./keep-heap-small.ts", import.meta.url).href

/** Allocates until the young generation has a size, lets V8 shrink it, and allocates again. Prints the sizes in MiB. */
const PROGRAM = `
import { setTimeout } from "node:timers/promises"
import { getHeapSpaceStatistics } from "node:v8"
import { keepHeapSmall } from ${JSON.stringify(MODULE)}
const young = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size / 2 ** 20
// V8 lets it grow only if objects outlive collections.
const kept = []
async function allocate(until) {
  for (let pass = 0; pass < 2000 && !until(); pass++) {
    kept[pass % 8] = Array.from({ length: 10_000 }, (_, at) => ({ at }))
    if (pass % 8 === 0) await setTimeout(1)
  }
}
keepHeapSmall()
await allocate(() => young() >= 32)
const grown = young()
await setTimeout(300)
gc({ type: "major", execution: "sync", flavor: "last-resort" })
const shrunk = young()
await setTimeout(300)
await allocate(() => young() >= 32)
process.stdout.write(JSON.stringify({ grown, shrunk, again: young() }))
`

it("the young generation grows again after V8 has shrunk it", { timeout: 60_000 }, async () => {
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, ["--expose-gc", "--input-type=module", "-e", PROGRAM])
  const { grown, shrunk, again } = JSON.parse(stdout) as Record<"grown" | "shrunk" | "again", number>
  expect(grown).toBeGreaterThanOrEqual(32)
  expect(shrunk).toBeLessThan(32)
  expect(again).toBeGreaterThanOrEqual(32)
})
