import fs, { promises } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { onTestFinished } from "vitest"

/** Functions of `node:fs` and `node:fs/promises` that can be made to fail. */
export type FailingCall =
  | "fsync"
  | "link"
  | "linkSync"
  | "mkdir"
  | "open"
  | "openSync"
  | "readFile"
  | "rename"
  | "renameSync"
  | "rmdir"
  | "unlink"
  | "writeFile"

interface Failures {
  /** Lets the n-th call from now on fail, from 1, and `count - 1` calls after it. */
  fail(first: number, count?: number): void
  /** Returns the number of calls since then. */
  calls(): number
}

/**
 * Lets chosen calls of the file system fail with an error of the system, until the test ends. The calls of SQLite and those that a test
 * makes itself through a name that it imported before are not affected.
 */
export function failCalls(call: FailingCall, code: string): Failures {
  let seen = 0
  let from = 0
  let to = 0
  const failure = () => {
    seen += 1
    const isFailing = seen >= from && seen < to
    return isFailing ? Object.assign(new Error(`${code}: injected, ${call}`), { code, syscall: call }) : undefined
  }
  for (const owner of [fs, promises]) {
    const original: unknown = Reflect.get(owner, call)
    if (typeof original !== "function") continue
    const replacement = (...args: unknown[]): unknown => {
      const error = failure()
      if (error === undefined) return Reflect.apply(original, owner, args)
      const callback = args.at(-1)
      if (typeof callback === "function") return void callback(error)
      if (owner === promises) return Promise.reject(error)
      throw error
    }
    Reflect.set(owner, call, replacement)
    onTestFinished(() => {
      Reflect.set(owner, call, original)
      syncBuiltinESMExports()
    })
  }
  syncBuiltinESMExports()
  return {
    fail(first, count = 1) {
      ;[seen, from, to] = [0, first, first + count]
    },
    calls: () => seen,
  }
}
