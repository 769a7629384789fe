import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { CLI_MAIN, startAssay } from "../assay-server.ts"
import { bareScript } from "../bare/bare-script.ts"
import { atLeast, forComparison, type Bench } from "../bench.ts"
import { inTurns } from "../measure/in-turns.ts"
import { runCommand } from "../measure/run-command.ts"

const COUNT = 1000
const REPO = "default/many"

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (let index = 0; index < COUNT; index += 1) await writeFile(join(folder, `${index}.json`), `{"number":${index}}`)
}

/** Measures the command that users have against processes that use @huggingface/hub: all start cold, with an empty folder. */
export const hubSnapshot: Bench = {
  name: "hub",
  async run({ folder, part }) {
    const source = join(folder, "source")
    await makeFolder(source)
    const server = await startAssay(join(folder, "data"))
    const env = { ASSAY_URL: server.url, XDG_CACHE_HOME: join(folder, "cache") }
    const assay = (...args: string[]) => runCommand(process.execPath, [CLI_MAIN, ...args], env)
    const hub = (into: string, layout: "cache" | "folder") =>
      runCommand(process.execPath, [bareScript("hub-snapshot"), `${server.url}/apis/files/v2/hf`, REPO, into, layout])
    const place = (name: string) => join(folder, name)
    const cold = async (name: string, work: (into: string) => Promise<number>) => {
      await rm(place(name), { recursive: true, force: true })
      return work(place(name))
    }
    const detail = (ours: number, theirs: number) => `${ours.toFixed(2)} s to ${theirs.toFixed(2)} s`
    try {
      await part("snapshot", async () => {
        await assay("push", source, REPO, "--purpose", "model")
        await hub(place("warm-up"), "folder")
        const [ours, plain, cached] = await inTurns([
          () => cold("ours", (into) => assay("pull", REPO, into)),
          () => cold("plain", (into) => hub(into, "folder")),
          () => cold("cached", (into) => hub(into, "cache")),
        ])
        await runCommand("diff", ["-r", source, place("ours")])
        await runCommand("diff", ["-r", source, place("plain")])
        return [
          atLeast(
            {
              work: "snapshot of 1,000 small files",
              does: "`assay pull` into an empty folder, to listFiles and downloadFile of @huggingface/hub, 16 at a time, into the same layout.",
            },
            plain / ours,
            1.5,
            `${detail(ours, plain)}, compared with diff -r`,
          ),
          forComparison(
            {
              work: "the same, to snapshotDownload",
              does: "One call of @huggingface/hub, which also writes a cache of links and downloads one file at a time.",
            },
            `${(cached / ours).toFixed(2)} (${detail(ours, cached)})`,
          ),
        ]
      })
      await part("snapshot again", async () => {
        const [ours, theirs] = await inTurns([
          () => assay("pull", REPO, place("ours")),
          () => hub(place("cached"), "cache"),
        ])
        const does = "`assay pull` into the folder that has all files, to snapshotDownload with its full cache."
        return [atLeast({ work: "snapshot without changes", does }, theirs / ours, 1, detail(ours, theirs))]
      })
    } finally {
      await server.stop()
    }
  },
}
