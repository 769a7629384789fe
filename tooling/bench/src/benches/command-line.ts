import { randomBytes } from "node:crypto"
import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { CLI_MAIN, startAssay } from "../assay-server.ts"
import { bareScript } from "../bare/bare-script.ts"
import { atLeast, atMost, forComparison, type Bench } from "../bench.ts"
import { startChildServer } from "../child-server.ts"
import { inTurns } from "../measure/in-turns.ts"
import { hasCommand, runCommand } from "../measure/run-command.ts"
import { moveLargeFile } from "../measure/move-large-file.ts"

const COUNT = 10_000
const FOLDERS = 50
const STARTS = 15

const pathOf = (index: number) => `part-${index % FOLDERS}/${index}.bin`

/** Writes files with random bytes, and a listing with one path a line. */
async function makeFolder(folder: string, listing: string): Promise<void> {
  for (let index = 0; index < FOLDERS; index += 1) await mkdir(join(folder, `part-${index}`), { recursive: true })
  for (let index = 0; index < COUNT; index += 1) await writeFile(join(folder, pathOf(index)), randomBytes(4096))
  await writeFile(listing, Array.from({ length: COUNT }, (_, index) => pathOf(index)).join("\n"))
}

const rate = (seconds: number) => `${Math.round(COUNT / seconds)}/s`
const seconds = (ours: number, theirs: number) => `${ours.toFixed(2)} s to ${theirs.toFixed(2)} s`
const milliseconds = (ours: number, theirs: number) =>
  `${Math.round(ours * 1000)} ms to ${Math.round(theirs * 1000)} ms`

export const commandLine: Bench = {
  name: "cli",
  async run({ folder, part }) {
    const source = join(folder, "source")
    const listing = join(folder, "listing")
    await makeFolder(source, listing)
    const server = await startAssay(join(folder, "data"))
    const env = { ASSAY_URL: server.url, XDG_CACHE_HOME: join(folder, "cache") }
    const assay = (...args: string[]) => runCommand(process.execPath, [CLI_MAIN, ...args], env)
    const bare = (name: Parameters<typeof bareScript>[0], ...args: string[]) =>
      runCommand(process.execPath, [bareScript(name), ...args])
    const emptied = async (name: string) => {
      await rm(join(folder, name), { recursive: true, force: true })
      return join(folder, name)
    }
    try {
      await part("push", async () => {
        const uploads = await startChildServer(bareScript("small-uploads"), [join(folder, "uploaded")])
        let pushes = 0
        const [ours, theirs] = await inTurns([
          () => assay("push", source, `default/many-${(pushes += 1)}`),
          async () => {
            await emptied("uploaded")
            return bare("push", uploads.url, source)
          },
        ])
        await uploads.stop()
        const does =
          "10,000 new files of 4 KiB, to a loop over PUT (16 at a time) to a handler that stores them as safely."
        return [atLeast({ work: "push", does }, theirs / ours, 0.6, `${rate(ours)} to ${rate(theirs)}`)]
      })
      await part("pull", async () => {
        const files = await startChildServer(bareScript("files"), [source])
        const [ours, theirs, copied] = await inTurns([
          async () => assay("pull", "default/many-1", await emptied("pulled")),
          async () => bare("pull", files.url, await emptied("bare-pulled"), listing),
          async () => runCommand("cp", ["-r", source, await emptied("copied")]),
        ])
        await files.stop()
        await runCommand("diff", ["-r", source, join(folder, "pulled")])
        const rclone = (await hasCommand("rclone"))
          ? rate(await runCommand("rclone", ["copy", source, await emptied("copied"), "--transfers", "16"]))
          : "not installed"
        const does =
          "10,000 files of 4 KiB into an empty folder, checked, to a loop over GET (16 at a time) that writes them."
        return [
          atLeast(
            { work: "pull", does },
            theirs / ours,
            0.5,
            `${rate(ours)} to ${rate(theirs)}, compared with diff -r`,
          ),
          forComparison({ work: "the same by cp -r", does: "From folder to folder, without a server." }, rate(copied)),
          forComparison({ work: "the same by rclone copy", does: "From folder to folder, without a server." }, rclone),
        ]
      })
      await part("one large file", () => moveLargeFile({ assay, url: server.url, folder }))
      await part("sync", async () => {
        await assay("sync", source, "default/many-1")
        const list = `${server.url}/apis/files/v2/workspaces/default/filesets/many-1/files`
        const [ours, theirs] = await inTurns([
          () => assay("sync", source, "default/many-1"),
          () => bare("compare", list, source),
        ])
        const does =
          "10,000 files, nothing changed, to a process that compares one listing with the sizes of the files."
        return [atMost({ work: "sync without changes", does }, ours / theirs, 2.5, seconds(ours, theirs))]
      })
      await part("starts", async () => {
        const few = join(folder, "few")
        await mkdir(few)
        await writeFile(join(few, "one.txt"), "one")
        await assay("push", few, "default/few")
        const [help, ls, node] = await inTurns(
          [() => assay("--help"), () => assay("ls", "default/few"), () => runCommand(process.execPath, ["-e", "0"])],
          STARTS,
        )
        return [
          atMost(
            { work: "assay --help", does: "Whole process, to `node -e 0`." },
            help / node,
            1.8,
            milliseconds(help, node),
          ),
          atMost(
            { work: "assay ls", does: "Whole process and one request, to `node -e 0`." },
            ls / node,
            3,
            milliseconds(ls, node),
          ),
        ]
      })
    } finally {
      await server.stop()
    }
  },
}
