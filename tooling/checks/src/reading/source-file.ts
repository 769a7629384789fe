import { parseSync, type Program } from "oxc-parser"
import { readText } from "./repository.ts"

/** A TypeScript or JavaScript file, read and parsed. */
export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly program: Program
  /** The modules that its imports, exports and `import()` calls name. */
  readonly specifiers: readonly string[]
  readonly comments: readonly string[]
}

/** Parses the source at `path`. @throws if it cannot be parsed */
export function parseSource(path: string, text: string): SourceFile {
  const parsed = parseSync(path, text)
  const { module, comments, errors } = parsed
  if (errors.length > 0) throw new Error(`${path} can't be parsed: ${errors[0]?.message}`)
  const named = [
    ...module.staticImports.map((found) => found.moduleRequest.value),
    ...module.staticExports.flatMap((found) => found.entries.map((entry) => entry.moduleRequest?.value)),
    ...module.dynamicImports.map(({ moduleRequest }) => quoted(text.slice(moduleRequest.start, moduleRequest.end))),
  ]
  return {
    path,
    text,
    // Reading the syntax tree takes longer than all else, so it is read only for those who visit it.
    get program() {
      return parsed.program
    },
    specifiers: [...new Set(named.filter((name) => name !== undefined))],
    comments: comments.map((comment) => comment.value),
  }
}

export function readSource(path: string): SourceFile {
  return parseSource(path, readText(path))
}

function quoted(text: string): string | undefined {
  return /^["'`]([^"'`$]+)["'`]$/.exec(text)?.[1]
}
