import { randomBytes } from "node:crypto"
import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { CLI_MAIN, startAssay } from "../assay-server.ts"
import { atLeast, atMost, forComparison, type Bench } from "../bench.ts"
import { median } from "../load.ts"
import { hasCommand, runCommand } from "../run-command.ts"

const COUNT = 10_000
const FOLDERS = 50

async function makeFolder(folder: string): Promise<void> {
  for (let index = 0; index < FOLDERS; index += 1) await mkdir(join(folder, `part-${index}`), { recursive: true })
  for (let index = 0; index < COUNT; index += 1) {
    await writeFile(join(folder, `part-${index % FOLDERS}`, `${index}.bin`), randomBytes(4096))
  }
}

async function medianSeconds(times: number, work: () => Promise<number>): Promise<number> {
  const seconds: number[] = []
  for (let index = 0; index < times; index += 1) seconds.push(await work())
  return median(seconds)
}

export const commandLine: Bench = {
  name: "cli",
  async run({ folder }) {
    const source = join(folder, "source")
    await makeFolder(source)
    const server = await startAssay(join(folder, "data"))
    const env = { ASSAY_URL: server.url, XDG_CACHE_HOME: join(folder, "cache") }
    const assay = (...args: string[]) => runCommand(process.execPath, [CLI_MAIN, ...args], env)
    const push = await assay("push", source, "default/many")
    const pull = await assay("pull", "default/many", join(folder, "pulled"))
    await runCommand("diff", ["-r", source, join(folder, "pulled")])
    const sync = await medianSeconds(3, () => assay("sync", source, "default/many"))
    await server.stop()
    const help = await medianSeconds(15, () => assay("--help"))
    const node = await medianSeconds(15, () => runCommand(process.execPath, ["-e", "0"]))
    const copied = join(folder, "copied")
    const cp = await runCommand("cp", ["-r", source, copied])
    await rm(copied, { recursive: true })
    const rclone = (await hasCommand("rclone"))
      ? await runCommand("rclone", ["copy", source, copied, "--transfers", "16"])
      : undefined
    const rate = (seconds: number) => `${Math.round(COUNT / seconds)}/s`
    return [
      atLeast("push of 10,000 files of 4 KiB, files a second", COUNT / push, 1500, `${push.toFixed(2)} s in all`),
      atLeast(
        "pull of 10,000 files of 4 KiB, files a second",
        COUNT / pull,
        1500,
        `${pull.toFixed(2)} s in all, compared with diff -r`,
      ),
      forComparison("cp -r of the same", `${cp.toFixed(2)} s (${rate(cp)})`),
      forComparison(
        "rclone copy of the same, local to local",
        rclone === undefined ? "not installed" : `${rclone.toFixed(2)} s (${rate(rclone)})`,
      ),
      atMost("sync of those 10,000, nothing changed, seconds", sync, 1, "median of 3"),
      atMost(
        "assay --help to node -e 0",
        help / node,
        2.5,
        `${Math.round(help * 1000)} ms to ${Math.round(node * 1000)} ms`,
      ),
    ]
  },
}
