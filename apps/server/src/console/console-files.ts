import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, extname, join, sep } from "node:path"

/** A file of the console, in every encoding in which it was built. */
export interface ConsoleFile {
  readonly type: string
  readonly etag: string
  /** Its name changes when its content does. */
  readonly isPermanent: boolean
  readonly plain: Buffer
  readonly br: Buffer | undefined
  readonly gzip: Buffer | undefined
}

/** The files of the console by the path of their URL, such as `/assets/index-4fKx.js`. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>

/** The page that every address of the console shows. */
export const CONSOLE_PAGE = "/index.html"

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
}

/** Returns the folder with the built console. It is not there before the first build. */
export function consoleFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve("@assay/console/package.json")), "dist")
}

/**
 * Reads the console from a folder into memory, because it is small and answers then need no disk. No other file of the disk
 * can be reached by an address. Returns no files if the folder is not there or has no page.
 */
export function readConsoleFiles(folder: string): ConsoleFiles {
  const names = listFiles(folder)
  const held = new Set(names)
  const read = (name: string) => (held.has(name) ? readFileSync(join(folder, name)) : undefined)
  const files = names.flatMap((name): readonly (readonly [string, ConsoleFile])[] => {
    const type = TYPES[extname(name)]
    const plain = type === undefined ? undefined : read(name)
    if (type === undefined || plain === undefined) return []
    const path = addressOf(`/${name.replaceAll(sep, "/")}`)
    const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 27)}"`
    const isPermanent = path.startsWith("/assets/")
    return [[path, { type, etag, isPermanent, plain, br: read(`${name}.br`), gzip: read(`${name}.gz`) }]]
  })
  return new Map(held.has("index.html") ? files : [])
}

/** Returns the address of a file: pages of the documentation have no ending. */
function addressOf(path: string): string {
  return path.startsWith("/help/") ? path.replace(/(?:\/index)?\.html$/u, "") : path
}

function listFiles(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return []
    throw error
  }
}
