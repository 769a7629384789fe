import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { findProgram, isReadable } from "../programs/find-program.ts"

export const SWIFT_SERVICES = ["account", "container", "object", "proxy"] as const
export type SwiftService = (typeof SWIFT_SERVICES)[number]

/** The Swift servers on this machine, or the reason why they cannot be used. */
export type FoundSwift =
  | { readonly isThere: true; readonly programs: Readonly<Record<SwiftService, string>> }
  | { readonly isThere: false; readonly reason: string }

/** The servers always read it. */
const SHARED_CONFIGURATION = "/etc/swift/swift.conf"

export interface WhereToFindSwift {
  /** Parent folder of its data. Default: the system's folder for temporary files. */
  readonly dir?: string
  /** The folders of programs. Default: `PATH`. */
  readonly path?: string
}

/** Finds the Debian packages of OpenStack Swift, which any user can run. */
export function findSwift({ dir = tmpdir(), path = process.env["PATH"] ?? "" }: WhereToFindSwift = {}): FoundSwift {
  const found = SWIFT_SERVICES.map((service) => [service, findProgram(`swift-${service}-server`, path)] as const)
  const missing = found.filter(([, path]) => path === undefined).map(([service]) => `swift-${service}`)
  if (missing.length > 0) return { isThere: false, reason: `not installed: ${missing.join(", ")}` }
  if (!isReadable(SHARED_CONFIGURATION)) return { isThere: false, reason: `${SHARED_CONFIGURATION} can't be read` }
  const programs = Object.fromEntries(found) as Readonly<Record<SwiftService, string>>
  if (!hasExtendedAttributes(dir, programs.object)) {
    return { isThere: false, reason: `the file system of ${dir} has no extended attributes` }
  }
  return { isThere: true, programs }
}

/** Returns whether a folder supports extended attributes, in which Swift stores metadata. Node cannot write them, but the interpreter of the Swift programs can. */
function hasExtendedAttributes(dir: string, program: string): boolean {
  const [interpreter = ""] = /(?<=^#! ?)\/.+/.exec(readFileSync(program, "utf8")) ?? []
  const script = `import os, sys, tempfile
with tempfile.TemporaryDirectory(dir=sys.argv[1]) as made: os.setxattr(made, "user.swift.metadata", b"x")`
  return spawnSync(interpreter, ["-c", script, dir], { stdio: "ignore" }).status === 0
}
