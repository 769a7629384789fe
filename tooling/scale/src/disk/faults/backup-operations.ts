import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { writeAdminToken } from "../start-on-disk.ts"
import { endOf, launch } from "./job-operations.ts"
import { makeFileset, must, NEW, OLD } from "./make-fileset.ts"
import type { Operation, Surroundings } from "./operation.ts"

/** A server that has ended, a backup of it, and what a restore of that makes. */
interface Sample {
  readonly dataFolder: string
  readonly archive: string
  readonly restored: unknown
}

/** Returns the sample of a run, which the first try makes. */
async function sampleOf({ folder, assay, startOther }: Surroundings): Promise<Sample> {
  const [dataFolder, archive, copy] = ["sample", "sample.tar", "sample-restored"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  if (!existsSync(copy)) {
    mkdirSync(dataFolder)
    writeAdminToken(dataFolder)
    const server = await startOther(dataFolder)
    await makeFileset(server.send, "set", { "a/b": OLD, c: NEW })
    await endOf(server.send, await launch(server.send))
    await server.stop()
    await must(assay(["backup", archive, "--data-dir", dataFolder]))
    await must(assay(["restore", archive, "--data-dir", copy]))
  }
  return { dataFolder, archive, restored: listFolder(copy) }
}

/** Returns the paths and digests of all files but locks and logs. The database depends on the times of the restored files. */
function listFolder(folder: string): unknown {
  // No server starts on a restore that did not end.
  if (!existsSync(folder) || existsSync(join(folder, ".restoring"))) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.lock(?:-[a-z]+)?$|-(?:wal|shm)$/.test(entry.name))
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      const isDatabase = name === "registry.db"
      return [
        path.slice(folder.length),
        isDatabase ? "" : createHash("sha256").update(readFileSync(path)).digest("hex"),
      ]
    })
    .toSorted(([a = ""], [b = ""]) => a.localeCompare(b))
}

export const onBackups: readonly Operation[] = [
  {
    name: "back up",
    async prepare(around, id) {
      const { dataFolder, restored } = await sampleOf(around)
      const [archive, copy] = [join(around.folder, `${id}.tar.gz`), join(around.folder, `${id}-restored`)]
      const read = async () => {
        if (!existsSync(archive)) return "no archive"
        const { status, text } = await around.assay(["restore", archive, "--data-dir", copy])
        const files = listFolder(copy)
        rmSync(copy, { recursive: true, force: true })
        return status === 200 ? files : text
      }
      return {
        run: () => around.assay(["backup", archive, "--data-dir", dataFolder]),
        read,
        wanted: restored,
      }
    },
  },
  {
    name: "restore",
    async prepare(around, id) {
      const { archive, restored } = await sampleOf(around)
      const copy = join(around.folder, id)
      return {
        run: () => around.assay(["restore", archive, "--data-dir", copy]),
        read: async () => listFolder(copy),
        wanted: restored,
      }
    },
  },
]
