import { lstatSync, readlinkSync, realpathSync, statSync } from "node:fs"
import { isAbsolute, join } from "node:path"

/** The parts of this machine that a sandbox shows, read-only. */
export interface SystemPaths {
  /** Files and folders, each at its own path. Parents come before what is below them. */
  readonly bound: readonly { readonly source: string; readonly target: string; readonly isFolder: boolean }[]
  /** Files and folders in `bound` that are shown empty. */
  readonly hidden: readonly { readonly path: string; readonly isFolder: boolean }[]
  /** Symbolic links such as `/bin`, which are created again in the sandbox. */
  readonly links: readonly { readonly to: string; readonly path: string }[]
}

/** Programs and libraries. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"]

/** Parts of `/etc` that programs read, such as certificates and time zones. No user names, passwords or keys of the machine. */
const ETC = [
  "alternatives",
  "ca-certificates",
  "crypto-policies",
  "fonts",
  "hosts",
  "java",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "localtime",
  "magic",
  "mime.types",
  "nsswitch.conf",
  "os-release",
  "pki/ca-trust",
  "pki/tls/certs",
  "protocols",
  "python3",
  "services",
  "ssl/certs",
  "ssl/openssl.cnf",
  "timezone",
]

/**
 * Finds the paths that exist on this machine. `folders` are those that the operator adds, and `hidden` must not be visible in any of
 * them. Both are absolute paths.
 */
export function findSystemPaths(folders: readonly string[], hidden: readonly string[]): SystemPaths {
  const links: { to: string; path: string }[] = []
  const bound: { source: string; target: string; isFolder: boolean }[] = []
  const bind = (path: string) => {
    const source = realPathOf(path)
    if (source !== undefined) bound.push({ source, target: path, isFolder: statSync(source).isDirectory() })
  }
  for (const path of SYSTEM) {
    const to = linkAt(path)
    // A relative link such as `bin -> usr/bin` leads to the same path in the sandbox.
    if (to !== undefined && !isAbsolute(to)) links.push({ to, path })
    else bind(path)
  }
  for (const name of ETC) bind(join("/etc", name))
  for (const folder of folders.toSorted()) bind(folder)
  return { bound, links, hidden: hidden.flatMap((path) => shownAt(path, bound)) }
}

/** Finds the paths at which the sandbox would show a file or folder of this machine. */
function shownAt(path: string, bound: SystemPaths["bound"]): SystemPaths["hidden"] {
  const real = realPathOf(path)
  if (real === undefined) return []
  const isFolder = statSync(real).isDirectory()
  return bound.flatMap(({ source, target }) =>
    real === source || real.startsWith(`${source}/`) ? [{ path: target + real.slice(source.length), isFolder }] : [],
  )
}

function linkAt(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined
  } catch {
    return undefined
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
