import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Manifest } from "../reading/manifest.ts"
import { readText, REPOSITORY_ROOT } from "../reading/repository.ts"

/** An entry of a package that is published, with the names that it exports. */
export interface Entry {
  /** As importers write it: `@assay/jobs/service`. */
  readonly name: string
  readonly exported: readonly string[]
}

/** Returns the published entries of a package. Entries for tests have only sources. */
export function entriesOf({ name, folder, exports = {} }: Manifest): readonly Entry[] {
  return Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === "string" || target["default"] === undefined) return []
    const source = target["source"]
    const isRead = source !== undefined && existsSync(join(REPOSITORY_ROOT, folder, source))
    return [{ name: name + path.slice(1), exported: isRead ? exportedNames(readText(`${folder}/${source}`)) : [] }]
  })
}

const LIST = /(?:import|export) (?:type )?\{([^}]*)\}/g

/** Returns the names in the export lists of a text. */
export function exportedNames(text: string): readonly string[] {
  return [...text.matchAll(LIST)].flatMap(([, list = ""]) => namesIn(list))
}

const IMPORT = /(?:import|export) (?:type )?\{([^}]*)\} from "(@assay\/[^"]+)"/g
const LATER = /\{([^{}]*)\} = await import\("(@assay\/[^"]+)"\)|import\("(@assay\/[^"]+)"\)\.(\w+)/g

/** Returns what texts import from our packages, as `@assay/jobs:launchJob`. */
export function importedNames(texts: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const text of texts) {
    for (const [, list = "", from] of text.matchAll(IMPORT)) {
      for (const name of namesIn(list)) found.add(`${from}:${name}`)
    }
    for (const [, list = "", from, whole, member] of text.matchAll(LATER)) {
      for (const name of namesIn(list)) found.add(`${from}:${name}`)
      if (member !== undefined) found.add(`${whole}:${member}`)
    }
  }
  return found
}

/** Returns the original names of a list such as `a, type B, c as d`. */
function namesIn(list: string): readonly string[] {
  return list.split(",").flatMap((part) => /^(?:type )?(\w+)/.exec(part.trim())?.[1] ?? [])
}
