import fs, { readlinkSync } from "node:fs"
import { open, type FileHandle } from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"
import { devNull } from "node:os"
import { onTestFinished } from "vitest"

/** The files and folders that were synced. */
export interface SyncWatch {
  /** Returns their paths, in the order in which the calls began. */
  paths(): readonly string[]
  /** Holds calls on a path back from now on, until the returned function is called. */
  hold(path: string): () => void
}

/** Notes calls of `fsync` and `fdatasync` of Node until the test ends. Reads paths from `/proc`, so it needs Linux. SQLite makes its own calls. */
export async function watchSyncs(): Promise<SyncWatch> {
  const synced: string[] = []
  const held = new Map<string, (() => void)[]>()
  const pathOf = (fd: number) => readlinkSync(`/proc/self/fd/${fd}`)

  const originals = { fsync: fs.fsync, fdatasync: fs.fdatasync }
  for (const name of ["fsync", "fdatasync"] as const) {
    Reflect.set(fs, name, (fd: number, callback: (error: NodeJS.ErrnoException | null) => void) => {
      const path = pathOf(fd)
      synced.push(path)
      const run = () => originals[name](fd, callback)
      const queue = held.get(path)
      if (queue === undefined) run()
      else queue.push(run)
    })
  }
  syncBuiltinESMExports()

  await using handle = await open(devNull)
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  const ofHandles = (["sync", "datasync"] as const).map((name) => [name, prototype[name]] as const)
  for (const [name, call] of ofHandles) {
    prototype[name] = function note(this: FileHandle) {
      synced.push(pathOf(this.fd))
      return Reflect.apply(call, this, [])
    }
  }
  onTestFinished(() => {
    Object.assign(fs, originals)
    syncBuiltinESMExports()
    for (const [name, call] of ofHandles) prototype[name] = call
  })
  return {
    paths: () => synced,
    hold(path) {
      held.set(path, [])
      return () => {
        const queue = held.get(path) ?? []
        held.delete(path)
        for (const run of queue) run()
      }
    },
  }
}
