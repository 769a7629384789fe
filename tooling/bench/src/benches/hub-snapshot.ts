import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { CLI_MAIN, startAssay } from "../assay-server.ts"
import { bareScript } from "../bare/bare-script.ts"
import { atLeast, type Bench } from "../bench.ts"
import { snapshot } from "../remote/snapshot.ts"
import { inTurns } from "../in-turns.ts"
import { captureCommand, runCommand } from "../run-command.ts"

const COUNT = 1000
const REPO = "default/many"

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (let index = 0; index < COUNT; index += 1) await writeFile(join(folder, `${index}.json`), `{"number":${index}}`)
}

async function emptyFolder(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  return folder
}

export const hubSnapshot: Bench = {
  name: "hub",
  async run({ folder }) {
    const source = join(folder, "source")
    await makeFolder(source)
    const server = await startAssay(join(folder, "data"))
    const env = { ASSAY_URL: server.url, XDG_CACHE_HOME: join(folder, "cache") }
    await runCommand(process.execPath, [CLI_MAIN, "push", source, REPO, "--purpose", "model"], env)
    const hubUrl = `${server.url}/apis/files/v2/hf`
    const mineFolder = join(folder, "mine")
    const [mine = 0, theirs = 0] = await inTurns([
      async () => {
        await emptyFolder(mineFolder)
        const started = performance.now()
        await snapshot(hubUrl, REPO, mineFolder)
        return (performance.now() - started) / 1000
      },
      async () => {
        const into = await emptyFolder(join(folder, "theirs"))
        const printed = await captureCommand(process.execPath, [bareScript("hub-snapshot"), hubUrl, REPO, into])
        return Number(printed.trim().split("\n").at(-1))
      },
    ])
    await runCommand("diff", ["-r", source, mineFolder])
    await server.stop()
    return [
      atLeast(
        "snapshot of 1,000 small files over the hub endpoint, to @huggingface/hub",
        theirs / mine,
        5,
        `${mine.toFixed(2)} s to ${theirs.toFixed(2)} s, compared with diff -r`,
      ),
    ]
  },
}
