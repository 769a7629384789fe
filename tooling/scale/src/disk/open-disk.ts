import { spawnSync } from "node:child_process"
import { closeSync, mkdirSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from "node:fs"
import { constants } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The kinds of calls, in the order of `disk.c`. */
export const CALL_KINDS = [
  "open",
  "create",
  "read",
  "write",
  "sync",
  "rename",
  "link",
  "unlink",
  "mkdir",
  "rmdir",
  "truncate",
  "times",
] as const
export type CallKind = (typeof CALL_KINDS)[number]

export type SystemError = keyof typeof constants.errno

/** Which calls fail, and how. */
export interface Failing {
  readonly kind: CallKind
  readonly error: SystemError
  /** Number of the first call that fails, from 1. */
  readonly first: number
  /** Number of calls that fail from there on. */
  readonly count: number
}

/** A folder whose system calls are watched while a program that was started with `env` uses it. */
export interface Disk {
  /** The folder. */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** Lets calls fail from now on. */
  fail(failing: Failing): void
  /** Ends the failures. Returns the number of calls that failed. */
  recover(): number
  /** Returns the number of calls in the log. */
  position(): number
  /** Returns the log. */
  log(): Buffer
  close(): void
}

const SOURCE = fileURLToPath(new URL("disk.c", import.meta.url))

/** Returns the compiler of this machine, or undefined. */
function findCompiler(): string | undefined {
  return ["cc", "gcc", "clang"].find((name) => spawnSync(name, ["--version"]).status === 0)
}

/** Places of the numbers in the shared memory, in units of 4 bytes. */
const FAILED = 5
const POSITION = 6

/**
 * Builds the library that stands between a program and its disk, and prepares a folder for it. All files are below `home`.
 * Linux only.
 * @param home must exist
 */
export function openDisk(home: string, { logs }: { readonly logs: boolean }): Disk {
  const compiler = findCompiler()
  if (compiler === undefined) throw new Error("There is no C compiler: install gcc or clang.")
  const [library, control, log, folder] = ["disk.so", "control", "log", "data"].map((name) => join(home, name)) as [
    string,
    string,
    string,
    string,
  ]
  const built = spawnSync(compiler, ["-shared", "-fPIC", "-O2", "-o", library, SOURCE, "-ldl"], { encoding: "utf8" })
  if (built.status !== 0) throw new Error(`The library was not built: ${built.stderr}`)
  writeFileSync(control, Buffer.alloc(64))
  writeFileSync(log, "")
  mkdirSync(folder)
  const shared = openSync(control, "r+")
  const read = (index: number): number => {
    const bytes = Buffer.alloc(4)
    readSync(shared, bytes, 0, 4, index * 4)
    return bytes.readUInt32LE()
  }
  const write = (first: number, values: readonly number[]): void => {
    writeSync(shared, Buffer.from(Uint32Array.from(values).buffer), 0, values.length * 4, first * 4)
  }
  return {
    folder,
    env: { LD_PRELOAD: library, DISK_ROOT: home + "/data", DISK_CONTROL: control, ...(logs ? { DISK_LOG: log } : {}) },
    fail({ kind, error, first, count }) {
      const last = Math.min(first + count - 1, 0xffff_ffff)
      write(1, [constants.errno[error], first, last, 0, 0])
      write(0, [1 << CALL_KINDS.indexOf(kind)])
    },
    recover() {
      write(0, [0])
      return read(FAILED)
    },
    position: () => read(POSITION),
    log: () => readFileSync(log),
    close: () => closeSync(shared),
  }
}
