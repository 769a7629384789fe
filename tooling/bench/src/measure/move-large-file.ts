import { randomBytes } from "node:crypto"
import { open, rm } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { atMost, type Measurement } from "../bench.ts"
import { inTurns } from "./in-turns.ts"
import { runCommand } from "./run-command.ts"

const SIZE = 2 ** 30
const ROUNDS = 5

interface LargeFileOptions {
  /** Runs the command line. */
  readonly assay: (...args: string[]) => Promise<number>
  readonly url: string
  readonly folder: string
}

/** Measures `assay push` and `assay pull` of one file of 1 GiB beside `curl`, to and from the same server. */
export async function moveLargeFile({ assay, url, folder }: LargeFileOptions): Promise<readonly Measurement[]> {
  const source = join(folder, "large.bin")
  const copy = join(folder, "large.copy")
  await writeRandomFile(source)
  const address = (name: string) => `${url}/apis/files/v2/workspaces/default/filesets/large/-/${name}`
  await assay("push", source, "default/large#first.bin")
  let count = 0
  const curl = (...args: string[]) => runCommand("curl", ["--silent", "--fail", ...args])
  const [push, put, pull, get] = await inTurns(
    [
      () => assay("push", source, `default/large#push-${(count += 1)}.bin`),
      () => curl("--upload-file", source, "--output", "/dev/null", address(`put-${(count += 1)}.bin`)),
      async () => {
        await rm(join(folder, "large-pulled"), { recursive: true, force: true })
        return assay("pull", "default/large#first.bin", join(folder, "large-pulled"))
      },
      async () => {
        await rm(copy, { force: true })
        return (await curl("--output", copy, address("first.bin"))) + (await hashFile(copy))
      },
    ],
    ROUNDS,
  )
  const seconds = (ours: number, theirs: number) => `${ours.toFixed(1)} s to ${theirs.toFixed(1)} s`
  return [
    atMost(
      { work: "push 1 GiB", does: "One file, with its digest, to `curl -T`." },
      push / put,
      1.5,
      seconds(push, put),
    ),
    atMost(
      { work: "pull 1 GiB", does: "One file, compared with its digest, to `curl` and a SHA-256 of what it wrote." },
      pull / get,
      2,
      seconds(pull, get),
    ),
  ]
}

async function writeRandomFile(path: string): Promise<void> {
  await using handle = await open(path, "w")
  for (let written = 0; written < SIZE; written += 2 ** 24) await handle.write(randomBytes(2 ** 24))
}

const HASH =
  'const hash = require("node:crypto").createHash("sha256"); require("node:fs").createReadStream(process.argv[1], { highWaterMark: 1048576 }).on("data", (part) => hash.update(part)).on("end", () => console.log(hash.digest("hex")))'

/** Hashes a file with OpenSSL, in a process of its own. */
function hashFile(path: string): Promise<number> {
  return runCommand(process.execPath, ["-e", HASH, path])
}
